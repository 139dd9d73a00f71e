// Compact blocks that leave something out, as a server would make them that lost it, or that lies.
import { type CompactTransaction, encodeCompactBlock } from '../shielded/encoding/compactBlock.ts';
import { compactFromBlock } from '../shielded/encoding/compactFromBlock.ts';
import type { Pool, TreeSizes } from '../shielded/pools.ts';
import type { MinedBlock } from './minedBlock.ts';

export interface Omission {
  /** `outputs`: the last one of each pool in each transaction. */
  readonly what: 'transactions' | 'outputs' | 'sapling-spends' | Pool;
  /** What the blocks say of the trees: the truth, or what fits all that they hold. */
  readonly sizes: 'true' | 'counted';
}

/** The block's message; blocks below `from` leave nothing out. */
export function compactWithout(block: MinedBlock, { what, sizes }: Omission, from: number): Uint8Array {
  const whole = compactFromBlock(block.parse(), block.height, block.treeSizes);
  const transactions = block.height < from ? whole.transactions : without(whole.transactions, what);
  const treeSizes = sizes === 'true' ? block.treeSizes : countedSizes(block, what, from);
  return encodeCompactBlock({ ...whole, transactions, treeSizes });
}

const NOTHING = { spends: [], outputs: [], actions: [], ironwoodActions: [] } as const;

const SHORTENED: Readonly<
  Record<Omission['what'], (transaction: CompactTransaction) => Partial<CompactTransaction>>
> = {
  transactions: () => NOTHING,
  outputs: ({ outputs, actions, ironwoodActions }) => ({
    outputs: outputs.slice(0, -1),
    actions: actions.slice(0, -1),
    ironwoodActions: ironwoodActions.slice(0, -1),
  }),
  'sapling-spends': () => ({ spends: [] }),
  sapling: () => ({ spends: [], outputs: [] }),
  orchard: () => ({ actions: [] }),
  ironwood: () => ({ ironwoodActions: [] }),
};

const without = (transactions: readonly CompactTransaction[], what: Omission['what']): CompactTransaction[] =>
  transactions
    .map((transaction) => ({ ...transaction, ...SHORTENED[what](transaction) }))
    .filter(
      ({ spends, outputs, actions, ironwoodActions }) =>
        spends.length + outputs.length + actions.length + ironwoodActions.length > 0,
    );

function countedSizes(block: MinedBlock, what: Omission['what'], from: number): TreeSizes {
  let { sapling, orchard, ironwood } = block.treeSizes;
  for (let at: MinedBlock | undefined = block; at !== undefined && at.height >= from; at = at.parent) {
    const { transactions } = compactFromBlock(at.parse(), at.height, at.treeSizes);
    const [all, kept] = [leaves(transactions), leaves(without(transactions, what))];
    sapling -= all.sapling - kept.sapling;
    orchard -= all.orchard - kept.orchard;
    ironwood -= all.ironwood - kept.ironwood;
  }
  return { sapling, orchard, ironwood };
}

const leaves = (transactions: readonly CompactTransaction[]): TreeSizes => ({
  sapling: transactions.reduce((sum, { outputs }) => sum + outputs.length, 0),
  orchard: transactions.reduce((sum, { actions }) => sum + actions.length, 0),
  ironwood: transactions.reduce((sum, { ironwoodActions }) => sum + ironwoodActions.length, 0),
});
