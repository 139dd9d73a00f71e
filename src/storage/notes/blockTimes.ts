// When the blocks were mined whose nullifiers are kept: a note found later may have been spent in one of them, after
// that block's row among the scanned blocks was dropped. Older stores get this table when it is first needed.

import type { Height } from '../../values/height.ts';
import { type Database, integerColumn, type Statement } from '../sqlite/sqlite.ts';

export const BLOCK_TIMES_SCHEMA =
  'CREATE TABLE kept_times(height INTEGER PRIMARY KEY, time INTEGER NOT NULL)';

interface Statements {
  readonly put: Statement;
  readonly find: Statement;
  readonly deleteUpTo: Statement;
  readonly deleteAbove: Statement;
}

export class BlockTimes {
  readonly #database: Database;
  #statements: Statements | undefined;

  constructor(database: Database) {
    this.#database = database;
    const isThere = database.prepare("SELECT 1 FROM sqlite_master WHERE name = 'kept_times'").get();
    if (isThere !== undefined) this.#statements = prepare(database);
  }

  /** To be called before a transaction that writes here: a table made inside would be rolled back with it. */
  create(): void {
    if (this.#statements !== undefined) return;
    this.#database.exec(BLOCK_TIMES_SCHEMA);
    this.#statements = prepare(this.#database);
  }

  put(height: Height, time: number): void {
    this.#statements?.put.run(height, time);
  }

  /** Unix seconds; 0 when unknown. */
  find(height: Height): number {
    const row = this.#statements?.find.get(height);
    return row === undefined ? 0 : integerColumn(row, 'time');
  }

  deleteUpTo(height: Height): void {
    this.#statements?.deleteUpTo.run(height);
  }

  deleteAbove(height: Height): void {
    this.#statements?.deleteAbove.run(height);
  }
}

const prepare = (database: Database): Statements => ({
  put: database.prepare('INSERT OR REPLACE INTO kept_times(height, time) VALUES (?, ?)'),
  find: database.prepare('SELECT time FROM kept_times WHERE height = ?'),
  deleteUpTo: database.prepare('DELETE FROM kept_times WHERE height <= ?'),
  deleteAbove: database.prepare('DELETE FROM kept_times WHERE height > ?'),
});
