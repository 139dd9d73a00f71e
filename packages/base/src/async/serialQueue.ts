// Asynchronous work one piece at a time. The queue keeps when the last piece ends but not its result: a promise kept
// only for its order would also keep its value in memory, such as a batch of blocks or a recovery phrase.

/** Asynchronous work one piece at a time, in the order of the calls. */
export class SerialQueue {
  #lastEnded: Promise<void> = Promise.resolve();

  /** Runs `work` when all earlier calls have settled. A failure does not stop the next. */
  run<T>(work: () => T | Promise<T>): Promise<T> {
    const turn = this.#lastEnded.then(work);
    this.#lastEnded = turn.then(ended, ended);
    return turn;
  }
}

const ended = (): void => undefined;
