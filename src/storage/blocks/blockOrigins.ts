// Which server gave which heights, as ranges in a table. Stores older than this table do not have it: the origin of
// their blocks is unknown, and the table is made by the first write.

import type { StoredOrigin, StoredRange } from '../../actors/chain/ports/compactStore.ts';
import { type Database, integerColumn, type Row, type Statement, textColumn } from '../sqlite/sqlite.ts';

const TABLE = 'companion_origins';
export const BLOCK_ORIGINS_SCHEMA = `CREATE TABLE IF NOT EXISTS ${TABLE}(first INTEGER PRIMARY KEY, last INTEGER NOT NULL, server TEXT NOT NULL)`;

const parseOrigin = (row: Row): StoredOrigin => ({
  start: integerColumn(row, 'first'),
  end: integerColumn(row, 'last'),
  server: textColumn(row, 'server'),
});

interface Statements {
  readonly touching: Statement;
  readonly put: Statement;
  readonly delete: Statement;
}

export class BlockOrigins {
  readonly #database: Database;
  #prepared: Statements | undefined;

  constructor(database: Database) {
    this.#database = database;
  }

  /** To be called before a transaction that changes ranges: a table made inside would be rolled back with it. */
  ready(): void {
    if (this.#statements() === undefined) this.#database.exec(BLOCK_ORIGINS_SCHEMA);
  }

  /** Ascending, each cut to the range; heights of unknown origin are left out. */
  within(range: StoredRange): StoredOrigin[] {
    return this.#touching(range).map(({ start, end, server }) => ({
      start: Math.max(start, range.start),
      end: Math.min(end, range.end),
      server,
    }));
  }

  /** `server` undefined: origin unknown. */
  set(range: StoredRange, server: string | undefined): void {
    const statements = this.#statements();
    if (statements === undefined) return;
    let { start, end } = range;
    for (const touching of this.#touching({ start: start - 1, end: end + 1 })) {
      const joins = touching.server === server;
      if (!joins && (touching.end < start || touching.start > end)) continue;
      statements.delete.run(touching.start);
      if (joins) {
        start = Math.min(start, touching.start);
        end = Math.max(end, touching.end);
        continue;
      }
      if (touching.start < start) statements.put.run(touching.start, start - 1, touching.server);
      if (touching.end > end) statements.put.run(end + 1, touching.end, touching.server);
    }
    if (server !== undefined) statements.put.run(start, end, server);
  }

  #touching({ start, end }: StoredRange): StoredOrigin[] {
    return this.#statements()?.touching.all(end, start).map(parseOrigin) ?? [];
  }

  #statements(): Statements | undefined {
    if (this.#prepared !== undefined) return this.#prepared;
    const tables = `SELECT 1 FROM sqlite_master WHERE type = 'table' AND name = '${TABLE}'`;
    if (this.#database.prepare(tables).get() === undefined) return undefined;
    this.#prepared = {
      touching: this.#database.prepare(
        `SELECT first, last, server FROM ${TABLE} WHERE first <= ? AND last >= ? ORDER BY first`,
      ),
      put: this.#database.prepare(`INSERT OR REPLACE INTO ${TABLE}(first, last, server) VALUES (?, ?, ?)`),
      delete: this.#database.prepare(`DELETE FROM ${TABLE} WHERE first = ?`),
    };
    return this.#prepared;
  }
}
