// A note store as it was first written, before rows were summed up and times kept: version 1 too, so it opens for ever.

import { readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { gunzipSync } from 'node:zlib';
import test from 'ava';
import {
  block,
  kept,
  loaded,
  MASTER_KEY,
  NoteStoreModel,
  note,
  noteDatabases,
  ordered,
  sentOutput,
  state,
  transaction,
} from './notes/support/noteDatabase.ts';
import { temporaryFolder } from './support/folder.ts';

const range = <T>(count: number, make: (i: number) => T): T[] =>
  Array.from({ length: count }, (_, i) => make(i));

/** The commits that the recorded store was made with. */
function recordedCommits(): NoteStoreModel {
  const model = new NoteStoreModel();
  model.commit({
    state: state(120),
    putNotes: range(30, (i) => note(i)),
    putSentOutputs: range(6, sentOutput),
    putTransactions: range(30, transaction),
    putBlocks: range(8, (i) => block(113 + i)),
    sightings: range(10, (i) => kept(i, 120)),
  });
  model.commit({
    // What later versions keep was not there.
    state: { ...state(140), exportCount: 0 },
    deleteNotes: [note(3)],
    putNotes: [note(4, { spent: { txid: transaction(20).txid, height: 139, txIndex: 2 } }), note(31)],
    deleteSentOutputs: [sentOutput(2)],
    deleteTransactions: [transaction(3)],
    putBlocks: [block(121)],
  });
  return model;
}

test('a store of version 1 opens with all it held, and takes further commits', (t) => {
  const folder = temporaryFolder(t);
  const recorded = gunzipSync(readFileSync('test/storage/recorded/ledger-v1-first.db.gz'));
  writeFileSync(path.join(folder, 'ledger.db'), recorded, { mode: 0o600 });
  const model = recordedCommits();
  const change = { state: state(150), putNotes: [note(40), note(5, { value: 1 })], deleteNotes: [note(6)] };
  for (const commit of [undefined, change]) {
    const store = noteDatabases(folder).open(MASTER_KEY);
    if (commit !== undefined) {
      store.commit(commit);
      model.commit(commit);
    }
    t.deepEqual(ordered(loaded(store)), ordered(model.snapshot()));
    t.deepEqual(store.findSightings([kept(4, 120)]), [{ ...kept(4, 120), time: 0 }]);
    store.close();
  }
});
