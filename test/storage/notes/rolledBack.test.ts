// Somebody who has no key, but an older copy of the note store and the newer one, mixes the two. Every row of either was
// sealed by us, so only what is vouched for as a whole can tell.

import fs from 'node:fs';
import path from 'node:path';
import { bytesColumn, type Database, openDatabase } from '@wallet-companion/disk/sqlite';
import { failureOf } from '@wallet-companion/disk/test/failing';
import { temporaryFolder } from '@wallet-companion/disk/test/folder';
import test, { type ExecutionContext } from 'ava';
import type { NoteStoreChange } from '../../../src/actors/wallet/ports/noteDatabase.ts';
import { dependentSubset } from './support/linearAlgebra.ts';
import { block, kept, loaded, MASTER_KEY, note, noteDatabases, state } from './support/noteDatabase.ts';

const range = <T>(count: number, make: (i: number) => T): T[] =>
  Array.from({ length: count }, (_, i) => make(i));

/** More than a tag has bits, so that some of their differences must cancel out. */
const NOTES = 200;

const OLDER: NoteStoreChange = {
  state: state(400),
  putNotes: range(NOTES, (i) => note(i)),
  putBlocks: range(30, (i) => block(371 + i)),
  sightings: range(60, (i) => kept(i, 300 + (i % 9))),
};
const NEWER: NoteStoreChange = {
  state: state(500),
  putNotes: range(NOTES, (i) => note(i, { spent: { txid: note(3).txid, height: 450, txIndex: 1 } })),
  deleteBlocks: [371],
  deleteBlocksAbove: 390,
  putBlocks: range(30, (i) => block(391 + i, 'another branch')),
  deleteNullifiers: [{ start: 305, end: Number.MAX_SAFE_INTEGER }],
  sightings: range(60, (i) => kept(100 + i, 305 + (i % 9))),
};

/** The newer store in `folder`, and the older one beside. */
function twoCopies(t: ExecutionContext): { folder: string; file: string; older: string } {
  const folder = temporaryFolder(t);
  const file = path.join(folder, 'ledger.db');
  const older = path.join(temporaryFolder(t), 'older.db');
  for (const change of [OLDER, NEWER]) {
    const store = noteDatabases(folder).open(MASTER_KEY);
    store.commit(change);
    store.close();
    if (change === OLDER) fs.copyFileSync(file, older);
  }
  return { folder, file, older };
}

function edited<T>(file: string, older: string, edit: (database: Database) => T): T {
  const database = openDatabase(file);
  try {
    database.exec(`ATTACH '${older}' AS older`);
    return edit(database);
  } finally {
    database.close();
  }
}

const tagOf = (sealed: Uint8Array): Uint8Array => sealed.subarray(sealed.length - 16);

test('rows whose tags cancel out cannot be rolled back together', async (t) => {
  const { folder, file, older } = twoCopies(t);
  const rolledBack = edited(file, older, (database) => {
    const rows = database
      .prepare(
        'SELECT now.name, now.sealed, older.sealed AS before FROM notes AS now JOIN older.notes AS older USING(name)',
      )
      .all();
    const differences = rows.map((row) => {
      const [now, before] = [tagOf(bytesColumn(row, 'sealed')), tagOf(bytesColumn(row, 'before'))];
      return now.map((byte, i) => byte ^ before[i]!);
    });
    const chosen = dependentSubset(differences);
    const put = database.prepare('UPDATE notes SET sealed = ? WHERE name = ?');
    for (const i of chosen) put.run(bytesColumn(rows[i]!, 'before'), bytesColumn(rows[i]!, 'name'));
    return chosen.length;
  });
  t.true(rolledBack > 30, `${rolledBack} rows`);
  const store = noteDatabases(folder).open(MASTER_KEY);
  await failureOf(t, 'WALLET_CORRUPT', () =>
    t.log(loaded(store).notes.filter(({ spent }) => spent === null).length),
  );
  store.close();
});

test('a row of an older copy, one too many and one too few are noticed in every table', async (t) => {
  const edits = {
    'a note': 'UPDATE notes SET sealed = (SELECT sealed FROM older.notes AS o WHERE o.name = notes.name)',
    'the blocks': 'DELETE FROM blocks; INSERT INTO blocks SELECT * FROM older.blocks',
    'a block of the branch that was left':
      'INSERT OR REPLACE INTO blocks SELECT * FROM older.blocks WHERE height = 391',
    'a block too few': 'DELETE FROM blocks WHERE height = 400',
    'a block too many': 'INSERT INTO blocks SELECT * FROM older.blocks WHERE height = 371',
    'what the nullifiers add up to':
      'DELETE FROM kept_sums; INSERT INTO kept_sums SELECT * FROM older.kept_sums',
    'nothing of that': 'DELETE FROM kept_sums',
  };
  for (const [what, sql] of Object.entries(edits)) {
    const { folder, file, older } = twoCopies(t);
    edited(file, older, (database) => database.exec(sql));
    const store = noteDatabases(folder).open(MASTER_KEY);
    await failureOf(t, 'WALLET_CORRUPT', () => t.log(what, loaded(store).notes.length));
    store.close();
  }
});

const found = (folder: string, wanted: readonly number[]): unknown => {
  const store = noteDatabases(folder).open(MASTER_KEY);
  try {
    loaded(store);
    return store.findSightings(wanted.map((i) => kept(i, 0)));
  } finally {
    store.close();
  }
};

test('a kept nullifier that vanished, came back or says another thing is noticed when it is asked for', async (t) => {
  const intact = twoCopies(t);
  // 0 was kept at 300, below the fork; 5 at 305 was undone; 100 came with the new branch; 999 was never there.
  t.deepEqual(found(intact.folder, [0, 5, 100, 999]), [kept(0, 300), undefined, kept(100, 305), undefined]);

  const hex = (i: number): string => `x'${Buffer.from(kept(i, 0).nullifier).toString('hex')}'`;
  const seen = (i: number): string => `(SELECT seen_in FROM kept_nullifiers WHERE nullifier = ${hex(i)})`;
  const edits: Readonly<Record<string, [number, string]>> = {
    vanished: [100, `DELETE FROM kept_nullifiers WHERE nullifier = ${hex(100)}`],
    'another pool': [100, `UPDATE kept_nullifiers SET pool = (pool + 1) % 3 WHERE nullifier = ${hex(100)}`],
    'another transaction': [
      100,
      `UPDATE kept_nullifiers SET seen_in = ${seen(0)} WHERE nullifier = ${hex(100)}`,
    ],
    'no transaction': [100, `UPDATE kept_nullifiers SET seen_in = 9999 WHERE nullifier = ${hex(100)}`],
    'a transaction that is gone': [100, `DELETE FROM kept_transactions WHERE id = ${seen(100)}`],
    'another height': [100, `UPDATE kept_transactions SET height = height + 1 WHERE id = ${seen(100)}`],
    'another time': [100, `UPDATE kept_transactions SET time = time + 1 WHERE id = ${seen(100)}`],
    'another txid': [100, `UPDATE kept_transactions SET txid = randomblob(32) WHERE id = ${seen(100)}`],
    'another proof': [100, `UPDATE kept_transactions SET proof = zeroblob(16) WHERE id = ${seen(100)}`],
    'one that was undone': [
      5,
      `INSERT OR REPLACE INTO kept_transactions
         SELECT t.* FROM older.kept_transactions AS t JOIN older.kept_nullifiers ON seen_in = id WHERE nullifier = ${hex(5)};
       INSERT INTO kept_nullifiers SELECT * FROM older.kept_nullifiers WHERE nullifier = ${hex(5)}`,
    ],
    everything: [100, 'DELETE FROM kept_nullifiers; DELETE FROM kept_transactions'],
  };
  for (const [what, [wanted, sql]] of Object.entries(edits)) {
    const { folder, file, older } = twoCopies(t);
    edited(file, older, (database) => database.exec(sql));
    await failureOf(t, 'WALLET_CORRUPT', () => t.log(what, found(folder, [wanted])));
    // What lies elsewhere in the map is found as before.
    if (what !== 'everything') t.notThrows(() => found(folder, [999]), what);
  }
});

test('a gap that closes, or a branch that is undone, takes nothing along that was tampered with', async (t) => {
  const edits = [
    // As if everything else had been below, or the rest had been above.
    ['UPDATE kept_transactions SET height = 301', { deleteNullifiers: [{ start: 0, end: 303 }] }],
    [
      'UPDATE kept_transactions SET height = 309',
      { deleteNullifiers: [{ start: 309, end: Number.MAX_SAFE_INTEGER }] },
    ],
    ['DELETE FROM kept_transactions WHERE height > 303', { deleteNullifiers: [{ start: 0, end: 303 }] }],
    [
      'DELETE FROM kept_transactions WHERE height <= 308',
      { deleteNullifiers: [{ start: 309, end: Number.MAX_SAFE_INTEGER }] },
    ],
  ] as const;
  for (const [sql, change] of edits) {
    const { folder, file, older } = twoCopies(t);
    edited(file, older, (database) => database.exec(sql));
    await failureOf(t, 'WALLET_CORRUPT', () => {
      const store = noteDatabases(folder).open(MASTER_KEY);
      try {
        store.commit({ state: state(500), ...change });
        for (let i = 0; i < 160; i++) store.findSightings([kept(i, 0)]);
      } finally {
        store.close();
      }
    });
  }
});

test('transactions that were undone may lie there again: no nullifier was seen in them', (t) => {
  const { folder, file, older } = twoCopies(t);
  edited(file, older, (database) =>
    database.exec('INSERT OR IGNORE INTO kept_transactions SELECT * FROM older.kept_transactions'),
  );
  const store = noteDatabases(folder).open(MASTER_KEY);
  store.commit({ state: state(500), deleteNullifiers: [{ start: 309, end: Number.MAX_SAFE_INTEGER }] });
  t.deepEqual(store.findSightings([0, 5, 100, 101, 108].map((i) => kept(i, 0))), [
    kept(0, 300),
    undefined,
    kept(100, 305),
    kept(101, 306),
    undefined,
  ]);
  store.close();
});

test('numbers of transactions are given once: a row of the time before everything was forgotten proves nothing', async (t) => {
  const { folder, file, older } = twoCopies(t);
  const store = noteDatabases(folder).open(MASTER_KEY);
  store.commit({ state: state(1), clear: true });
  store.commit({ ...OLDER, sightings: [kept(0, 900), kept(1, 901)] });
  store.close();
  edited(file, older, (database) =>
    database.exec(`UPDATE kept_transactions SET (height, tx_index, txid, time, proof) =
      (SELECT height, tx_index, txid, time, proof FROM older.kept_transactions LIMIT 1)`),
  );
  await failureOf(t, 'WALLET_CORRUPT', () => found(folder, [0]));
});
