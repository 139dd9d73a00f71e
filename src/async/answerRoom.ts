// How many large answers may be in memory at once, whoever sends them: every other one waits in its connection until
// one of them was read to its end. A connection holds a few hundred kilobytes, an answer megabytes.

export class AnswerRoom {
  readonly #places: number;
  #taken = 0;
  readonly #waiting = new Set<() => void>();

  constructor(places: number) {
    this.#places = places;
  }

  /** `enter` is called once there is a place, at once where one is free. The function given back leaves it, or the queue. */
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
