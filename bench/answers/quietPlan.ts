// A long chain of blocks with next to nothing in them, as heights 2.2 to 2.6 million of the main chain: 1.2 Sapling
// outputs and 0.6 Orchard actions a block, and a dozen notes of ours.
import type { TreeSizes } from '@wallet-companion/shielded/pools';
import { EMPTY_TREES } from '@wallet-companion/shielded/trees';
import type { HistoryPlan } from '../history/plan.ts';
import { PARAMS } from '../sync/preparedChain.ts';

export const quietPlan = (blocks: number): Pick<HistoryPlan, 'params' | 'tip' | 'sizesAfter' | 'eras'> => ({
  params: PARAMS,
  tip: blocks,
  eras: [{ name: 'quiet', first: 1, last: blocks }],
  sizesAfter: (height): TreeSizes =>
    height <= 0
      ? EMPTY_TREES
      : { ...EMPTY_TREES, sapling: Math.floor(height * 1.2), orchard: Math.floor(height * 0.6) },
});
