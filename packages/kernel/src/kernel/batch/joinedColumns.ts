// Columns of pools with the same protocol, searched as if they were one: a batch costs much whatever its size.

import type { OutputColumns } from '@wallet-companion/zcash/scan';

/** An output in its columns. */
export interface Place {
  readonly columns: OutputColumns;
  readonly row: number;
}

/** A part of some columns: the rows from `first` to before `end`, of which the first is row `at` of the whole. */
interface Span {
  readonly columns: OutputColumns;
  readonly first: number;
  readonly end: number;
  readonly at: number;
}

export class JoinedColumns {
  readonly count: number;
  readonly #spans: readonly Span[];

  constructor(parts: readonly OutputColumns[]) {
    let at = 0;
    this.#spans = parts.map((columns) => {
      const span = { columns, first: 0, end: columns.count, at };
      at += columns.count;
      return span;
    });
    this.count = at;
  }

  placeOf(row: number): Place {
    const { columns, at } = this.#spans.findLast((span) => span.at <= row && span.end > 0)!;
    return { columns, row: row - at };
  }

  /** The rows from `first` to before `end`, with places counted from `first`. */
  between(first: number, end: number): Span[] {
    return this.#spans
      .map(({ columns, at }) => {
        const from = Math.max(first, at);
        const to = Math.min(end, at + columns.count);
        return { columns, first: from - at, end: to - at, at: from - first };
      })
      .filter((span) => span.first < span.end);
  }
}
