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

// One queue per object, shared by all its users, e.g. two servers that fill one store.
const queues = new WeakMap<object, SerialQueue>();

/** The queue of `object`, shared by all who use the object. */
export function queueOf(object: object): SerialQueue {
  const known = queues.get(object);
  if (known !== undefined) return known;
  const fresh = new SerialQueue();
  queues.set(object, fresh);
  return fresh;
}

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
