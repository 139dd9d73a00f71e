// One table of sealed records. A row is named by a keyed hash of its logical key and sealed with table and name as
// context, so a row reveals nothing, cannot be moved, and cannot be read under another key. A row sum over names and tags of
// all rows is kept by the caller under its own seal: rows that vanish, come back or are exchanged for older ones are
// noticed, by accident or by intent.

import { blake2b } from '@noble/hashes/blake2.js';
import { concatBytes } from '@wallet-companion/base/bytes';
import type { RowPrf } from '../sealing/rowPrf.ts';
import { type RandomBytes, seal, unseal } from '../sealing/sealing.ts';
import { TAG_SIZE } from '../sealing/xchacha.ts';
import {
  bytesColumn,
  ColumnError,
  type Database,
  integerColumn,
  type Row,
  type Statement,
} from '../sqlite/sqlite.ts';
import { RowSum, SUMMED_ROW } from './rowSum.ts';

export const NAME_SIZE = 16;
/** Less than 1 MB of sealed rows, which take about 5 ms to open. */
const ROWS_AT_ONCE = 500;
/** Reading their names and tags takes about 2 ms. */
const SUMMED_AT_ONCE = 2_000;

export interface SealedTableKeys {
  readonly sealing: Uint8Array;
  /** Keys of rows that were written before; the latest last. */
  readonly earlier?: readonly Uint8Array[];
  readonly naming: Uint8Array;
  /** The function for the row sum of this table's rows. */
  readonly rowSum: RowPrf;
}

export interface SealedRow {
  readonly rowid: number;
  readonly name: Uint8Array;
  readonly sealed: Uint8Array;
}

/** Identifies a row as it was written: each write gives another tag. */
export interface WrittenRow {
  readonly rowid: number;
  readonly name: Uint8Array;
  readonly tag: Uint8Array;
}

/** A name or tag as a key: one character for each byte. */
export const latin1 = (bytes: Uint8Array): string =>
  Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length).toString('latin1');

export const tagOf = (sealed: Uint8Array): Uint8Array =>
  sealed.subarray(Math.max(0, sealed.length - TAG_SIZE));

export const sealedTableSchema = (table: string): string =>
  `CREATE TABLE ${table}(name BLOB PRIMARY KEY, sealed BLOB NOT NULL)`;

export class SealedTable {
  readonly rowSum: RowSum;
  readonly #table: Uint8Array;
  readonly #keys: SealedTableKeys;
  readonly #randomBytes: RandomBytes;
  readonly #find: Statement;
  readonly #put: Statement;
  readonly #delete: Statement;
  readonly #tallied: Statement;
  readonly #rows: Statement;
  readonly #clear: Statement;

  constructor(
    database: Database,
    table: string,
    keys: SealedTableKeys,
    randomBytes: RandomBytes,
    /** Set lower where rows are large. */
    rowsAtOnce = ROWS_AT_ONCE,
  ) {
    this.#table = new TextEncoder().encode(`${table}:`);
    this.#keys = keys;
    this.rowSum = new RowSum(keys.rowSum);
    this.#randomBytes = randomBytes;
    this.#find = database.prepare(`SELECT sealed FROM ${table} WHERE name = ?`);
    this.#put = database.prepare(`INSERT OR REPLACE INTO ${table}(name, sealed) VALUES (?, ?)`);
    this.#delete = database.prepare(`DELETE FROM ${table} WHERE name = ?`);
    // One blob for many rows: SQLite takes more than a microsecond per value, and there are hundreds of thousands.
    this.#tallied = database.prepare(
      `SELECT count(*) AS count, group_concat(rowid) AS rowids, min(length(name) = ${NAME_SIZE}) AS named,
         CAST(group_concat(name || substr(sealed, -${TAG_SIZE}), '') AS BLOB) AS bytes
       FROM (SELECT rowid, name, sealed FROM ${table} WHERE rowid > ? ORDER BY rowid LIMIT ${SUMMED_AT_ONCE})`,
    );
    this.#rows = database.prepare(
      `SELECT count(*) AS count, group_concat(rowid) AS rowids, group_concat(length(sealed)) AS lengths,
         CAST(group_concat(name || sealed, '') AS BLOB) AS bytes
       FROM (SELECT rowid, name, sealed FROM ${table} WHERE rowid >= ? ORDER BY rowid LIMIT ${rowsAtOnce})`,
    );
    this.#clear = database.prepare(`DELETE FROM ${table}`);
  }

  put(key: string, plain: Uint8Array): WrittenRow {
    const name = this.#name(key);
    this.#forget(name);
    const sealed = seal(this.#keys.sealing, plain, this.#context(name), this.#randomBytes);
    const { lastInsertRowid } = this.#put.run(name, sealed);
    const tag = tagOf(sealed);
    this.rowSum.add(name, tag);
    return { rowid: Number(lastInsertRowid), name, tag };
  }

  delete(key: string): void {
    const name = this.#name(key);
    if (this.#forget(name)) this.#delete.run(name);
  }

  clear(): void {
    this.#clear.run();
    this.rowSum.reset();
  }

  /** Returns the function that undoes the changes when a transaction fails. */
  save(): () => void {
    return this.rowSum.save();
  }

  /** A row sum for rows that were read, to compare with `row sum`. */
  emptyRowSum(): RowSum {
    return new RowSum(this.#keys.rowSum);
  }

  /** The contents of the row with this key, for the caller to wipe; undefined when there is none or it does not open. */
  read(key: string): Uint8Array | undefined {
    return this.find(this.#name(key));
  }

  /** As `read`, where a row that is lost must not count as none. Throws ColumnError for one that does not open. */
  requireSound(key: string): Uint8Array | undefined {
    const name = this.#name(key);
    const plain = this.find(name);
    if (plain === undefined && this.#find.get(name) !== undefined)
      throw new ColumnError('a row does not open');
    return plain;
  }

  /** The contents of the row of this name, for the caller to wipe; undefined when there is none or it does not open. */
  find(name: Uint8Array): Uint8Array | undefined {
    const row = this.#find.get(name);
    return row === undefined ? undefined : this.open({ name, sealed: bytesColumn(row, 'sealed') });
  }

  /** For the caller to wipe; undefined for a row that does not open. */
  open({ name, sealed }: Pick<SealedRow, 'name' | 'sealed'>): Uint8Array | undefined {
    const { sealing, earlier = [] } = this.#keys;
    const context = this.#context(name);
    let plain = unseal(sealing, sealed, context);
    for (let i = earlier.length; plain === undefined && i > 0; i--)
      plain = unseal(earlier[i - 1]!, sealed, context);
    return plain;
  }

  /**
   * Number, name and tag of every row, many at a time, by number; names and tags one after the other. A damaged tree may
   * answer in circles, so numbers that do not rise end it.
   */
  *tallied(): IterableIterator<{ readonly rowids: readonly number[]; readonly rows: Uint8Array }> {
    let last = -1;
    for (;;) {
      const answer = this.#tallied.get(last) ?? {};
      const rowids = rowidsOf(answer, last);
      if (rowids.length === 0) return;
      last = rowids.at(-1)!;
      const rows = bytesColumn(answer, 'bytes');
      const fits = rows.length === rowids.length * SUMMED_ROW && answer['named'] === 1;
      if (!fits) throw new ColumnError('a row is not of its size');
      yield { rowids, rows };
    }
  }

  /** The row of this number and some of those after it. */
  rowsFrom(first: number): SealedRow[] {
    const answer = this.#rows.get(first) ?? {};
    const rowids = rowidsOf(answer, first - 1);
    if (rowids.length === 0) return [];
    const lengths = numbersIn(answer, 'lengths');
    const bytes = bytesColumn(answer, 'bytes');
    let offset = 0;
    const rows = rowids.map((rowid, i) => {
      const start = offset + NAME_SIZE;
      offset = start + (lengths[i] ?? 0);
      return {
        rowid,
        name: bytes.subarray(start - NAME_SIZE, start),
        sealed: bytes.subarray(start, offset),
      };
    });
    if (lengths.length !== rows.length || offset !== bytes.length) {
      throw new ColumnError('a row is not of its size');
    }
    return rows;
  }

  /** The contents of every row. Throws ColumnError, at the end at the latest, unless they are those that were written. */
  *contents(): IterableIterator<Uint8Array> {
    const found = this.emptyRowSum();
    let first = 0;
    for (let rows = this.rowsFrom(first); rows.length > 0; rows = this.rowsFrom(first)) {
      for (const row of rows) {
        const plain = this.open(row);
        if (plain === undefined) throw new ColumnError('a row does not open');
        yield plain;
      }
      found.addAll(concatBytes(...rows.flatMap(({ name, sealed }) => [name, tagOf(sealed)])));
      first = rows.at(-1)!.rowid + 1;
    }
    if (!found.equals(this.rowSum.value())) throw new ColumnError('the rows are not those that were written');
  }

  /** Takes the row out of the row sum. */
  #forget(name: Uint8Array): boolean {
    const row = this.#find.get(name);
    if (row === undefined) return false;
    this.rowSum.remove(name, tagOf(bytesColumn(row, 'sealed')));
    return true;
  }

  #name(key: string): Uint8Array {
    const input = concatBytes(this.#table, new TextEncoder().encode(key));
    return blake2b(input, { key: this.#keys.naming, dkLen: NAME_SIZE });
  }

  #context(name: Uint8Array): Uint8Array {
    return concatBytes(this.#table, name);
  }
}

/** Ascending, above `last`. */
function rowidsOf(answer: Row, last: number): number[] {
  const count = integerColumn(answer, 'count');
  if (count === 0) return [];
  const rowids = numbersIn(answer, 'rowids');
  const rise = rowids.every((rowid, i) => rowid > (rowids[i - 1] ?? last));
  if (rowids.length !== count || !rise) throw new ColumnError('rows are out of order');
  return rowids;
}

/** The numbers in the result of a `group_concat`. */
export function numbersIn(answer: Row, column: string): number[] {
  const numbers = String(answer[column]).split(',').map(Number);
  if (!numbers.every(Number.isSafeInteger)) throw new ColumnError(`${column} are not integers`);
  return numbers;
}
