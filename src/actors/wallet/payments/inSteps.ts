// Long work in a thread that also answers calls: they can run between two steps.

import { setImmediate as otherWork } from 'node:timers/promises';

/** `check` throws where the work must stop; the generator is closed then, so that it can clean up. */
export async function inSteps<T>(steps: Generator<void, T, void>, check: () => void): Promise<T> {
  try {
    for (;;) {
      const step = steps.next();
      if (step.done === true) return step.value;
      await otherWork();
      check();
    }
  } finally {
    steps.return(undefined as never);
  }
}
