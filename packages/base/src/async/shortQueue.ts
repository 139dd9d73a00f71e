// A serial queue for callers that must not wait behind many: they first check whether it is full.

import { SerialQueue } from './serialQueue.ts';

/** A serial queue whose callers first check whether it is full. */
export class ShortQueue {
  readonly #turns = new SerialQueue();
  readonly #limit: number;
  #open = 0;

  /** `limit`: how many may run or wait. */
  constructor(limit: number) {
    this.#limit = limit;
  }

  get isFull(): boolean {
    return this.#open >= this.#limit;
  }

  async run<T>(work: () => T | Promise<T>): Promise<T> {
    this.#open++;
    try {
      return await this.#turns.run(work);
    } finally {
      this.#open--;
    }
  }
}
