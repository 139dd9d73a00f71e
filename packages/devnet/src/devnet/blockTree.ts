// The blocks of a devnet. Like a node it forgets blocks of abandoned branches (look-ups by hash and txid fail), but it
// keeps the last abandoned branch for servers that answer from a stale cache.

import type { Height } from '@wallet-companion/base/values';
import { blockHashToHex, txIdToHex } from '@wallet-companion/zcash/identifiers';
import type { BuiltTransaction } from './builtTransaction.ts';
import type { MinedBlock } from './minedBlock.ts';

export interface MinedTransaction {
  readonly transaction: BuiltTransaction;
  readonly block: MinedBlock;
}

export class BlockTree {
  readonly #first: MinedBlock;
  /** Best chain; element i has height first + i. */
  readonly #chain: MinedBlock[];
  /** Keys in display order. */
  readonly #byHash = new Map<string, MinedBlock>();
  readonly #byTxid = new Map<string, MinedTransaction>();
  #abandoned: readonly MinedBlock[] = [];
  readonly #listeners = new Set<() => void>();

  constructor(first: MinedBlock) {
    this.#first = first;
    this.#chain = [first];
    this.#index(first);
  }

  /** The lowest block the devnet has. */
  get first(): MinedBlock {
    return this.#first;
  }

  get tip(): MinedBlock {
    return this.#chain[this.#chain.length - 1]!;
  }

  /** Best chain from the lowest block up. */
  get blocks(): readonly MinedBlock[] {
    return this.#chain;
  }

  at(height: Height): MinedBlock | undefined {
    return this.#chain[height - this.#first.height];
  }

  /** Best chain only. */
  byHash(displayHash: string): MinedBlock | undefined {
    return this.#byHash.get(displayHash);
  }

  /** Best chain only. */
  byTxid(displayTxid: string): MinedTransaction | undefined {
    return this.#byTxid.get(displayTxid);
  }

  /** The last abandoned branch, lowest block first; empty before the first reorganisation. */
  get abandoned(): readonly MinedBlock[] {
    return this.#abandoned;
  }

  append(block: MinedBlock): void {
    if (block.parent !== this.tip) throw new RangeError('a block must extend the tip');
    this.#chain.push(block);
    this.#index(block);
    for (const listener of [...this.#listeners]) listener();
  }

  /** Calls back after each block that is added, until the returned function is called. */
  onBlock(listener: () => void): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  /** Drops all blocks above `height` and returns them, lowest first. */
  rewindTo(height: Height): readonly MinedBlock[] {
    const keep = height - this.#first.height + 1;
    if (keep < 1) throw new RangeError('the lowest block cannot be dropped');
    const dropped = this.#chain.splice(keep);
    if (dropped.length === 0) return dropped;
    this.#abandoned = dropped;
    for (const block of dropped) {
      this.#byHash.delete(blockHashToHex(block.hash));
      for (const transaction of block.transactions) this.#byTxid.delete(txIdToHex(transaction.txid));
    }
    return dropped;
  }

  #index(block: MinedBlock): void {
    this.#byHash.set(blockHashToHex(block.hash), block);
    for (const transaction of block.transactions) {
      this.#byTxid.set(txIdToHex(transaction.txid), { transaction, block });
    }
  }
}
