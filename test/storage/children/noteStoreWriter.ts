// Commits to the note store of the given folder without end; says each commit that is durable. Commit n leaves note 1
// to n, each with value n, and says so in the state.

import {
  block,
  kept,
  loaded,
  MASTER_KEY,
  note,
  noteDatabases,
  state,
} from '../notes/support/noteDatabase.ts';

const store = noteDatabases(process.argv[2] ?? '').open(MASTER_KEY);
const from = loaded(store).state?.lastScanHeight ?? 0;
for (let n = from + 1; ; n++) {
  const notes = Array.from({ length: n }, (_, i) => note(i + 1, { value: n }));
  store.commit({
    state: state(n),
    putNotes: notes,
    putBlocks: [block(n)],
    deleteBlocks: [n - 20],
    sightings: Array.from({ length: 50 }, (_, i) => kept(n * 50 + i, n)),
  });
  await new Promise((resolve) => process.send?.(n, resolve));
}
