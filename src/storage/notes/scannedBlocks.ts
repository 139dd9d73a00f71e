// Identity of the blocks scanned last, in clear. Each row carries a keyed proof, so that a damaged or foreign row is
// never taken for a reorganisation of the chain; and a row sum over heights and proofs, sealed by the caller, reveals
// rows that are missing or belong to an earlier branch.

import { blake2b } from '@noble/hashes/blake2.js';
import { concatBytes, equalBytes } from '@wallet-companion/base/bytes';
import type { Height } from '@wallet-companion/base/values';
import { RowSum, SUMMED_HALF } from '@wallet-companion/disk/rows';
import type { RowPrf } from '@wallet-companion/disk/sealing';
import {
  bytesColumn,
  ColumnError,
  type Database,
  integerColumn,
  type Row,
  type Statement,
} from '@wallet-companion/disk/sqlite';
import { asBlockHash } from '@wallet-companion/zcash/identifiers';
import { type PerPool, POOLS, perPool, type TreeSizes } from '@wallet-companion/zcash/pools';
import type { StoredBlock } from '../../actors/wallet/ports/noteDatabase.ts';

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

/** A new pool needs a migration that adds its column, since existing files have the schema above. */
const TREE_SIZE_COLUMN: PerPool<string> = {
  sapling: 'sapling_tree_size',
  orchard: 'orchard_tree_size',
  ironwood: 'ironwood_tree_size',
};

const inPoolOrder = (sizes: TreeSizes): number[] => POOLS.map((pool) => sizes[pool]);

const PROOF_SIZE = 16;

export class ScannedBlocks {
  readonly rowSum: RowSum;
  readonly #proofKey: Uint8Array;
  readonly #prf: RowPrf;
  readonly #put: Statement;
  readonly #all: Statement;
  readonly #delete: Statement;
  readonly #deleteAbove: Statement;

  constructor(database: Database, proofKey: Uint8Array, prf: RowPrf) {
    this.rowSum = new RowSum(prf);
    this.#proofKey = proofKey;
    this.#prf = prf;
    const columns = [
      'height',
      'hash',
      'prev_hash',
      'time',
      ...POOLS.map((pool) => TREE_SIZE_COLUMN[pool]),
      'proof',
    ];
    this.#put = database.prepare(
      `INSERT INTO blocks(${columns}) VALUES (${columns.map(() => '?')}) ON CONFLICT(height) DO NOTHING`,
    );
    this.#all = database.prepare('SELECT * FROM blocks ORDER BY height');
    this.#delete = database.prepare('DELETE FROM blocks WHERE height = ? RETURNING height, proof');
    this.#deleteAbove = database.prepare('DELETE FROM blocks WHERE height > ? RETURNING height, proof');
  }

  put(block: StoredBlock): void {
    const { height, hash, prevHash, time, treeSizes } = block;
    const proof = this.#proof(block);
    const put = () => this.#put.run(height, hash, prevHash, time, ...inPoolOrder(treeSizes), proof);
    // Hardly any block is there already.
    if (Number(put().changes) === 0) {
      this.delete(height);
      put();
    }
    this.rowSum.add(nameOf(height), proof);
  }

  /** Ascending. Throws ColumnError unless they are the rows that `put` wrote, all of them and no other. */
  all(): StoredBlock[] {
    const found = new RowSum(this.#prf);
    const blocks = this.#all.all().map((row) => {
      const block = parseBlock(row);
      const proof = this.#proof(block);
      if (!equalBytes(bytesColumn(row, 'proof'), proof)) throw new ColumnError('a block row does not prove');
      found.add(nameOf(block.height), proof);
      return block;
    });
    if (!found.equals(this.rowSum.value()))
      throw new ColumnError('the blocks are not those that were written');
    return blocks;
  }

  delete(height: Height): void {
    this.#forget(this.#delete.all(height));
  }

  deleteAbove(height: Height): void {
    this.#forget(this.#deleteAbove.all(height));
  }

  #forget(rows: readonly Row[]): void {
    for (const row of rows) {
      this.rowSum.remove(nameOf(integerColumn(row, 'height')), bytesColumn(row, 'proof'));
    }
  }

  #proof({ height, hash, prevHash, time, treeSizes }: StoredBlock): Uint8Array {
    const numbers = new TextEncoder().encode([height, time, ...inPoolOrder(treeSizes)].join());
    return blake2b(concatBytes(hash, prevHash, numbers), { key: this.#proofKey, dkLen: PROOF_SIZE });
  }
}

function nameOf(height: Height): Uint8Array {
  const name = new Uint8Array(SUMMED_HALF);
  new DataView(name.buffer).setFloat64(0, height);
  return name;
}

function parseBlock(row: Row): StoredBlock {
  return {
    height: integerColumn(row, 'height'),
    hash: asBlockHash(bytesColumn(row, 'hash')),
    prevHash: asBlockHash(bytesColumn(row, 'prev_hash')),
    time: integerColumn(row, 'time'),
    treeSizes: perPool((pool) => integerColumn(row, TREE_SIZE_COLUMN[pool])),
  };
}
