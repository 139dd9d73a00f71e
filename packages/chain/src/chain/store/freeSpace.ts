// Room that deleted blocks leave in the file. SQLite uses it again for the next ones; giving it back to the disk means
// moving pages from the end of the file into the holes, which is done a little at a time.

import { type Database, integerColumn } from '@wallet-companion/disk/sqlite';
import type { StoreFootprint } from '../ports/compactStore.ts';

/** Half a megabyte, which takes a few milliseconds. */
const PAGES_AT_ONCE = 32;

export class FreeSpace {
  readonly #database: Database;
  #hasShrunk = false;

  constructor(database: Database) {
    this.#database = database;
  }

  footprint(): StoreFootprint {
    const pageSize = this.#pragma('page_size');
    return {
      fileBytes: this.#pragma('page_count') * pageSize,
      freeBytes: this.#pragma('freelist_count') * pageSize,
    };
  }

  /** Gives back some of the free room beyond `keep` bytes; false when none is left. Call it outside of transactions. */
  giveBack(keep: number): boolean {
    if (this.footprint().freeBytes > keep) {
      this.#database.exec(`PRAGMA incremental_vacuum(${PAGES_AT_ONCE})`);
      this.#hasShrunk = true;
      return true;
    }
    // The file itself gets shorter only when the log has been carried over.
    if (this.#hasShrunk) this.#database.prepare('PRAGMA wal_checkpoint(TRUNCATE)').all();
    this.#hasShrunk = false;
    return false;
  }

  #pragma(name: string): number {
    return integerColumn(this.#database.prepare(`PRAGMA ${name}`).get() ?? {}, name);
  }
}
