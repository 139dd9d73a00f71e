// Holds callers back for a while. Whoever closes it learns whether it is still closed by them, or was opened and closed
// by somebody else meanwhile.

export class Gate {
  #closing: object | undefined;
  #opened: Promise<void> = Promise.resolve();
  #open: () => void = () => undefined;

  /** Closes the gate, or takes it over from whoever closed it before. */
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

  /** When the gate is open, in the order in which they came. */
  async passed(): Promise<void> {
    while (this.#closing !== undefined) await this.#opened;
  }
}
