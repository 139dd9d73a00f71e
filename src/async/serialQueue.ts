// Asynchronous work one piece at a time. The queue knows when the last piece ends and nothing of what it gave: a
// promise kept for its order alone would hold its value too, be it a batch of blocks or a recovery phrase.

export class SerialQueue {
  #lastEnded: Promise<void> = Promise.resolve();

  /** Runs `work` when everything asked for before it has settled. A failure does not stop the next. */
  run<T>(work: () => T | Promise<T>): Promise<T> {
    const turn = this.#lastEnded.then(work);
    this.#lastEnded = turn.then(ended, ended);
    return turn;
  }
}

const ended = (): void => undefined;
