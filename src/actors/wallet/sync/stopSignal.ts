// A sync is told to stop while it waits for a node that may never answer: the wait ends at once, the call is abandoned.

/** Thrown out of a wait that the signal ended. Not a failure. */
export class Stopped extends Error {
  override readonly name = 'Stopped';
}

export class StopSignal {
  /** The ways to end the waits that are on. Nothing stays of a wait that is over, least of all what it was for. */
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
   * What the call gives, or throws `Stopped` as soon as the signal was given. For calls that change nothing of ours.
   */
  orStopped<T>(call: Promise<T>): Promise<T> {
    return new Promise((resolve, reject) => {
      if (this.#isStopped) reject(new Stopped());
      else this.#waits.add(reject);
      call.then(resolve, reject).finally(() => this.#waits.delete(reject));
    });
  }
}
