// The shielded parts of consecutive blocks, filled by the readers of raw and of compact blocks: outputs in columns for
// trial decryption, and the transaction of each.

import { FormatError } from '@wallet-companion/base/bytes';
import type { Height } from '@wallet-companion/base/values';
import { BARE_OUTPUT, type OutputLayout } from '../encoding/outputLayout.ts';
import type { Transaction } from '../encoding/transaction.ts';
import { asTxId, copyOf, type TxId } from '../identifiers.ts';
import { allowedLeadBytes } from '../notes/leadBytes.ts';
import {
  isActionPool,
  type PerPool,
  POOLS,
  type Pool,
  perActionPool,
  perPool,
  type TreeSizes,
} from '../pools.ts';
import { EMPTY_TREES } from '../treeSizes.ts';
import { copyBytes, grow, OutputColumnsBuilder } from './outputColumns.ts';
import type { OutputColumns, PlantedOutput, ScanHeights, TxNullifiers } from './types.ts';

/** Tree positions have 32 bits, because the trees have depth 32. */
const MAX_TREE_SIZE = 2 ** 32;

/** In the place of a transaction of planted outputs, which is known by this very `txid`. */
const PLANTED = { txIndex: Number.MAX_SAFE_INTEGER, txid: asTxId(new Uint8Array(32)), full: undefined };

/** Counts of the parts before a point of the batch. */
export interface PartCounts {
  /** Count of rows in each pool's columns. */
  readonly outputs: PerPool<number>;
  readonly saplingSpends: number;
}

export interface ShieldedTransaction {
  /** Index of the block, from 0. */
  readonly block: number;
  /** Index in the full block. */
  readonly txIndex: number;
  readonly txid: TxId;
  readonly before: PartCounts;
  readonly after: PartCounts;
  /** Undefined when the block was compact. */
  readonly full: Transaction | undefined;
}

export class ShieldedParts {
  readonly transactions: ShieldedTransaction[] = [];
  readonly #heights: ScanHeights;
  readonly #outputs: PerPool<OutputColumnsBuilder> = perPool((pool) => new OutputColumnsBuilder(pool));
  #saplingSpends = 0;
  #saplingNullifiers = new Uint8Array(0);
  #block = -1;
  readonly #treeSizes = perPool(() => 0);
  readonly #leadBytes = perPool(() => 0);

  constructor(heights: ScanHeights) {
    this.#heights = heights;
  }

  /** `treeSizes`: those before the block. */
  beginBlock(height: Height, treeSizes: TreeSizes): void {
    this.#block++;
    for (const pool of POOLS) {
      this.#treeSizes[pool] = treeSizes[pool];
      this.#leadBytes[pool] = allowedLeadBytes(pool, height, this.#heights);
    }
  }

  /** Tree sizes after the block that was begun. FormatError when a tree cannot be that large. */
  endBlock(): TreeSizes {
    for (const pool of POOLS) {
      if (this.#treeSizes[pool] > MAX_TREE_SIZE)
        throw new FormatError(`the ${pool} tree cannot have ${this.#treeSizes[pool]} leaves`);
    }
    return { ...this.#treeSizes };
  }

  addOutput(pool: Pool, source: Uint8Array, start: number, layout: OutputLayout): void {
    this.#outputs[pool].append(source, start, layout, this.#treeSizes[pool]++, this.#leadBytes[pool]);
  }

  addSaplingSpend(source: Uint8Array, nullifierAt: number): void {
    const at = this.#saplingSpends++ * 32;
    if (at === this.#saplingNullifiers.length)
      this.#saplingNullifiers = grow(this.#saplingNullifiers, Math.max(1024, at * 2));
    copyBytes(source, nullifierAt, 32, this.#saplingNullifiers, at);
  }

  counts(): PartCounts {
    const outputs: Record<Pool, number> = { ...EMPTY_TREES };
    for (const pool of POOLS) outputs[pool] = this.#outputs[pool].count;
    return { outputs, saplingSpends: this.#saplingSpends };
  }

  /** Adds a transaction with the parts that were added since `before`. */
  addTransaction(
    before: PartCounts,
    { txIndex, txid, full }: Pick<ShieldedTransaction, 'txIndex' | 'txid' | 'full'>,
  ): void {
    this.transactions.push({ block: this.#block, txIndex, txid, full, before, after: this.counts() });
  }

  /** Adds outputs that are not in the block that was ended, after those that are. */
  plant(planted: readonly PlantedOutput[]): void {
    if (planted.length === 0) return;
    const before = this.counts();
    for (const { pool, bytes } of planted) this.addOutput(pool, bytes, 0, BARE_OUTPUT);
    this.addTransaction(before, PLANTED);
  }

  columns(pool: Pool): OutputColumns {
    return this.#outputs[pool].columns();
  }

  /** The transaction that made the output of this row. */
  transactionOf(pool: Pool, row: number): ShieldedTransaction {
    let first = 0;
    let last = this.transactions.length - 1;
    while (first < last) {
      const middle = (first + last + 1) >> 1;
      if (this.transactions[middle]!.before.outputs[pool] <= row) first = middle;
      else last = middle - 1;
    }
    return this.transactions[first]!;
  }

  /** For each block, the nullifiers that its transactions reveal, in order: of Sapling spends and of actions. */
  revealedNullifiers(): TxNullifiers[][] {
    const packed: PerPool<Uint8Array> = {
      ...perActionPool((pool) => this.columns(pool).nullifiers),
      sapling: this.#saplingNullifiers,
    };
    const blocks: TxNullifiers[][] = Array.from({ length: this.#block + 1 }, () => []);
    for (const { block, txIndex, txid, before, after } of this.transactions) {
      if (txid === PLANTED.txid) continue;
      for (const pool of POOLS) {
        const [first, end] = [revealedBy(before, pool), revealedBy(after, pool)];
        if (first === end) continue;
        const nullifiers = packed[pool].slice(first * 32, end * 32);
        blocks[block]!.push({ pool, txIndex, txid: copyOf(txid), nullifiers });
      }
    }
    return blocks;
  }
}

/** Count of nullifiers: one for each action, which also has an output, or one for each spend. */
const revealedBy = ({ outputs, saplingSpends }: PartCounts, pool: Pool): number =>
  isActionPool(pool) ? outputs[pool] : saplingSpends;
