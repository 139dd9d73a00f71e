// Long work of a thread that also answers others: they have their turn between two steps.

import { setImmediate as otherWork } from 'node:timers/promises';

/** `check` throws where the work is not to go on; the steps are ended then, so that they can clean up. */
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
