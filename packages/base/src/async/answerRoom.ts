// Limits how many large answers are in memory at once, from all senders: the others wait in their connections until one was
// read to its end. A connection holds a few hundred kilobytes, an answer megabytes.

/** So many places for large answers, from all senders; the others wait. */
export class AnswerRoom {
  readonly #places: number;
  #taken = 0;
  readonly #waiting = new Set<() => void>();

  constructor(places: number) {
    this.#places = places;
  }

  /** `enter` is called once there is a place, at once where one is free. The returned function leaves it, or the queue. */
  take(enter: () => void): () => void {
    let isIn = false;
    const goIn = (): void => {
      isIn = true;
      this.#taken++;
      enter();
    };
    if (this.#taken < this.#places) goIn();
    else this.#waiting.add(goIn);
    return () => {
      this.#waiting.delete(goIn);
      if (!isIn) return;
      isIn = false;
      this.#taken--;
      this.#letIn();
    };
  }

  #letIn(): void {
    const [next] = this.#waiting;
    if (next === undefined || this.#taken >= this.#places) return;
    this.#waiting.delete(next);
    next();
  }
}
