// Identity of the blocks scanned last, in clear. Each row carries a keyed proof, so that a row that was damaged or
// forged is never taken for a reorganisation.

import { blake2b } from '@noble/hashes/blake2.js';
import type { StoredBlock } from '../../actors/wallet/ports/storage.ts';
import { concatBytes, equalBytes } from '../../shielded/bytes.ts';
import { asBlockHash } from '../../shielded/identifiers.ts';
import { POOLS, type Pool, perPool, type TreeSizes } from '../../shielded/pools.ts';
import type { Height } from '../../values/height.ts';
import {
  bytesColumn,
  ColumnError,
  type Database,
  integerColumn,
  type Row,
  type Statement,
} from '../sqlite/sqlite.ts';

export const SCANNED_BLOCKS_SCHEMA = `
  CREATE TABLE blocks(
    height INTEGER PRIMARY KEY,
    hash BLOB NOT NULL,
    prev_hash BLOB NOT NULL,
    time INTEGER NOT NULL,
    sapling_tree_size INTEGER NOT NULL,
    orchard_tree_size INTEGER NOT NULL,
    ironwood_tree_size INTEGER NOT NULL,
    proof BLOB NOT NULL
  );
`;

/** A new pool needs a migration that adds its column, since the schema above is that of existing files. */
const treeSizeColumn = (pool: Pool): string => `${pool}_tree_size`;

const inPoolOrder = (sizes: TreeSizes): number[] => POOLS.map((pool) => sizes[pool]);

const PROOF_SIZE = 16;

export class ScannedBlocks {
  readonly #proofKey: Uint8Array;
  readonly #put: Statement;
  readonly #all: Statement;
  readonly #delete: Statement;
  readonly #deleteAbove: Statement;

  constructor(database: Database, proofKey: Uint8Array) {
    this.#proofKey = proofKey;
    const columns = ['height', 'hash', 'prev_hash', 'time', ...POOLS.map(treeSizeColumn), 'proof'];
    this.#put = database.prepare(
      `INSERT OR REPLACE INTO blocks(${columns}) VALUES (${columns.map(() => '?')})`,
    );
    this.#all = database.prepare('SELECT * FROM blocks ORDER BY height');
    this.#delete = database.prepare('DELETE FROM blocks WHERE height = ?');
    this.#deleteAbove = database.prepare('DELETE FROM blocks WHERE height > ?');
  }

  put(block: StoredBlock): void {
    const { height, hash, prevHash, time, treeSizes } = block;
    this.#put.run(height, hash, prevHash, time, ...inPoolOrder(treeSizes), this.#proof(block));
  }

  /** Ascending. Throws ColumnError for a row that `put` did not write. */
  all(): StoredBlock[] {
    return this.#all.all().map((row) => {
      const block = parseBlock(row);
      if (!equalBytes(bytesColumn(row, 'proof'), this.#proof(block))) {
        throw new ColumnError('a block row does not prove');
      }
      return block;
    });
  }

  delete(height: Height): void {
    this.#delete.run(height);
  }

  deleteAbove(height: Height): void {
    this.#deleteAbove.run(height);
  }

  #proof({ height, hash, prevHash, time, treeSizes }: StoredBlock): Uint8Array {
    const numbers = new TextEncoder().encode([height, time, ...inPoolOrder(treeSizes)].join());
    return blake2b(concatBytes(hash, prevHash, numbers), { key: this.#proofKey, dkLen: PROOF_SIZE });
  }
}

function parseBlock(row: Row): StoredBlock {
  return {
    height: integerColumn(row, 'height'),
    hash: asBlockHash(bytesColumn(row, 'hash')),
    prevHash: asBlockHash(bytesColumn(row, 'prev_hash')),
    time: integerColumn(row, 'time'),
    treeSizes: perPool((pool) => integerColumn(row, treeSizeColumn(pool))),
  };
}
