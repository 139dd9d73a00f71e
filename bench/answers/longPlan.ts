// Long chains of blocks with next to nothing in them, and a dozen notes of ours: as heights 2.2 to 2.6 million of the main
// chain, and as a month since NU7.
import { perPool, type TreeSizes } from '@wallet-companion/zcash/pools';
import type { HistoryPlan } from '../history/plan.ts';
import { paramsOf } from '../sync/preparedChain.ts';
import { type Activation, BEFORE_IRONWOOD, WITH_NU7 } from '../sync/shapes.ts';

export type LongName = 'quiet' | 'now';

interface Long {
  readonly blocks: number;
  readonly activation: Activation;
  /** Outputs a block. */
  readonly density: TreeSizes;
}

export const LONG: Readonly<Record<LongName, Long>> = {
  quiet: {
    blocks: 100_000,
    activation: BEFORE_IRONWOOD,
    density: { sapling: 1.2, orchard: 0.6, ironwood: 0 },
  },
  /** Thirty days of a block each 25 seconds. */
  now: { blocks: 103_680, activation: WITH_NU7, density: { sapling: 0.2, orchard: 0.6, ironwood: 3.3 } },
};

export const longPlan = (
  name: LongName,
  blocks: number,
): Pick<HistoryPlan, 'params' | 'tip' | 'sizesAfter' | 'eras'> => ({
  params: paramsOf(LONG[name].activation),
  tip: blocks,
  eras: [{ name, first: 1, last: blocks }],
  sizesAfter: (height) => perPool((pool) => Math.max(0, Math.floor(height * LONG[name].density[pool]))),
});
