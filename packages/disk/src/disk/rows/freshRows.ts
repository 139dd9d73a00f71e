// Rows that were written since the store was opened, until they fill a summary. A scan may find thousands of notes:
// without a summary, the first opening afterwards would open each of their rows.

import { latin1, type WrittenRow } from './sealedTable.ts';
import type { Summaries, Summarised } from './summaries.ts';

export class FreshRows {
  readonly #table: string;
  readonly #summaries: Summaries;
  readonly #rowsPerSummary: number;
  /** By name: a row that is written again replaces the earlier one. */
  readonly #rows = new Map<string, Summarised<string>>();

  constructor(table: string, summaries: Summaries, rowsPerSummary: number) {
    this.#table = table;
    this.#summaries = summaries;
    this.#rowsPerSummary = rowsPerSummary;
  }

  /** `record`: what a load makes of the row. */
  add(row: WrittenRow, record: object): void {
    // Serialized right away: it may be changed before it is written.
    this.#rows.set(latin1(row.name), { ...row, record: JSON.stringify(record) });
  }

  /** To be called after the commit. Best effort: rows in no summary are opened one by one. */
  summarise(): void {
    while (this.#rows.size >= this.#rowsPerSummary) {
      const rows = [...this.#rows].slice(0, this.#rowsPerSummary);
      try {
        this.#summaries.write(
          this.#table,
          rows.map(([, row]) => row),
          [],
        );
      } catch {
        // The next load makes it.
      }
      for (const [name] of rows) this.#rows.delete(name);
    }
  }

  forget(): void {
    this.#rows.clear();
  }
}
