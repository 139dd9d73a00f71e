// A sync is told to stop while it waits for a node that may never answer: the wait ends at once, the call is abandoned.

/** Thrown out of a wait that the signal ended. Not a failure. */
export class Stopped extends Error {
  override readonly name = 'Stopped';
}

export class StopSignal {
  readonly #stopped: Promise<never>;
  #reject!: (reason: Stopped) => void;
  #isStopped = false;

  constructor() {
    this.#stopped = new Promise((_resolve, reject) => {
      this.#reject = reject;
    });
    // Nobody may be waiting when it is told.
    this.#stopped.catch(() => undefined);
  }

  get isStopped(): boolean {
    return this.#isStopped;
  }

  stop(): void {
    this.#isStopped = true;
    this.#reject(new Stopped());
  }

  /** What the call gives, or throws `Stopped` as soon as the signal was given. For calls that change nothing of ours. */
  orStopped<T>(call: Promise<T>): Promise<T> {
    return Promise.race([this.#stopped, call]);
  }
}
