/** Tasks that must not overlap: each starts when the one before it has settled. */
export class Turns {
  #last: Promise<unknown> = Promise.resolve();

  take<T>(task: () => Promise<T>): Promise<T> {
    const mine = this.#last.then(task);
    this.#last = mine.catch(() => undefined);
    return mine;
  }
}

const turns = new WeakMap<object, Turns>();

/** The one queue of everybody who works on this object, e.g. on one store from two servers. */
export function turnsOf(object: object): Turns {
  const known = turns.get(object);
  if (known !== undefined) return known;
  const fresh = new Turns();
  turns.set(object, fresh);
  return fresh;
}
