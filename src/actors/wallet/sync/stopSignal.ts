// Stops a sync that waits for a node that may never answer: the wait ends at once, the call is abandoned.

/** Thrown out of a wait that the signal ended. Not a failure. */
export class Stopped extends Error {
  override readonly name = 'Stopped';
}

export class StopSignal {
  /** The ways to end the open waits. Nothing of a finished wait stays, above all not its result. */
  readonly #waits = new Set<(reason: Stopped) => void>();
  #isStopped = false;

  get isStopped(): boolean {
    return this.#isStopped;
  }

  stop(): void {
    this.#isStopped = true;
    for (const end of this.#waits) end(new Stopped());
    this.#waits.clear();
  }

  /**
   * Returns the call's result, or throws `Stopped` right after the signal. For calls that change nothing in the wallet.
   */
  orStopped<T>(call: Promise<T>): Promise<T> {
    return new Promise((resolve, reject) => {
      if (this.#isStopped) reject(new Stopped());
      else this.#waits.add(reject);
      call.then(resolve, reject).finally(() => this.#waits.delete(reject));
    });
  }
}
