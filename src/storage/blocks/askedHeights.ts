// The heights that somebody asked to have in the store. What a scan fetches for itself is stored too, and goes again when it
// is far enough behind; a block at one of these heights stays, whoever fetched it, until it is asked to go.
//
// Stores older than this table do not have it. What they hold counts as asked for, since nobody wrote down which of it
// was, and the table is made by the first write. It is no version of its own: an earlier program can do without it, and
// the copy that goes with a step would be as large as the store.

import type { StoredRange } from '../../actors/chain/ports/compactStore.ts';
import { type Database, transaction } from '../sqlite/sqlite.ts';
import { HeightRanges, heightRangesSchema } from './heightRanges.ts';

const TABLE = 'companion_asked';
export const ASKED_HEIGHTS_SCHEMA = heightRangesSchema(TABLE);

export class AskedHeights {
  readonly #database: Database;
  readonly #stored: HeightRanges;
  #ranges: HeightRanges | undefined;

  /** `stored`: what the store holds. */
  constructor(database: Database, stored: HeightRanges) {
    this.#database = database;
    this.#stored = stored;
  }

  /** To be called before a transaction that changes ranges. */
  ready(): void {
    if (this.#known() !== undefined) return;
    transaction(this.#database, () => {
      this.#database.exec(ASKED_HEIGHTS_SCHEMA);
      for (const range of this.#stored.all()) this.#known()?.add(range);
    });
  }

  /** Ascending. */
  all(): StoredRange[] {
    return (this.#known() ?? this.#stored).all();
  }

  add(range: StoredRange): void {
    this.#known()?.add(range);
  }

  remove(range: StoredRange): void {
    this.#known()?.remove(range);
  }

  #known(): HeightRanges | undefined {
    if (this.#ranges !== undefined) return this.#ranges;
    const tables = `SELECT 1 FROM sqlite_master WHERE type = 'table' AND name = '${TABLE}'`;
    if (this.#database.prepare(tables).get() === undefined) return undefined;
    this.#ranges = new HeightRanges(this.#database, TABLE);
    return this.#ranges;
  }
}
