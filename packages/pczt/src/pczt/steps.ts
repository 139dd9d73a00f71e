// Long work in steps of some milliseconds each: a thread with nothing else to do runs them all at once, a thread that
// also serves requests does so between two steps.

/** The work may pause at each yield. */
export type Steps<T> = Generator<void, T, void>;

/** Applies `work` to each item, one step each. */
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
