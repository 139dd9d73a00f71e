// Prunes the folder's compact store five blocks at a time without end, filling it again where little is left; says its
// lowest block after each step.

import { createCompactStores } from '../../../src/storage/blocks/compactStores.ts';
import { chainBlock, place } from '../blocks/support/compact.ts';

const store = createCompactStores().open(undefined, place(process.argv[2] ?? ''));
const bulky = (start: number, end: number) =>
  Array.from({ length: end - start + 1 }, (_, i) => chainBlock(start + i, '', -1, 20_000));
for (;;) {
  const first = store.summary().firstHeight ?? 0;
  if (first === 0 || first > 180) store.put(bulky(1, first === 0 ? 200 : first - 1));
  else store.prune({ start: first, end: first + 4 });
  store.giveBack(0);
  await new Promise((resolve) => process.send?.(store.summary().firstHeight ?? 0, resolve));
}
