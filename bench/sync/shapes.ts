// The shapes of traffic that a scan is measured on: outputs of strangers per block as the main chain has had them, and
// how often one of ours is among them.
import type { ActivationHeights } from '@wallet-companion/zcash/network';
import { POOLS, type Pool, type TreeSizes } from '@wallet-companion/zcash/pools';

export type ShapeName = 'quiet' | 'today' | 'now' | 'flood' | 'merchant';

/** The upgrades of a chain, as config.json writes them; null: never. */
export type Activation = { readonly [upgrade in keyof ActivationHeights]?: number | null };

export interface BlockPlan {
  /** Outputs of each transaction between strangers. */
  readonly strangers: readonly Partial<TreeSizes>[];
  /** The pool in which the wallet is paid. */
  readonly paid: Pool | undefined;
}

export interface Shape {
  readonly name: ShapeName;
  readonly what: string;
  /** As many as make seconds of work. */
  readonly blocks: number;
  readonly activation: Activation;
  readonly plan: (index: number, blocks: number) => BlockPlan;
}

/** Up to NU6.2: most of what was ever paid. */
export const BEFORE_IRONWOOD: Activation = { nu6_3: null };
export const WITH_NU7: Activation = { nu6_3: 1, nu7: 1 };

/** Blocks that repeat, each with transactions of two outputs. */
const CYCLE = 20;
/** Notes of ours in a shape that is not about them: enough to check that the scan found what there is. */
const CHECKED_NOTES = 10;

const two = (pool: Pool): Partial<TreeSizes> => ({ [pool]: 2 });
const copies = <T>(count: number, item: T): T[] => Array.from({ length: count }, () => item);

/** Spreads `count` things evenly over a cycle: how many fall on its block `index`. */
const share = (count: number, index: number): number =>
  Math.floor(((index + 1) * count) / CYCLE) - Math.floor((index * count) / CYCLE);

/** `perCycle`: transactions of two outputs in twenty blocks. */
const payments =
  (perCycle: Partial<TreeSizes>) =>
  (index: number): readonly Partial<TreeSizes>[] =>
    POOLS.flatMap((pool) => copies(share(perCycle[pool] ?? 0, index % CYCLE), two(pool)));

/** 1.2 Sapling outputs and 0.6 Orchard actions a block. */
const quiet = payments({ sapling: 12, orchard: 6 });
/** 0.6 and 1.6. */
const today = payments({ sapling: 6, orchard: 16 });
/** 0.2, 0.6 and 3.3 in Ironwood. */
const now = payments({ sapling: 2, orchard: 6, ironwood: 33 });

/** The first flood's average block in the first half, the second one's in the other. */
const flood = (index: number, blocks: number): readonly Partial<TreeSizes>[] =>
  index < blocks / 2
    ? [...copies(5, { sapling: 100 }), { orchard: 44 }]
    : [{ sapling: 13 }, { orchard: 58 }, { orchard: 58 }];

const poolOf = (note: number, actions: Pool = 'orchard'): Pool => (note % 2 === 0 ? actions : 'sapling');

const checked = (index: number, blocks: number, actions?: Pool): Pool | undefined => {
  const every = Math.max(1, Math.floor(blocks / CHECKED_NOTES));
  return index % every === 0 ? poolOf(index / every, actions) : undefined;
};

export const SHAPES: readonly Shape[] = [
  {
    name: 'quiet',
    what: '1.2 Sapling outputs and 0.6 Orchard actions a block',
    blocks: 20_000,
    activation: BEFORE_IRONWOOD,
    plan: (index, blocks) => ({ strangers: quiet(index), paid: checked(index, blocks) }),
  },
  {
    name: 'today',
    what: '0.6 and 1.6',
    blocks: 10_000,
    activation: BEFORE_IRONWOOD,
    plan: (index, blocks) => ({ strangers: today(index), paid: checked(index, blocks) }),
  },
  {
    name: 'now',
    what: '0.2, 0.6, and 3.3 Ironwood actions',
    blocks: 20_000,
    activation: WITH_NU7,
    plan: (index, blocks) => ({ strangers: now(index), paid: checked(index, blocks, 'ironwood') }),
  },
  {
    name: 'flood',
    what: '500 and 44, then 13 and 116',
    blocks: 200,
    activation: BEFORE_IRONWOOD,
    plan: (index, blocks) => ({ strangers: flood(index, blocks), paid: checked(index, blocks) }),
  },
  {
    name: 'merchant',
    what: 'as today, and a note of ours in every block',
    blocks: 2_000,
    activation: BEFORE_IRONWOOD,
    plan: (index) => ({ strangers: today(index), paid: poolOf(index) }),
  },
];
