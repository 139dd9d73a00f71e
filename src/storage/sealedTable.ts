// One table of sealed records. A row is named by a keyed hash of its logical key and sealed with table and name as
// context, so a row tells nothing, cannot be moved, and cannot be read under another key. A tally over all rows (their
// number and the XOR of their tags) is kept by the caller under its own seal: rows that vanish, come back or are
// exchanged for older ones are noticed, by accident or by intent.

import { blake2b } from '@noble/hashes/blake2.js';
import { concatBytes, equalBytes } from '../shielded/bytes.ts';
import { type RandomBytes, seal, unseal } from './sealing.ts';
import {
  bytesColumn,
  ColumnError,
  type Database,
  integerColumn,
  type Row,
  type Statement,
} from './sqlite.ts';
import { TAG_SIZE } from './xchacha.ts';

const NAME_SIZE = 16;
/** Under 1 MB of sealed rows, some 5 ms to open them. */
export const ROWS_AT_ONCE = 500;

export interface SealedTableKeys {
  readonly sealing: Uint8Array;
  readonly naming: Uint8Array;
}

/** What a table must add up to. */
export class Tally {
  count = 0;
  readonly tags = new Uint8Array(TAG_SIZE);

  add(sealed: Uint8Array): void {
    this.count++;
    this.#mix(sealed);
  }

  remove(sealed: Uint8Array): void {
    this.count--;
    this.#mix(sealed);
  }

  reset(): void {
    this.count = 0;
    this.tags.fill(0);
  }

  copyFrom(other: Tally): void {
    this.count = other.count;
    this.tags.set(other.tags);
  }

  equals(other: Tally): boolean {
    return this.count === other.count && equalBytes(this.tags, other.tags);
  }

  #mix(sealed: Uint8Array): void {
    const start = sealed.length - TAG_SIZE;
    for (let i = 0; i < TAG_SIZE; i++) this.tags[i]! ^= sealed[start + i] ?? 0;
  }
}

export const sealedTableSchema = (table: string): string =>
  `CREATE TABLE ${table}(name BLOB PRIMARY KEY, sealed BLOB NOT NULL)`;

export class SealedTable {
  readonly tally = new Tally();
  readonly #table: Uint8Array;
  readonly #keys: SealedTableKeys;
  readonly #randomBytes: RandomBytes;
  readonly #find: Statement;
  readonly #put: Statement;
  readonly #delete: Statement;
  readonly #next: Statement;
  readonly #clear: Statement;

  constructor(database: Database, table: string, keys: SealedTableKeys, randomBytes: RandomBytes) {
    this.#table = new TextEncoder().encode(`${table}:`);
    this.#keys = keys;
    this.#randomBytes = randomBytes;
    this.#find = database.prepare(`SELECT sealed FROM ${table} WHERE name = ?`);
    this.#put = database.prepare(`INSERT OR REPLACE INTO ${table}(name, sealed) VALUES (?, ?)`);
    this.#delete = database.prepare(`DELETE FROM ${table} WHERE name = ?`);
    this.#next = database.prepare(
      `SELECT count(*) AS count, max(rowid) AS last, group_concat(length(sealed)) AS lengths,
         CAST(group_concat(name || sealed, '') AS BLOB) AS bytes
       FROM (SELECT rowid, name, sealed FROM ${table} WHERE rowid > ? ORDER BY rowid LIMIT ${ROWS_AT_ONCE})`,
    );
    this.#clear = database.prepare(`DELETE FROM ${table}`);
  }

  put(key: string, plain: Uint8Array): void {
    const name = this.#name(key);
    this.#forget(name);
    const sealed = seal(this.#keys.sealing, plain, this.#context(name), this.#randomBytes);
    this.#put.run(name, sealed);
    this.tally.add(sealed);
  }

  delete(key: string): void {
    const name = this.#name(key);
    if (this.#forget(name)) this.#delete.run(name);
  }

  clear(): void {
    this.#clear.run();
    this.tally.reset();
  }

  /**
   * Every record, opened; undefined for one that does not open. Adds up the rows in `tally`. They are asked for by number,
   * and a damaged tree may answer in circles, so numbers that do not rise end it.
   */
  *records(tally: Tally): IterableIterator<(Uint8Array | undefined)[]> {
    let last = -1;
    for (;;) {
      const answer = this.#next.get(last) ?? {};
      const count = integerColumn(answer, 'count');
      if (count === 0) return;
      const highest = integerColumn(answer, 'last');
      if (highest <= last) throw new ColumnError('rows are out of order');
      last = highest;
      yield rowsOf(answer, count).map(({ name, sealed }) => {
        tally.add(sealed);
        return unseal(this.#keys.sealing, sealed, this.#context(name));
      });
    }
  }

  /** Takes the row's tag out of the tally. */
  #forget(name: Uint8Array): boolean {
    const row = this.#find.get(name);
    if (row === undefined) return false;
    this.tally.remove(bytesColumn(row, 'sealed'));
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

/** Rows come as one blob: SQLite hands over a value in a microsecond and more, and there are hundreds of thousands. */
function rowsOf(answer: Row, count: number): { name: Uint8Array; sealed: Uint8Array }[] {
  const bytes = bytesColumn(answer, 'bytes');
  const lengths = String(answer['lengths']).split(',').map(Number);
  let offset = 0;
  const rows = lengths.map((length) => {
    const start = offset + NAME_SIZE;
    offset = start + length;
    return { name: bytes.subarray(start - NAME_SIZE, start), sealed: bytes.subarray(start, offset) };
  });
  if (rows.length !== count || offset !== bytes.length) throw new ColumnError('a row is not of its size');
  return rows;
}
