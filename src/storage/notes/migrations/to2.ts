// Version 1 added up the visible tags of its rows, so that rows of an older copy could be chosen such that nothing
// showed, and nothing vouched for the blocks as a whole, or for the nullifiers that are kept above a gap. In version 2
// all of them add up under keys. What version 1 can tell of damage is looked at first: it would be vouched for afterwards.

import { blake2b } from '@noble/hashes/blake2.js';
import { bytesToHex, concatBytes, equalBytes } from '@wallet-companion/shielded/bytes';
import { mixInto, RowPrf } from '../../sealing/rowPrf.ts';
import { deriveSubkey, seal, unseal } from '../../sealing/sealing.ts';
import { bytesColumn, ColumnError, type Database, integerColumn, type Row } from '../../sqlite/sqlite.ts';
import type { NoteStoreKeys, NoteStoreStep } from './step.ts';

export const TO_2: NoteStoreStep = {
  from: 1,
  to: 2,
  migrate: (database, keys) => {
    const tallies = {
      notes: recordTally(database, keys, 'notes'),
      sent_outputs: recordTally(database, keys, 'sent_outputs'),
      transactions: recordTally(database, keys, 'transactions'),
      blocks: blockTally(database, keys),
      kept_tallies: rebuildKept(database, keys),
    };
    const sealed = sealedState(database, keys);
    if (sealed === undefined) {
      const rows = Object.values(tallies).reduce((sum, { count }) => sum + count, 0);
      if (rows > 0) throw new ColumnError('rows without a state');
      return;
    }
    for (const table of ['notes', 'sent_outputs', 'transactions'] as const) {
      const was = sealed.state.tallies[table];
      const { count, tags } = tallies[table];
      if (was?.count !== count || was.tags !== bytesToHex(tags)) {
        throw new ColumnError('the rows are not those that were written');
      }
    }
    sealed.write({
      state: sealed.state.state,
      tallies: Object.fromEntries(
        Object.entries(tallies).map(([table, { count, sum }]) => [table, { count, sum: bytesToHex(sum) }]),
      ),
    });
  },
};

const BLOCK = 16;
const ROWS_AT_ONCE = 1_000;
const tallyPrf = ({ masterKey }: NoteStoreKeys, table: string): RowPrf =>
  new RowPrf(deriveSubkey(masterKey, `ledger/tally/2/${table}`), 2 * BLOCK);

interface NewTally {
  readonly count: number;
  readonly sum: Uint8Array;
}

function add(sum: Uint8Array, values: Uint8Array): void {
  for (let offset = 0; offset < values.length; offset += BLOCK) mixInto(sum, 0, values, offset);
}

/** Rows from a query that takes the last of what it is ordered by, and gives it as `at`. */
function* inPieces(database: Database, sql: string): IterableIterator<Row[]> {
  const statement = database.prepare(sql);
  for (let last = -1; ; ) {
    const rows = statement.all(last);
    if (rows.length === 0) return;
    last = integerColumn(rows.at(-1)!, 'at');
    yield rows;
  }
}

function sized(bytes: Uint8Array, size: number): Uint8Array {
  if (bytes.length !== size) throw new ColumnError('a value is not of its size');
  return bytes;
}

function recordTally(
  database: Database,
  keys: NoteStoreKeys,
  table: string,
): NewTally & { tags: Uint8Array } {
  const prf = tallyPrf(keys, table);
  const sum = new Uint8Array(BLOCK);
  const tags = new Uint8Array(BLOCK);
  let count = 0;
  const sql = `SELECT rowid AS at, name, substr(sealed, -${BLOCK}) AS tag FROM ${table}
    WHERE rowid > ? ORDER BY rowid LIMIT ${ROWS_AT_ONCE}`;
  for (const rows of inPieces(database, sql)) {
    count += rows.length;
    const pairs = rows.map((row) => {
      const tag = sized(bytesColumn(row, 'tag'), BLOCK);
      mixInto(tags, 0, tag, 0);
      return concatBytes(sized(bytesColumn(row, 'name'), BLOCK), tag);
    });
    add(sum, prf.of(concatBytes(...pairs)));
  }
  prf.wipe();
  return { count, sum, tags };
}

function blockTally(database: Database, keys: NoteStoreKeys): NewTally {
  const prf = tallyPrf(keys, 'blocks');
  const proofKey = deriveSubkey(keys.masterKey, 'ledger/blocks/1');
  const sum = new Uint8Array(BLOCK);
  let count = 0;
  const sql = `SELECT height AS at, * FROM blocks WHERE height > ? ORDER BY height LIMIT ${ROWS_AT_ONCE}`;
  for (const rows of inPieces(database, sql)) {
    count += rows.length;
    const pairs = rows.map((row) => {
      const numbers = ['height', 'time', 'sapling_tree_size', 'orchard_tree_size', 'ironwood_tree_size']
        .map((column) => integerColumn(row, column))
        .join();
      const said = concatBytes(
        bytesColumn(row, 'hash'),
        bytesColumn(row, 'prev_hash'),
        new TextEncoder().encode(numbers),
      );
      const proof = blake2b(said, { key: proofKey, dkLen: BLOCK });
      if (!equalBytes(bytesColumn(row, 'proof'), proof)) throw new ColumnError('a block row does not prove');
      const name = new Uint8Array(BLOCK);
      new DataView(name.buffer).setFloat64(0, integerColumn(row, 'height'));
      return concatBytes(name, proof);
    });
    add(sum, prf.of(concatBytes(...pairs)));
  }
  prf.wipe();
  proofKey.fill(0);
  return { count, sum };
}

/** Makes the tables of the nullifier map anew, and says what its sealed row adds up to. */
function rebuildKept(database: Database, keys: NoteStoreKeys): NewTally {
  const transactionPrf = new RowPrf(deriveSubkey(keys.masterKey, 'ledger/kept-transactions/2'), 5 * BLOCK);
  const nullifierPrf = new RowPrf(deriveSubkey(keys.masterKey, 'ledger/kept-nullifiers/2'), 3 * BLOCK);
  try {
    const salt = keys.randomBytes(BLOCK);
    const heights = rebuildTransactions(database, transactionPrf, salt);
    database.exec('CREATE TABLE kept_tallies(name BLOB PRIMARY KEY, sealed BLOB NOT NULL)');
    if (heights === undefined) return { count: 0, sum: new Uint8Array(BLOCK) };
    const tallies = nullifierTallies(database, nullifierPrf, salt, heights);
    const { name, sealed } = sealRow(keys, 'kept_tallies', 'tallies', tallies);
    database.prepare('INSERT INTO kept_tallies(name, sealed) VALUES (?, ?)').run(name, sealed);
    const prf = tallyPrf(keys, 'kept_tallies');
    const sum = prf.of(concatBytes(name, sealed.subarray(sealed.length - BLOCK)));
    prf.wipe();
    return { count: 1, sum };
  } finally {
    transactionPrf.wipe();
    nullifierPrf.wipe();
  }
}

interface Heights {
  readonly lowest: number;
  readonly highest: number;
  readonly lastNumber: number;
}

function rebuildTransactions(database: Database, prf: RowPrf, salt: Uint8Array): Heights | undefined {
  // Stores made before times were thought of have none.
  database.exec(`
    CREATE TABLE IF NOT EXISTS kept_times(height INTEGER PRIMARY KEY, time INTEGER NOT NULL);
    ALTER TABLE kept_transactions RENAME TO earlier_transactions;
    CREATE TABLE kept_transactions(
      id INTEGER PRIMARY KEY,
      height INTEGER NOT NULL,
      tx_index INTEGER NOT NULL,
      txid BLOB NOT NULL,
      time INTEGER NOT NULL,
      proof BLOB NOT NULL
    )`);
  const put = database.prepare('INSERT INTO kept_transactions VALUES (?, ?, ?, ?, ?, ?)');
  let lowest = Number.POSITIVE_INFINITY;
  let highest = Number.NEGATIVE_INFINITY;
  let lastNumber = 0;
  const sql = `SELECT id AS at, e.height AS height, tx_index, txid, coalesce(t.time, 0) AS time
    FROM earlier_transactions AS e LEFT JOIN kept_times AS t ON t.height = e.height
    WHERE id > ? ORDER BY id LIMIT ${ROWS_AT_ONCE}`;
  for (const rows of inPieces(database, sql)) {
    const bytes = new Uint8Array(5 * BLOCK * rows.length);
    const view = new DataView(bytes.buffer);
    const column = (row: Row, name: string): number => integerColumn(row, name);
    rows.forEach((row, i) => {
      const start = 5 * BLOCK * i;
      bytes.set(salt, start);
      view.setFloat64(start + 16, column(row, 'height'));
      view.setFloat64(start + 24, column(row, 'tx_index'));
      bytes.set(sized(bytesColumn(row, 'txid'), 32), start + 32);
      view.setFloat64(start + 64, column(row, 'time'));
      view.setFloat64(start + 72, column(row, 'at'));
      lastNumber = column(row, 'at');
    });
    const proofs = prf.of(bytes);
    rows.forEach((row, i) => {
      const proof = proofs.subarray(BLOCK * i, BLOCK * (i + 1));
      lowest = Math.min(lowest, column(row, 'height'));
      highest = Math.max(highest, column(row, 'height'));
      put.run(
        column(row, 'at'),
        column(row, 'height'),
        column(row, 'tx_index'),
        bytesColumn(row, 'txid'),
        column(row, 'time'),
        proof,
      );
    });
  }
  database.exec(`
    DROP TABLE earlier_transactions;
    DROP TABLE kept_times;
    CREATE INDEX kept_transactions_place ON kept_transactions(height, tx_index)`);
  return Number.isFinite(lowest) ? { lowest, highest, lastNumber } : undefined;
}

const PARTS = 1_024;

/** lowest height 8 | highest height 8 | next number 8 | zeros 8 | salt 16 | count 4 of each part | sum 16 of each part */
function nullifierTallies(
  database: Database,
  prf: RowPrf,
  salt: Uint8Array,
  { lowest, highest, lastNumber }: Heights,
): Uint8Array {
  const counts = 3 * BLOCK;
  const sums = counts + 4 * PARTS;
  const bytes = new Uint8Array(sums + BLOCK * PARTS);
  const view = new DataView(bytes.buffer);
  view.setFloat64(0, lowest);
  view.setFloat64(8, highest);
  view.setFloat64(16, lastNumber + 1);
  bytes.set(salt, 32);
  const seen = database.prepare(`SELECT nullifier, pool, id
    FROM kept_nullifiers CROSS JOIN kept_transactions ON id = seen_in WHERE nullifier >= ? AND nullifier < ?`);
  const startOf = (part: number): Uint8Array =>
    part < PARTS ? Uint8Array.of(part >> 2, (part & 3) << 6) : new Uint8Array(33).fill(0xff);
  let count = 0;
  for (let part = 0; part < PARTS; part++) {
    const rows = seen.all(startOf(part), startOf(part + 1));
    count += rows.length;
    view.setInt32(counts + 4 * part, rows.length);
    const said = rows.map((row) => {
      const place = new Uint8Array(BLOCK);
      const placeView = new DataView(place.buffer);
      placeView.setFloat64(0, integerColumn(row, 'id'));
      placeView.setFloat64(8, integerColumn(row, 'pool'));
      return concatBytes(sized(bytesColumn(row, 'nullifier'), 32), place);
    });
    const values = prf.of(concatBytes(...said));
    for (let i = 0; i < rows.length; i++) {
      mixInto(bytes, sums + BLOCK * part, values, BLOCK * i);
    }
  }
  const all = database.prepare('SELECT count(*) AS count FROM kept_nullifiers').get() ?? {};
  if (integerColumn(all, 'count') !== count) throw new ColumnError('a nullifier was seen in no transaction');
  return bytes;
}

interface State1 {
  readonly state: unknown;
  readonly tallies: Readonly<Record<string, { readonly count: number; readonly tags: string }>>;
}

const PADDING_BLOCK = 256;

function sealRow(keys: NoteStoreKeys, table: string, key: string, plain: Uint8Array) {
  const label = new TextEncoder().encode(`${table}:`);
  const naming = deriveSubkey(keys.masterKey, 'ledger/name/1');
  const sealing = deriveSubkey(keys.masterKey, 'ledger/seal/1');
  const name = blake2b(concatBytes(label, new TextEncoder().encode(key)), { key: naming, dkLen: BLOCK });
  const sealed = seal(sealing, plain, concatBytes(label, name), keys.randomBytes);
  naming.fill(0);
  sealing.fill(0);
  return { name, sealed };
}

function sealedState(
  database: Database,
  keys: NoteStoreKeys,
): { readonly state: State1; write(state: object): void } | undefined {
  const row = database.prepare('SELECT name, sealed FROM state').get();
  if (row === undefined) return undefined;
  const sealing = deriveSubkey(keys.masterKey, 'ledger/seal/1');
  const context = concatBytes(new TextEncoder().encode('state:'), bytesColumn(row, 'name'));
  const plain = unseal(sealing, bytesColumn(row, 'sealed'), context);
  sealing.fill(0);
  if (plain === undefined) throw new ColumnError('the state does not open');
  return {
    state: JSON.parse(new TextDecoder().decode(plain)),
    write: (state) => {
      const json = new TextEncoder().encode(JSON.stringify(state));
      const padded = new Uint8Array(Math.ceil(json.length / PADDING_BLOCK) * PADDING_BLOCK).fill(0x20);
      padded.set(json);
      const { name, sealed } = sealRow(keys, 'state', 'state', padded);
      database.prepare('UPDATE state SET sealed = ? WHERE name = ?').run(sealed, name);
    },
  };
}
