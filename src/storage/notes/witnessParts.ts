// The parts that witnesses are made from, kept so that they need not be fetched twice: tree states of scanned blocks, paths
// as far as they are final, leaves. Nothing vouches for these rows: everything made of them is folded and compared with a root of
// the chain, so a row that is missing, damaged or old costs time alone.

import { blake2b } from '@noble/hashes/blake2.js';
import { concatBytes } from '@wallet-companion/base/bytes';
import type { Height } from '@wallet-companion/base/values';
import { sealedTableSchema } from '@wallet-companion/disk/rows';
import { type RandomBytes, seal, unseal } from '@wallet-companion/disk/sealing';
import { bytesColumn, type Database, transaction } from '@wallet-companion/disk/sqlite';
import type { LastingChange, LastingPart, WitnessPart } from '../../actors/wallet/ports/witnessPart.ts';
import { decodeRecord, encodeRecord } from './noteRecords.ts';

export const WITNESS_PARTS_SCHEMA = sealedTableSchema('witness_parts');

const NAME_SIZE = 16;
/** Longer, so that a reorganisation need not open these rows: they are most of the table. */
const LASTING_NAME_SIZE = 17;
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
    const plain = this.#read(this.#name(key, NAME_SIZE));
    return plain && decodeRecord<WitnessPart>(plain);
  }

  readLasting(key: string): Uint8Array | undefined {
    const plain = this.#read(this.#name(key, LASTING_NAME_SIZE));
    return plain && decodeLasting(plain).bytes;
  }

  /** Runs in a transaction of its own. */
  put(parts: readonly WitnessPart[]): void {
    this.#database.useWriteAheadLog();
    transaction(this.#database, () => {
      this.#put(parts.map((part) => [this.#name(part.key, NAME_SIZE), encodeRecord(part)]));
    });
  }

  /** Runs in the caller's transaction. */
  changeLasting({ put, drop }: LastingChange): void {
    if (drop.length > 0) {
      const row = this.#database.prepare('DELETE FROM witness_parts WHERE name = ?');
      for (const key of drop) row.run(this.#name(key, LASTING_NAME_SIZE));
    }
    this.#put(put.map((part) => [this.#name(part.key, LASTING_NAME_SIZE), encodeLasting(part)]));
  }

  /** Copies the lasting parts to a store with other keys, in slices, in the caller's transaction. */
  *copyLastingTo(other: WitnessParts): IterableIterator<void> {
    for (const [, plain] of this.#rows('=')) {
      if (plain === undefined) continue;
      other.changeLasting({ put: [decodeLasting(plain)], drop: [] });
      yield;
    }
  }

  /** Deletes the parts of blocks above, in the transaction that undoes the blocks. Parts that do not open are deleted, too. */
  deleteAbove(height: Height): void {
    const drop = this.#database.prepare('DELETE FROM witness_parts WHERE name = ?');
    for (const [name, plain] of this.#rows('<>')) {
      if (plain === undefined || decodeRecord<WitnessPart>(plain).height > height) drop.run(name);
    }
  }

  /** All rows by how the length of their names compares with that of lasting parts; undefined where one does not open. */
  *#rows(comparison: '=' | '<>'): IterableIterator<[name: Uint8Array, plain: Uint8Array | undefined]> {
    const rows = this.#database.prepare(
      `SELECT name, sealed FROM witness_parts WHERE name > ? AND length(name) ${comparison} ${LASTING_NAME_SIZE} ORDER BY name LIMIT ${ROWS_AT_ONCE}`,
    );
    for (let last = new Uint8Array(0); ; ) {
      const found = rows.all(last);
      for (const row of found) {
        const name = bytesColumn(row, 'name');
        yield [name, this.#open(name, bytesColumn(row, 'sealed'))];
        last = Uint8Array.from(name);
      }
      if (found.length < ROWS_AT_ONCE) return;
    }
  }

  #read(name: Uint8Array): Uint8Array | undefined {
    const row = this.#database.prepare('SELECT sealed FROM witness_parts WHERE name = ?').get(name);
    return row === undefined ? undefined : this.#open(name, bytesColumn(row, 'sealed'));
  }

  /** Wipes the plaintexts. */
  #put(rows: readonly (readonly [name: Uint8Array, plain: Uint8Array])[]): void {
    const put = this.#database.prepare('INSERT OR REPLACE INTO witness_parts(name, sealed) VALUES (?, ?)');
    for (const [name, plain] of rows) {
      put.run(name, seal(this.#keys.sealing, plain, this.#context(name), this.#randomBytes));
      plain.fill(0);
    }
  }

  clear(): void {
    this.#database.exec('DELETE FROM witness_parts');
  }

  #open(name: Uint8Array, sealed: Uint8Array): Uint8Array | undefined {
    return unseal(this.#keys.sealing, sealed, this.#context(name));
  }

  #name(key: string, dkLen: number): Uint8Array {
    return blake2b(concatBytes(LABEL, new TextEncoder().encode(key)), { key: this.#keys.naming, dkLen });
  }

  #context(name: Uint8Array): Uint8Array {
    return concatBytes(LABEL, name);
  }
}

/** A byte with the length of the key, the key, the bytes. */
function encodeLasting({ key, bytes }: LastingPart): Uint8Array {
  const name = new TextEncoder().encode(key);
  return concatBytes(Uint8Array.of(name.length), name, bytes);
}

function decodeLasting(plain: Uint8Array): LastingPart {
  const end = 1 + plain[0]!;
  return { key: new TextDecoder().decode(plain.subarray(1, end)), bytes: plain.subarray(end) };
}
