// Holds callers back for a while. The code that closes it can check whether its closing still holds, or other code
// opened and closed it meanwhile.

export class Gate {
  #closing: object | undefined;
  #opened: Promise<void> = Promise.resolve();
  #open: () => void = () => undefined;

  /** Closes the gate, or takes over an earlier closing. */
  close(): object {
    if (this.#closing === undefined) {
      this.#opened = new Promise((resolve) => {
        this.#open = resolve;
      });
    }
    this.#closing = {};
    return this.#closing;
  }

  get isClosed(): boolean {
    return this.#closing !== undefined;
  }

  isClosedBy(closing: object): boolean {
    return this.#closing === closing;
  }

  open(): void {
    this.#closing = undefined;
    this.#open();
  }

  /** Resolves when the gate is open, in the order of the calls. */
  async passed(): Promise<void> {
    while (this.#closing !== undefined) await this.#opened;
  }
}
