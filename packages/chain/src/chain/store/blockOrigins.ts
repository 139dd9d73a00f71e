// Which server gave which heights, as ranges in a table.

import {
  type Database,
  integerColumn,
  type Row,
  type Statement,
  textColumn,
} from '@wallet-companion/disk/sqlite';
import type { StoredOrigin, StoredRange } from '../ports/compactStore.ts';

const TABLE = 'companion_origins';
export const BLOCK_ORIGINS_SCHEMA = `CREATE TABLE ${TABLE}(first INTEGER PRIMARY KEY, last INTEGER NOT NULL, server TEXT NOT NULL)`;

const parseOrigin = (row: Row): StoredOrigin => ({
  start: integerColumn(row, 'first'),
  end: integerColumn(row, 'last'),
  server: textColumn(row, 'server'),
});

export class BlockOrigins {
  readonly #find: Statement;
  readonly #put: Statement;
  readonly #delete: Statement;

  constructor(database: Database) {
    this.#find = database.prepare(
      `SELECT first, last, server FROM ${TABLE} WHERE first <= ? AND last >= ? ORDER BY first`,
    );
    this.#put = database.prepare(`INSERT OR REPLACE INTO ${TABLE}(first, last, server) VALUES (?, ?, ?)`);
    this.#delete = database.prepare(`DELETE FROM ${TABLE} WHERE first = ?`);
  }

  /** Ascending, each cut to the range; heights of unknown origin are left out. */
  within(range: StoredRange): StoredOrigin[] {
    return this.#touching(range).map(({ start, end, server }) => ({
      start: Math.max(start, range.start),
      end: Math.min(end, range.end),
      server,
    }));
  }

  /** `server` is undefined where the origin is unknown. */
  set(range: StoredRange, server: string | undefined): void {
    let { start, end } = range;
    for (const touching of this.#touching({ start: start - 1, end: end + 1 })) {
      const joins = touching.server === server;
      if (!joins && (touching.end < start || touching.start > end)) continue;
      this.#delete.run(touching.start);
      if (joins) {
        start = Math.min(start, touching.start);
        end = Math.max(end, touching.end);
        continue;
      }
      if (touching.start < start) this.#put.run(touching.start, start - 1, touching.server);
      if (touching.end > end) this.#put.run(end + 1, touching.end, touching.server);
    }
    if (server !== undefined) this.#put.run(start, end, server);
  }

  #touching({ start, end }: StoredRange): StoredOrigin[] {
    return this.#find.all(end, start).map(parseOrigin);
  }
}
