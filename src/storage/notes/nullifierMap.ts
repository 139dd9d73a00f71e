// Nullifiers of the chain seen above a gap, in clear: they are public, and may be millions. Each row holds the
// nullifier and a number for the transaction it was seen in. One that is missing would hide a spend, so what they add up
// to is sealed, in parts; a part is read and added up when one of its nullifiers is first asked for.

import { equalBytes } from '@wallet-companion/base/bytes';
import { type SealedTable, sealedTableSchema } from '@wallet-companion/disk/rows';
import type { RandomBytes } from '@wallet-companion/disk/sealing';
import { mixInto, PRF_BLOCK } from '@wallet-companion/disk/sealing';
import {
  bytesColumn,
  ColumnError,
  type Database,
  type Row,
  type Statement,
} from '@wallet-companion/disk/sqlite';
import { copyOf } from '@wallet-companion/zcash/identifiers';
import { POOL } from '@wallet-companion/zcash/pools';
import type { HeightRange, NullifierSighting } from '../../actors/wallet/ports/noteDatabase.ts';
import {
  HASH_SIZE,
  type KeptNullifier,
  type KeptProofs,
  type KeptTransaction,
  nullifierIn,
  nullifiersIn,
  transactionIn,
} from './keptProofs.ts';
import { KEPT_PARTS, KeptSums, partOf, startOfPart } from './keptSums.ts';

export const KEPT_SUMS_TABLE = 'kept_sums';

export const NULLIFIER_MAP_SCHEMA = `
  CREATE TABLE kept_transactions(
    id INTEGER PRIMARY KEY,
    height INTEGER NOT NULL,
    tx_index INTEGER NOT NULL,
    txid BLOB NOT NULL,
    time INTEGER NOT NULL,
    proof BLOB NOT NULL
  );
  CREATE INDEX kept_transactions_place ON kept_transactions(height, tx_index);
  CREATE TABLE kept_nullifiers(
    nullifier BLOB NOT NULL,
    pool INTEGER NOT NULL,
    seen_in INTEGER NOT NULL,
    PRIMARY KEY(nullifier, pool)
  ) WITHOUT ROWID;
  ${sealedTableSchema(KEPT_SUMS_TABLE)};
`;

const TRANSACTIONS_AT_ONCE = 1_000;

/** The deleted rows are in memory for a moment, so only this many parts are deleted at once. */
const PARTS_AT_ONCE = 64;

/** Statements for the heights from one to another. */
interface Between {
  readonly transactions: Statement;
  readonly deleteNullifiers: Statement;
  readonly deleteTransactions: Statement;
}

const prepareBetween = (database: Database): Between => ({
  transactions: database.prepare(
    `SELECT id, height, tx_index, txid, time, proof FROM kept_transactions
     WHERE height BETWEEN ? AND ? AND id > ? ORDER BY id LIMIT ${TRANSACTIONS_AT_ONCE}`,
  ),
  deleteNullifiers: database.prepare(
    `DELETE FROM kept_nullifiers WHERE nullifier >= ? AND nullifier < ?
       AND seen_in IN (SELECT id FROM kept_transactions WHERE height BETWEEN ? AND ?)
     RETURNING nullifier, pool, seen_in`,
  ),
  deleteTransactions: database.prepare('DELETE FROM kept_transactions WHERE height BETWEEN ? AND ?'),
});

export class NullifierMap {
  readonly #database: Database;
  readonly #proofs: KeptProofs;
  /** The sealed sums; the caller keeps this table's row sum. */
  readonly table: SealedTable;
  readonly #rowSums: KeptSums;
  #isRead = false;
  /** Parts that were added up since the store was opened; our own changes keep them proven. */
  readonly #isProven = new Uint8Array(KEPT_PARTS);
  readonly #findTransaction: Statement;
  readonly #putTransaction: Statement;
  readonly #putNullifier: Statement;
  readonly #replaceNullifier: Statement;
  readonly #find: Statement;
  readonly #transactionOf: Statement;
  readonly #part: Statement;
  readonly #between: Between;

  constructor(database: Database, table: SealedTable, proofs: KeptProofs, randomBytes: RandomBytes) {
    this.#rowSums = new KeptSums(randomBytes);
    this.#database = database;
    this.#proofs = proofs;
    this.table = table;
    const columns = 'id, height, tx_index, txid, time, proof';
    this.#findTransaction = database.prepare(
      `SELECT ${columns} FROM kept_transactions WHERE height = ? AND tx_index = ? AND txid = ? AND time = ?`,
    );
    this.#transactionOf = database.prepare(`SELECT ${columns} FROM kept_transactions WHERE id = ?`);
    this.#putTransaction = database.prepare(
      `INSERT INTO kept_transactions(${columns}) VALUES (?, ?, ?, ?, ?, ?)`,
    );
    this.#putNullifier = database.prepare(
      'INSERT INTO kept_nullifiers(nullifier, pool, seen_in) VALUES (?, ?, ?) ON CONFLICT DO NOTHING',
    );
    this.#replaceNullifier = database.prepare(
      'UPDATE kept_nullifiers SET seen_in = ? WHERE nullifier = ? AND pool = ?',
    );
    this.#find = database.prepare(
      'SELECT nullifier, pool, seen_in FROM kept_nullifiers WHERE nullifier = ? AND pool = ?',
    );
    // Few large values, because SQLite takes more than a microsecond to hand over each.
    this.#part = database.prepare(
      `SELECT count(*) AS count, group_concat(pool) AS pools, group_concat(seen_in) AS seen_in,
         min(length(nullifier) = ${HASH_SIZE}) AS sized,
         CAST(group_concat(nullifier, '') AS BLOB) AS nullifiers
       FROM (SELECT nullifier, pool, seen_in FROM kept_nullifiers WHERE nullifier >= ? AND nullifier < ?)`,
    );
    this.#between = prepareBetween(database);
  }

  put(seen: readonly NullifierSighting[]): void {
    if (seen.length === 0) return;
    this.read();
    const numbers = this.#putTransactions(seen);
    const kept = seen.map(
      ({ pool, nullifier, height, txIndex }): KeptNullifier => ({
        nullifier,
        pool: POOL[pool].storedNumber,
        seenIn: numbers.get(`${height}:${txIndex}`)!,
      }),
    );
    const replaced: KeptNullifier[] = [];
    for (const { nullifier, pool, seenIn } of kept) {
      if (Number(this.#putNullifier.run(nullifier, pool, seenIn).changes) > 0) continue;
      replaced.push(nullifierIn(this.#find.get(nullifier, pool) ?? {}));
      this.#replaceNullifier.run(seenIn, nullifier, pool);
    }
    this.#mix(-1, replaced);
    this.#mix(1, kept);
  }

  find({ pool, nullifier }: Pick<NullifierSighting, 'pool' | 'nullifier'>): NullifierSighting | undefined {
    this.#prove(partOf(nullifier));
    const row = this.#find.get(nullifier, POOL[pool].storedNumber);
    if (row === undefined) return undefined;
    const [seenIn] = this.#proven([this.#transactionOf.get(nullifierIn(row).seenIn) ?? {}]);
    const { height, txIndex, txid, time } = seenIn!;
    return { pool, nullifier: copyOf(nullifier), height, time, txIndex, txid };
  }

  delete({ start, end }: HeightRange): void {
    this.read();
    const { lowest, highest } = this.#rowSums;
    if (end < lowest || start > highest) return;
    if (start <= lowest && end >= highest) {
      this.clear();
    } else {
      this.#delete({ start, end });
      this.#rowSums.setHeights(start <= lowest ? end + 1 : lowest, end >= highest ? start - 1 : highest);
    }
  }

  clear(): void {
    this.read();
    this.#database.exec('DELETE FROM kept_nullifiers; DELETE FROM kept_transactions');
    this.#rowSums.clear();
  }

  /** Copies all that another map holds, proven, into this one, which is empty. Transactions keep their numbers. */
  *takeAll(from: NullifierMap): IterableIterator<void> {
    from.read();
    this.read();
    const { lowest, highest, nextNumber } = from.#rowSums;
    this.#rowSums.setHeights(lowest, highest);
    this.#rowSums.setNextNumber(nextNumber);
    for (const rows of from.#transactions({ start: 0, end: Number.MAX_SAFE_INTEGER })) {
      this.#insert(rows);
      yield;
    }
    for (let part = 0; part < KEPT_PARTS; part++) {
      const kept = from.#provenPart(part);
      for (const { nullifier, pool, seenIn } of kept) this.#putNullifier.run(nullifier, pool, seenIn);
      this.#mix(1, kept);
      yield;
    }
  }

  /** Seals the changes; runs in the transaction that makes them. */
  seal(): void {
    this.#rowSums.write(this.table);
  }

  /** Returns the function that undoes the changes in memory when the transaction fails. */
  save(): () => void {
    this.read();
    const undoTable = this.table.save();
    const undo = this.#rowSums.save();
    return () => {
      undoTable();
      undo();
    };
  }

  /** Reads the sealed sums, once. Throws ColumnError unless the table's row sum vouches for them. */
  read(): void {
    if (this.#isRead) return;
    const found = this.table.emptyRowSum();
    for (const { rows } of this.table.tallied()) found.addAll(rows);
    if (!found.equals(this.table.rowSum.value()))
      throw new ColumnError('the row sums are not those written last');
    const [row] = this.table.rowsFrom(0);
    const plain = row === undefined ? undefined : this.table.open(row);
    if (row !== undefined && plain === undefined) throw new ColumnError('the row sums do not open');
    this.#rowSums.read(plain);
    this.#isRead = true;
  }

  /** Numbers by place. Existing transactions are reused, so that scanning again adds nothing. */
  #putTransactions(seen: readonly NullifierSighting[]): Map<string, number> {
    const numbers = new Map<string, number>();
    const added: KeptTransaction[] = [];
    let { lowest, highest } = this.#rowSums;
    for (const { height, txIndex, txid, time } of seen) {
      const place = `${height}:${txIndex}`;
      if (numbers.has(place)) continue;
      lowest = Math.min(lowest, height);
      highest = Math.max(highest, height);
      const row = this.#findTransaction.get(height, txIndex, txid, time);
      const found = row === undefined ? undefined : this.#proven([row])[0];
      const id = found?.id ?? this.#rowSums.takeNumber();
      if (found === undefined) added.push({ id, height, txIndex, txid, time });
      numbers.set(place, id);
    }
    this.#rowSums.setHeights(lowest, highest);
    this.#insert(added);
    return numbers;
  }

  #insert(transactions: readonly KeptTransaction[]): void {
    const proofs = this.#proofs.ofTransactions(this.#rowSums.salt, transactions);
    transactions.forEach(({ id, height, txIndex, txid, time }, i) => {
      this.#putTransaction.run(id, height, txIndex, txid, time, proofs[i]!);
    });
  }

  #mix(by: 1 | -1, nullifiers: readonly KeptNullifier[]): void {
    const values = this.#proofs.ofNullifiers(nullifiers.length, (i) => nullifiers[i]!);
    nullifiers.forEach(({ nullifier }, i) => {
      this.#rowSums.mix(partOf(nullifier), by, values, i * PRF_BLOCK);
    });
  }

  /** Throws ColumnError unless the nullifiers of the part, and their contents, are those that were put. */
  #prove(part: number): void {
    this.read();
    if (this.#isProven[part] !== 1) this.#provenPart(part);
  }

  #provenPart(part: number): KeptNullifier[] {
    const kept = nullifiersIn(this.#part.get(startOfPart(part), startOfPart(part + 1)) ?? {});
    const values = this.#proofs.ofNullifiers(kept.length, (i) => kept[i]!);
    const sum = new Uint8Array(PRF_BLOCK);
    for (let i = 0; i < kept.length; i++) mixInto(sum, 0, values, i * PRF_BLOCK);
    if (kept.length !== this.#rowSums.count(part) || !equalBytes(sum, this.#rowSums.sum(part))) {
      throw new ColumnError('the nullifiers are not those that were written');
    }
    this.#isProven[part] = 1;
    return kept;
  }

  /** Throws ColumnError for a transaction that `put` did not write in this store. */
  #proven(rows: readonly Row[]): KeptTransaction[] {
    const transactions = rows.map(transactionIn);
    const proofs = this.#proofs.ofTransactions(this.#rowSums.salt, transactions);
    rows.forEach((row, i) => {
      if (!equalBytes(bytesColumn(row, 'proof'), proofs[i]!)) {
        throw new ColumnError('a transaction does not prove');
      }
    });
    return transactions;
  }

  /** A thousand at a time, each proven. */
  *#transactions({ start, end }: HeightRange): IterableIterator<KeptTransaction[]> {
    let last = -1;
    for (;;) {
      const rows = this.#between.transactions.all(start, end, last);
      if (rows.length === 0) return;
      const transactions = this.#proven(rows);
      last = transactions.at(-1)!.id;
      yield transactions;
    }
  }

  /** Deletes by height only where the transactions prove: otherwise too much might be deleted. */
  #delete(range: HeightRange): void {
    let found = 0;
    for (const transactions of this.#transactions(range)) found += transactions.length;
    if (found === 0) return;
    for (let part = 0; part < KEPT_PARTS; part += PARTS_AT_ONCE) {
      const [from, to] = [startOfPart(part), startOfPart(part + PARTS_AT_ONCE)];
      const gone = this.#between.deleteNullifiers.all(from, to, range.start, range.end);
      this.#mix(-1, gone.map(nullifierIn));
    }
    this.#between.deleteTransactions.run(range.start, range.end);
  }
}
