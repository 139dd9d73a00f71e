// What fits into a block: a node refuses blocks above 2,000,000 bytes, and so do readers that count on it.
import { POOLS, type Pool, perPool, type TreeSizes } from '../shielded/pools.ts';
import { EMPTY_TREES, leafCount, subtractLeaves } from '../shielded/treeSizes.ts';

/** MAX_BLOCK_SIZE of the protocol specification, §7.6. */
export const MAX_BLOCK_BYTES = 2_000_000;

/** At most; exact is only what has been built. An action comes with its share of the proof. */
const BYTES_PER_OUTPUT: Readonly<Record<Pool, number>> = { sapling: 948, orchard: 3_156, ironwood: 3_156 };
/** Of a transaction: bundles are padded, and somebody pays. */
const BYTES_PER_TRANSACTION = 15_000;
/** Header, coinbase, and the count of transactions. */
const BYTES_PER_BLOCK = 15_000;
/** Small enough for several to share a block, as in real traffic. */
const OUTPUTS_PER_TRANSACTION = 50;

/** `outputs` as transactions of a few each, in as many blocks as they need. */
export function trafficBlocks(outputs: Partial<TreeSizes>): TreeSizes[][] {
  const blocks: TreeSizes[][] = [];
  let room = 0;
  for (const sizes of transactionsOf({ ...EMPTY_TREES, ...outputs })) {
    const bytes = POOLS.reduce(
      (sum, pool) => sum + sizes[pool] * BYTES_PER_OUTPUT[pool],
      BYTES_PER_TRANSACTION,
    );
    if (bytes > room) {
      blocks.push([]);
      room = MAX_BLOCK_BYTES - BYTES_PER_BLOCK;
    }
    room -= bytes;
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
