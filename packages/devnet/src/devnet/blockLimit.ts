// What fits into a block: a node refuses blocks above 2,000,000 bytes and, from NU7, above the limits of the shielded pools.
import { shieldedExcess } from '@wallet-companion/zcash/blocks';
import {
  isActionPool,
  type PerPool,
  POOL,
  POOLS,
  type Pool,
  perActionPool,
  perPool,
  type TreeSizes,
} from '@wallet-companion/zcash/pools';
import { parseTransaction, type Transaction } from '@wallet-companion/zcash/transactions';
import { addLeaves, EMPTY_TREES, leafCount, subtractLeaves } from '@wallet-companion/zcash/trees';

/** MAX_BLOCK_SIZE of the protocol specification, §7.6. */
export const MAX_BLOCK_BYTES = 2_000_000;

/** Upper bounds; only the size of a built transaction is exact. An action includes its share of the proof. */
const BYTES_PER_OUTPUT: Readonly<Record<Pool, number>> = { sapling: 948, orchard: 3_156, ironwood: 3_156 };
/** Overhead of a transaction: padding of its bundles, and the spend that pays. */
const BYTES_PER_TRANSACTION = 15_000;
/** Header, coinbase, and the count of transactions. */
const BYTES_PER_BLOCK = 15_000;
/** Small enough for several to share a block, as in real traffic. */
const OUTPUTS_PER_TRANSACTION = 50;

/** How much of a block's limits a transaction uses. */
export const shieldedItems = (transaction: Transaction): PerPool<number> => ({
  ...perActionPool((pool) => transaction[pool].actions.count),
  sapling: transaction.sapling.spends.count + transaction.sapling.outputs.count,
});

/** The space that a block has left beside its coinbase. */
export class BlockRoom {
  readonly #hasLimits: boolean;
  #bytes = BYTES_PER_BLOCK;
  #items: PerPool<number>;

  /** `hasLimits`: the limits of the shielded pools apply (from NU7). `coinbase`: the pool that pays the miner. */
  constructor(hasLimits: boolean, coinbase?: Pool) {
    this.#hasLimits = hasLimits;
    this.#items = perPool((pool) => (pool === coinbase ? 1 : 0));
  }

  /** Throws RangeError where the transaction does not fit any more. */
  fill(transaction: Uint8Array): void {
    const excess = this.#take(transaction);
    if (excess !== undefined) throw new RangeError(`the block would have ${excess} are valid`);
  }

  /** Returns false, and takes no space, where the transaction does not fit any more. */
  take(transaction: Uint8Array): boolean {
    return this.#take(transaction) === undefined;
  }

  #take(transaction: Uint8Array): string | undefined {
    const bytes = this.#bytes + transaction.length;
    if (bytes > MAX_BLOCK_BYTES) return `${bytes} bytes; at most ${MAX_BLOCK_BYTES}`;
    if (this.#hasLimits) {
      const items = addLeaves(this.#items, shieldedItems(parseTransaction(transaction)));
      const excess = shieldedExcess(items);
      if (excess !== undefined)
        return `${excess.count} ${limitedItems(excess.pool)}; at most ${excess.limit}`;
      this.#items = items;
    }
    this.#bytes = bytes;
    return undefined;
  }
}

/** zebrad's name of the limited items; undefined: all pools together. */
export function limitedItems(pool: Pool | undefined): string {
  if (pool === undefined) return 'shielded actions across all pools';
  return `${POOL[pool].name} ${isActionPool(pool) ? 'actions' : 'inputs and outputs'}`;
}

/** Splits `outputs` into transactions of a few each, in as many blocks as needed. `hasLimits`: the limits of NU7 apply. */
export function trafficBlocks(outputs: Partial<TreeSizes>, hasLimits: boolean): TreeSizes[][] {
  const blocks: TreeSizes[][] = [];
  let room = 0;
  let items = EMPTY_TREES;
  for (const sizes of transactionsOf({ ...EMPTY_TREES, ...outputs })) {
    const bytes = POOLS.reduce(
      (sum, pool) => sum + sizes[pool] * BYTES_PER_OUTPUT[pool],
      BYTES_PER_TRANSACTION,
    );
    // One more each: an action that pads a single one, or the payer's spend.
    const more = perPool((pool) => (hasLimits && sizes[pool] > 0 ? sizes[pool] + 1 : 0));
    if (bytes > room || shieldedExcess(addLeaves(items, more)) !== undefined) {
      blocks.push([]);
      room = MAX_BLOCK_BYTES - BYTES_PER_BLOCK;
      items = EMPTY_TREES;
    }
    room -= bytes;
    items = addLeaves(items, more);
    blocks.at(-1)!.push(sizes);
  }
  return blocks;
}

function* transactionsOf(outputs: TreeSizes): Generator<TreeSizes> {
  for (let left = outputs; leafCount(left) > 0; ) {
    let room = OUTPUTS_PER_TRANSACTION;
    const taken = perPool((pool) => {
      const count = Math.min(left[pool], room);
      room -= count;
      return count;
    });
    yield taken;
    left = subtractLeaves(left, taken);
  }
}
