// Compact blocks with missing data, as from a server that lost data or lies.
import {
  type CompactTransaction,
  compactFromBlock,
  encodeCompactBlock,
} from '@wallet-companion/zcash/compactBlocks';
import { type Pool, perActionPool, type TreeSizes } from '@wallet-companion/zcash/pools';
import { addLeaves, EMPTY_TREES, leafCount, subtractLeaves } from '@wallet-companion/zcash/trees';
import type { MinedBlock } from './minedBlock.ts';

export interface Omission {
  /** `outputs`: the last one of each pool in each transaction. */
  readonly what: 'transactions' | 'outputs' | 'sapling-spends' | Pool;
  /** The tree sizes in the blocks: the true sizes, or sizes that match the outputs that are left. */
  readonly sizes: 'true' | 'counted';
}

/** The CompactBlock message; blocks below `from` are complete. */
export function compactWithout(block: MinedBlock, { what, sizes }: Omission, from: number): Uint8Array {
  const whole = compactFromBlock(block.parse(), block.height, block.treeSizes);
  const transactions = block.height < from ? whole.transactions : without(whole.transactions, what);
  const treeSizes = sizes === 'true' ? block.treeSizes : countedSizes(block, what, from);
  return encodeCompactBlock({ ...whole, transactions, treeSizes });
}

const NOTHING = { spends: [], outputs: [], actions: perActionPool(() => []) } as const;

const SHORTENED: Readonly<
  Record<Omission['what'], (transaction: CompactTransaction) => Partial<CompactTransaction>>
> = {
  transactions: () => NOTHING,
  outputs: ({ outputs, actions }) => ({
    outputs: outputs.slice(0, -1),
    actions: perActionPool((pool) => actions[pool].slice(0, -1)),
  }),
  'sapling-spends': () => ({ spends: [] }),
  sapling: () => ({ spends: [], outputs: [] }),
  ...perActionPool((pool) => ({ actions }: CompactTransaction) => ({ actions: { ...actions, [pool]: [] } })),
};

const without = (transactions: readonly CompactTransaction[], what: Omission['what']): CompactTransaction[] =>
  transactions
    .map((transaction) => ({ ...transaction, ...SHORTENED[what](transaction) }))
    .filter((transaction) => transaction.spends.length + leafCount(leaves([transaction])) > 0);

function countedSizes(block: MinedBlock, what: Omission['what'], from: number): TreeSizes {
  let sizes = block.treeSizes;
  for (let at: MinedBlock | undefined = block; at !== undefined && at.height >= from; at = at.parent) {
    const { transactions } = compactFromBlock(at.parse(), at.height, at.treeSizes);
    const omitted = subtractLeaves(leaves(transactions), leaves(without(transactions, what)));
    sizes = subtractLeaves(sizes, omitted);
  }
  return sizes;
}

const leaves = (transactions: readonly CompactTransaction[]): TreeSizes =>
  transactions
    .map(({ outputs, actions }) => ({
      ...perActionPool((pool) => actions[pool].length),
      sapling: outputs.length,
    }))
    .reduce(addLeaves, EMPTY_TREES);
