// The parts that witnesses are made from, kept so that they need not be fetched twice: tree states of scanned blocks, paths
// as far as they are final. Nothing vouches for these rows: everything made of them is folded and compared with a root of
// the chain, so a row that is missing, damaged or old costs time alone.

import { blake2b } from '@noble/hashes/blake2.js';
import { sealedTableSchema } from '@wallet-companion/disk/rows';
import { type RandomBytes, seal, unseal } from '@wallet-companion/disk/sealing';
import { bytesColumn, type Database, transaction } from '@wallet-companion/disk/sqlite';
import { concatBytes } from '@wallet-companion/shielded/bytes';
import type { Height } from '@wallet-companion/shielded/values';
import type { WitnessPart } from '../../actors/wallet/ports/witnessPart.ts';
import { decodeRecord, encodeRecord } from './noteRecords.ts';

export const WITNESS_PARTS_SCHEMA = sealedTableSchema('witness_parts');

const NAME_SIZE = 16;
/** Rows per query when blocks are undone. */
const ROWS_AT_ONCE = 200;
const LABEL = new TextEncoder().encode('witness_parts/1:');

interface Keys {
  readonly sealing: Uint8Array;
  readonly naming: Uint8Array;
}

export class WitnessParts {
  readonly #database: Database;
  readonly #keys: Keys;
  readonly #randomBytes: RandomBytes;

  constructor(database: Database, keys: Keys, randomBytes: RandomBytes) {
    this.#database = database;
    this.#keys = keys;
    this.#randomBytes = randomBytes;
  }

  read(key: string): WitnessPart | undefined {
    const name = this.#name(key);
    const row = this.#database.prepare('SELECT sealed FROM witness_parts WHERE name = ?').get(name);
    return row === undefined ? undefined : this.#open(name, bytesColumn(row, 'sealed'));
  }

  /** Runs in a transaction of its own. */
  put(parts: readonly WitnessPart[]): void {
    this.#database.useWriteAheadLog();
    transaction(this.#database, () => {
      const put = this.#database.prepare('INSERT OR REPLACE INTO witness_parts(name, sealed) VALUES (?, ?)');
      for (const part of parts) {
        const name = this.#name(part.key);
        const plain = encodeRecord(part);
        put.run(name, seal(this.#keys.sealing, plain, this.#context(name), this.#randomBytes));
        plain.fill(0);
      }
    });
  }

  /** Deletes the parts of blocks above, in the transaction that undoes the blocks. Parts that do not open are deleted, too. */
  deleteAbove(height: Height): void {
    const rows = this.#database.prepare(
      `SELECT name, sealed FROM witness_parts WHERE name > ? ORDER BY name LIMIT ${ROWS_AT_ONCE}`,
    );
    const drop = this.#database.prepare('DELETE FROM witness_parts WHERE name = ?');
    for (let last = new Uint8Array(0); ; ) {
      const found = rows.all(last);
      for (const row of found) {
        const name = bytesColumn(row, 'name');
        const part = this.#open(name, bytesColumn(row, 'sealed'));
        if (part === undefined || part.height > height) drop.run(name);
        last = Uint8Array.from(name);
      }
      if (found.length < ROWS_AT_ONCE) return;
    }
  }

  clear(): void {
    this.#database.exec('DELETE FROM witness_parts');
  }

  #open(name: Uint8Array, sealed: Uint8Array): WitnessPart | undefined {
    const plain = unseal(this.#keys.sealing, sealed, this.#context(name));
    return plain === undefined ? undefined : decodeRecord<WitnessPart>(plain);
  }

  #name(key: string): Uint8Array {
    return blake2b(concatBytes(LABEL, new TextEncoder().encode(key)), {
      key: this.#keys.naming,
      dkLen: NAME_SIZE,
    });
  }

  #context(name: Uint8Array): Uint8Array {
    return concatBytes(LABEL, name);
  }
}
