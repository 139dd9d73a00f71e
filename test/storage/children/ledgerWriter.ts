// Commits to the ledger of the given folder without end; says each commit that is durable. Commit n leaves note 1 to n,
// each with value n, and says so in the state.

import { block, kept, ledgerStores, loaded, MASTER_KEY, note, state } from '../notes/support/ledger.ts';

const store = ledgerStores(process.argv[2] ?? '').open(MASTER_KEY);
const from = loaded(store).state?.lastScanHeight ?? 0;
for (let n = from + 1; ; n++) {
  const notes = Array.from({ length: n }, (_, i) => note(i + 1, { value: n }));
  store.commit({
    state: state(n),
    putNotes: notes,
    putBlocks: [block(n)],
    deleteBlocks: [n - 20],
    keepNullifiers: Array.from({ length: 50 }, (_, i) => kept(n * 50 + i, n)),
  });
  await new Promise((resolve) => process.send?.(n, resolve));
}
