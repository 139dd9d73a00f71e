// Long work in pieces of some milliseconds each: whoever has nothing else to do finishes it at once, a thread that also
// answers others does something else between two of them.

/** Each yield is a place to stop for a while. */
export type Steps<T> = Generator<void, T, void>;

/** What `work` makes of each item; a step each. */
export function* mapInSteps<T, U>(items: readonly T[], work: (item: T, index: number) => U): Steps<U[]> {
  const made: U[] = [];
  for (const [index, item] of items.entries()) {
    made.push(work(item, index));
    yield;
  }
  return made;
}

export function finish<T>(steps: Steps<T>): T {
  for (;;) {
    const step = steps.next();
    if (step.done === true) return step.value;
  }
}
