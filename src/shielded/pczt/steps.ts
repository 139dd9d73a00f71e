// Long work in pieces of some milliseconds each: whoever has nothing else to do finishes it at once, a thread that also
// answers others does something else between two of them.

/** Each yield is a place to stop for a while. */
export type Steps<T> = Generator<void, T, void>;

export function finish<T>(steps: Steps<T>): T {
  for (;;) {
    const step = steps.next();
    if (step.done === true) return step.value;
  }
}
