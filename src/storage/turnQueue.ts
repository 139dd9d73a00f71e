/** Runs asynchronous work one piece at a time, in the order it was asked for. A failure does not stop the next. */
export class TurnQueue {
  #last: Promise<unknown> = Promise.resolve();

  run<T>(work: () => Promise<T>): Promise<T> {
    const turn = this.#last.then(work);
    this.#last = turn.catch(() => undefined);
    return turn;
  }
}
