// Stores blocks 25 at a time in the folder's compact store without end, now and then undoing 60 as a reorg does; says
// the top after each step.

import { createCompactStores } from '../../../src/storage/blocks/compactStores.ts';
import { chain, place } from '../blocks/support/compact.ts';

const store = createCompactStores().open(undefined, place(process.argv[2] ?? ''));
for (let step = 1; ; step++) {
  const top = store.summary().lastHeight ?? 0;
  if (step % 5 === 0) store.remove({ start: top - 59, end: 2 ** 31 - 1 });
  else store.put(chain({ start: top + 1, end: top + 25 }));
  await new Promise((resolve) => process.send?.(store.summary().lastHeight ?? 0, resolve));
}
