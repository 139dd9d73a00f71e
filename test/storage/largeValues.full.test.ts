// Stores in which somebody put a value far larger than any of ours, one of each table and column at a time: damaged, and
// no memory is taken for the value. Engines without such a limit are not held to it (docs/inside/ledger.md).

import { spawnSync } from 'node:child_process';
import fs from 'node:fs';
import { createRequire } from 'node:module';
import path from 'node:path';
import { MAX_VALUE_BYTES, openDatabase, sqliteFault } from '@wallet-companion/disk/sqlite';
import { temporaryFolder } from '@wallet-companion/disk/test/folder';
import test, { type ExecutionContext } from 'ava';
import type { NoteDatabase } from '../../src/actors/wallet/ports/noteDatabase.ts';
import { CompanionError } from '../../src/protocol/errors.ts';
import { createCompactStores } from '../../src/storage/blocks/compactStores.ts';
import { madeUpPayment } from '../helpers/madeUpPayment.ts';
import { chain, everything, place } from './blocks/support/compact.ts';
import * as made from './notes/support/noteDatabase.ts';

const TOO_LARGE = MAX_VALUE_BYTES + 4 * 2 ** 20;
/** What reading a few hundred kilobytes of everything else may take. */
const ROOM_BYTES = 24 * 2 ** 20;

const { DatabaseSync } =
  process.getBuiltinModule?.('node:sqlite') ?? createRequire(import.meta.url)('@photostructure/sqlite');
const limited = 'limits' in new DatabaseSync(':memory:') ? test : test.skip;

/** In a process of its own, whose memory is not measured here. */
function enlarge(file: string, table: string, column: string): void {
  const script = `
    const { DatabaseSync } = process.getBuiltinModule?.('node:sqlite') ?? require('@photostructure/sqlite');
    const database = new DatabaseSync(process.argv[1]);
    database.exec(process.argv[2]);
    database.close();`;
  // In one row, where it is a key.
  const sql = `UPDATE OR IGNORE ${table} SET ${column} = zeroblob(${TOO_LARGE})`;
  const { status, stderr } = spawnSync(process.execPath, ['-e', script, file, sql], { encoding: 'utf8' });
  if (status !== 0) throw new Error(stderr);
}

/** Every column that can hold it, and whether it is a key: not the number of a row. */
function columnsOf(file: string): [string, string, boolean][] {
  const database = openDatabase(file, { readOnly: true });
  const tables = database.prepare("SELECT name FROM sqlite_master WHERE type = 'table'").all();
  const columns = tables.flatMap(({ name }) =>
    database
      .prepare(`SELECT name, pk, type FROM pragma_table_info('${String(name)}')`)
      .all()
      .filter(({ pk, type }) => pk === 0 || type === 'BLOB')
      .map((column): [string, string, boolean] => [String(name), String(column['name']), column['pk'] !== 0]),
  );
  const filled = columns.filter(([table]) => database.prepare(`SELECT 1 FROM ${table}`).get() !== undefined);
  database.close();
  return filled;
}

/** Bytes that the process took at its highest beyond what it had taken before; the code of the failure. */
function costOf(work: () => unknown): { readonly bytes: number; readonly code: string } {
  const before = process.resourceUsage().maxRSS;
  let code = 'none';
  try {
    work();
  } catch (error) {
    if (!(error instanceof CompanionError)) throw error;
    code = error.code;
  }
  return { bytes: (process.resourceUsage().maxRSS - before) * 1024, code };
}

function readNotes(folder: string): void {
  let store: NoteDatabase | undefined;
  try {
    store = made.noteDatabases(folder).open(made.MASTER_KEY);
    made.loaded(store);
    store.readJournal(undefined, 100);
    store.payments();
    store.findSightings([made.kept(1, 120)]);
    store.witnessPart('part');
  } finally {
    store?.close();
  }
}

limited('a large value in any column of the note store is WALLET_CORRUPT, and is not read', (t) => {
  const folder = temporaryFolder(t);
  const store = made.noteDatabases(folder).open(made.MASTER_KEY);
  store.commit({
    state: made.state(130),
    putNotes: [made.note(1)],
    putSentOutputs: [made.sentOutput(1)],
    putTransactions: [made.transaction(1)],
    putBlocks: [made.block(130)],
    journal: [made.journalEntry(1)],
    sightings: [made.kept(1, 120)],
  });
  store.putPayment(madeUpPayment(1), 1);
  store.keepWitnessParts([{ key: 'part', height: 100, value: 'x' }]);
  store.close();
  readNotes(folder);
  held(t, path.join(folder, 'ledger.db'), 'WALLET_CORRUPT', 30, (file) => readNotes(path.dirname(file)));
});

limited('a large value in any column of the compact store is damage, and is not read', (t) => {
  const folder = temporaryFolder(t);
  const stores = createCompactStores();
  const store = stores.open('mine.db', place(folder));
  store.put(chain({ start: 1, end: 3 }));
  const file = store.summary().path;
  stores.close();
  held(t, file, 'STORAGE_FAILED', 6, () => {
    const again = createCompactStores();
    try {
      const opened = again.open('mine.db', place(folder));
      opened.read({ start: 1, end: 3 }, 1e9);
      opened.summary();
      opened.hashAt(3);
      opened.origins(everything);
    } finally {
      again.close();
    }
  });
});

/** Each column in turn, in a copy of the file that takes its place. */
function held(
  t: ExecutionContext,
  file: string,
  code: string,
  least: number,
  read: (file: string) => unknown,
): void {
  const whole = fs.readFileSync(file);
  const columns = columnsOf(file);
  const refused: string[] = [];
  for (const [table, column, isKey] of columns) {
    fs.writeFileSync(file, whole);
    enlarge(file, table, column);
    const cost = costOf(() => read(file));
    // SQLite reads a key whole to compare it, before it looks at the limit; nobody copies it further.
    const most = ROOM_BYTES + (isKey ? TOO_LARGE : 0);
    t.true(cost.bytes < most, `${table}.${column}: ${cost.bytes} bytes`);
    t.true([code, 'none'].includes(cost.code), `${table}.${column}: ${cost.code}`);
    if (cost.code === code) refused.push(`${table}.${column}`);
  }
  t.log(refused.join(' '));
  t.true(refused.length >= least, refused.join(' '));
}

limited('payments may be as large as they get, and many', (t) => {
  const folder = temporaryFolder(t);
  const store = made.noteDatabases(folder).open(made.MASTER_KEY);
  for (let i = 1; i <= 12; i++) store.putPayment(madeUpPayment(i, { pczt: new Uint8Array(3_900_000) }), i);
  t.is(store.payments().length, 12);
  store.close();
});

limited('no query gives a larger value, read or written', (t) => {
  const database = openDatabase(path.join(temporaryFolder(t), 'x.db'));
  const failure = t.throws(() => database.prepare(`SELECT zeroblob(${TOO_LARGE}) AS x`).get());
  t.is(sqliteFault(failure), 'damaged');
  database.close();
});
