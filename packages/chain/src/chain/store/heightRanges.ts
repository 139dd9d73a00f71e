// A set of heights as ranges in a table: ascending, disjoint, not adjacent. Kept beside the rows, so that gaps among
// millions of blocks are known without reading them.

import { type Database, integerColumn, type Row, type Statement } from '@wallet-companion/disk/sqlite';
import type { StoredRange } from '../ports/compactStore.ts';

export const heightRangesSchema = (table: string): string =>
  `CREATE TABLE ${table}(first INTEGER PRIMARY KEY, last INTEGER NOT NULL)`;

const parseRange = (row: Row): StoredRange => ({
  start: integerColumn(row, 'first'),
  end: integerColumn(row, 'last'),
});

export class HeightRanges {
  readonly #all: Statement;
  readonly #touching: Statement;
  readonly #put: Statement;
  readonly #delete: Statement;

  constructor(database: Database, table: string) {
    this.#all = database.prepare(`SELECT first, last FROM ${table} ORDER BY first`);
    this.#touching = database.prepare(`SELECT first, last FROM ${table} WHERE first <= ? AND last >= ?`);
    this.#put = database.prepare(`INSERT INTO ${table}(first, last) VALUES (?, ?)`);
    this.#delete = database.prepare(`DELETE FROM ${table} WHERE first = ?`);
  }

  all(): StoredRange[] {
    return this.#all.all().map(parseRange);
  }

  add({ start, end }: StoredRange): void {
    const joined = this.#take({ start: start - 1, end: end + 1 });
    this.#put.run(Math.min(start, ...joined.map((r) => r.start)), Math.max(end, ...joined.map((r) => r.end)));
  }

  remove({ start, end }: StoredRange): void {
    for (const range of this.#take({ start, end })) {
      if (range.start < start) this.#put.run(range.start, start - 1);
      if (range.end > end) this.#put.run(end + 1, range.end);
    }
  }

  /** Deletes and returns the ranges that share a height with this one. */
  #take({ start, end }: StoredRange): StoredRange[] {
    const ranges = this.#touching.all(end, start).map(parseRange);
    for (const range of ranges) this.#delete.run(range.start);
    return ranges;
  }
}
