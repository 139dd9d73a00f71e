// Reads a whole sealed table in slices: first names and tags of all rows, which must add up to what the state vouches for,
// then the rows in summaries, then the rows in no summary, for which new summaries are made.

import { ColumnError } from '../sqlite/sqlite.ts';
import { type RowSum, type RowSumValue, SUMMED_HALF, SUMMED_ROW } from './rowSum.ts';
import { latin1, type SealedTable, tagOf } from './sealedTable.ts';
import type { Restored, Summaries, Summarised, Summary } from './summaries.ts';

/** A quarter of a full summary is the least worth writing: below that, opening the rows one by one is as cheap. */
const LEAST_PART = 4;

export interface TableLoad<T> {
  readonly name: string;
  readonly table: SealedTable;
  readonly summaries: Summaries;
  readonly rowsPerSummary: number;
  /** The row sum that the rows must match. */
  readonly vouched: RowSumValue;
  /** Turns a record's JSON into what is kept in memory. */
  readonly parse: (plain: Uint8Array) => T;
}

/** Throws ColumnError unless every row that is vouched for is there and opens. */
export function* loadTable<T>(load: TableLoad<T>): IterableIterator<readonly Restored<T>[]> {
  const { table, summaries, name } = load;
  const unread = new UnreadRows(table.emptyRowSum());
  for (const slice of table.tallied()) {
    unread.add(slice.rowids, slice.rows);
    yield [];
  }
  if (!unread.rowSum.equals(load.vouched)) throw new ColumnError('the rows are not those that were written');

  const writer = new SummaryWriter<T>(summaries, name, load.rowsPerSummary);
  for (const summary of summaries.of<T>(name)) {
    const current: number[] = [];
    for (let i = 0; i < summary.length; i++) if (unread.takeSummarised(summary, i)) current.push(i);
    // A summary mostly about rows that are gone is replaced.
    if (summary.length === 0 || current.length * 2 < summary.length) {
      writer.replace(
        summary.id,
        current.map((i) => summary.row(i)),
      );
    }
    yield current.map((i) => summary.restored(i));
  }

  for (let next = unread.next(); next !== undefined; next = unread.next()) {
    const opened = table
      .rowsFrom(next)
      .filter(({ rowid, sealed }) => unread.take(rowid, tagOf(sealed)))
      .map((row): Summarised<T> => {
        const plain = table.open(row);
        if (plain === undefined) throw new ColumnError('a row does not open');
        const record = load.parse(plain);
        plain.fill(0);
        return { rowid: row.rowid, tag: tagOf(row.sealed), name: row.name, record };
      });
    if (opened.length === 0) throw new ColumnError('a row has changed while it was read');
    writer.add(opened);
    yield opened.map(({ name: row, record }) => ({ name: latin1(row), record }));
  }
  writer.finish();
}

/** The existing rows, and which of them have not been read yet. */
class UnreadRows {
  readonly rowSum: RowSum;
  readonly #slices: {
    readonly rowids: readonly number[];
    readonly rows: Uint8Array;
    readonly isRead: Uint8Array;
  }[] = [];
  /** Everything below has been read. */
  #next = { slice: 0, index: 0 };

  constructor(rowSum: RowSum) {
    this.rowSum = rowSum;
  }

  /** In ascending order. */
  add(rowids: readonly number[], rows: Uint8Array): void {
    this.rowSum.addAll(rows);
    this.#slices.push({ rowids, rows, isRead: new Uint8Array(rowids.length) });
  }

  /** Whether the row exists with this tag and has not been read before. */
  take(rowid: number, tag: Uint8Array): boolean {
    return this.#take(rowid, (rows, offset) => tag.every((byte, i) => byte === rows[offset + i]));
  }

  takeSummarised(summary: Summary<unknown>, i: number): boolean {
    return this.#take(summary.rowid(i), (rows, offset) => summary.hasTag(i, rows, offset));
  }

  /** Number of the lowest unread row. */
  next(): number | undefined {
    for (; this.#next.slice < this.#slices.length; this.#next = { slice: this.#next.slice + 1, index: 0 }) {
      const { rowids, isRead } = this.#slices[this.#next.slice]!;
      const index = isRead.indexOf(0, this.#next.index);
      if (index === -1) continue;
      this.#next.index = index;
      return rowids[index];
    }
    return undefined;
  }

  #take(rowid: number, hasTag: (rows: Uint8Array, offset: number) => boolean): boolean {
    const slice = this.#slices[lastNotAbove(this.#slices, ({ rowids }) => rowids[0]!, rowid)];
    if (slice === undefined) return false;
    const index = lastNotAbove(slice.rowids, (candidate) => candidate, rowid);
    if (slice.rowids[index] !== rowid || slice.isRead[index] !== 0) return false;
    if (!hasTag(slice.rows, index * SUMMED_ROW + SUMMED_HALF)) return false;
    slice.isRead[index] = 1;
    return true;
  }
}

/** Index of the last of ascending entries that is not above `value`; -1 when all are above. */
function lastNotAbove<E>(entries: readonly E[], numberOf: (entry: E) => number, value: number): number {
  let low = 0;
  let high = entries.length;
  while (low < high) {
    const middle = (low + high) >>> 1;
    if (numberOf(entries[middle]!) <= value) low = middle + 1;
    else high = middle;
  }
  return low - 1;
}

/** Best effort: a store that cannot be written to can still be read. */
class SummaryWriter<T> {
  readonly #summaries: Summaries;
  readonly #table: string;
  readonly #rowsPerSummary: number;
  #rows: Summarised<string>[] = [];
  #superfluous: number[] = [];
  #fails = false;

  constructor(summaries: Summaries, table: string, rowsPerSummary: number) {
    this.#summaries = summaries;
    this.#table = table;
    this.#rowsPerSummary = rowsPerSummary;
  }

  /** The rows of a summary that still exist go into a new one. */
  replace(id: number, current: readonly Summarised<T>[]): void {
    this.#superfluous.push(id);
    this.add(current);
  }

  add(rows: readonly Summarised<T>[]): void {
    if (this.#fails) return;
    // Serialized right away, because the caller may change the records.
    for (const row of rows) this.#rows.push({ ...row, record: JSON.stringify(row.record) });
    if (this.#rows.length >= this.#rowsPerSummary) this.#write(this.#rows);
  }

  finish(): void {
    const isWorthIt = this.#rows.length * LEAST_PART >= this.#rowsPerSummary;
    if (isWorthIt || this.#superfluous.length > 0) this.#write(isWorthIt ? this.#rows : []);
  }

  #write(rows: readonly Summarised<string>[]): void {
    if (this.#fails) return;
    try {
      this.#summaries.write(this.#table, rows, this.#superfluous);
    } catch {
      this.#fails = true;
    }
    this.#rows = [];
    this.#superfluous = [];
  }
}
