// The shielded pools: one row per pool holds all its differences, and every table with an entry per pool derives from
// the rows. docs/inside/adding-a-pool.md lists the changes that a new row needs elsewhere.

import type { Height } from '@wallet-companion/base/values';
import {
  type ActivationHeights,
  isActive,
  isUnderUpgrade,
  type TxVersion,
  UPGRADES,
  type Upgrade,
} from './network.ts';

/** Keys, addresses, curve and circuit: Ironwood uses those of Orchard. */
export type ShieldedProtocol = 'sapling' | 'orchard';

export interface LeadByteRule<U extends Upgrade> {
  readonly allowed: readonly number[];
  /** In force from the start of the pool when absent, else `blocksLater` blocks after that upgrade. */
  readonly from?: U;
  readonly blocksLater?: number;
}

interface PoolRow<U extends Upgrade = Upgrade> {
  /** The name that people see. */
  readonly name: string;
  readonly protocol: ShieldedProtocol;
  readonly activation: Upgrade;
  /** From this upgrade on, funds can only leave the pool. */
  readonly withdrawOnlyFrom: Upgrade | undefined;
  /** Lead bytes of note plaintexts. The last rule with a reached height is in force. */
  readonly leadBytes: readonly LeadByteRule<U>[];
  /**
   * Whether an output comes with the nullifier of the same action, which is its rho. Otherwise spends are listed
   * separately.
   */
  readonly hasRho: boolean;
  /** The commitment trapdoor is derived from all fields of the note (ZIP 2005) instead of from its seed and rho. */
  readonly trapdoorBindsNote: boolean;
  /** Identifies the pool in note stores, so it never changes. */
  readonly storedNumber: number;
  /** The first transaction version that carries it. */
  readonly transactionVersion: TxVersion;
  /** Which of enableSpends, enableOutputs and enableCrossAddress may be set; 0 where bundles have no flags. */
  readonly actionFlags: number;
  /** Field of the tree's size in the ChainMetadata of a compact block. */
  readonly chainMetadataField: number;
  /** Field of the outputs or actions in a compact transaction. */
  readonly compactOutputsField: number;
  /** Limit of actions, or spends and outputs, in a block from NU7 on (ZIP 218; blockLimits.ts has the sum's). */
  readonly mostInBlock: number;
  /** Some compact servers in use do not know the pool and silently omit its outputs. */
  readonly oldServersOmit: boolean;
}

/** ZIP 212: both lead bytes are accepted for this many blocks from Canopy on. */
const ZIP212_GRACE_PERIOD = 32_256;

/** In the order of the pools in transactions, balances and lists. */
const ROWS = {
  sapling: {
    name: 'Sapling',
    protocol: 'sapling',
    activation: 'sapling',
    withdrawOnlyFrom: undefined,
    leadBytes: [
      { allowed: [1] },
      { allowed: [1, 2], from: 'canopy' },
      { allowed: [2], from: 'canopy', blocksLater: ZIP212_GRACE_PERIOD },
    ],
    hasRho: false,
    trapdoorBindsNote: false,
    storedNumber: 0,
    transactionVersion: 4,
    actionFlags: 0,
    chainMetadataField: 1,
    compactOutputsField: 5,
    mostInBlock: 300,
    oldServersOmit: false,
  },
  orchard: {
    name: 'Orchard',
    protocol: 'orchard',
    activation: 'nu5',
    withdrawOnlyFrom: 'nu6_3',
    leadBytes: [{ allowed: [2] }],
    hasRho: true,
    trapdoorBindsNote: false,
    storedNumber: 1,
    transactionVersion: 5,
    actionFlags: 0b011,
    chainMetadataField: 2,
    compactOutputsField: 6,
    mostInBlock: 330,
    oldServersOmit: false,
  },
  ironwood: {
    name: 'Ironwood',
    protocol: 'orchard',
    activation: 'nu6_3',
    withdrawOnlyFrom: undefined,
    leadBytes: [{ allowed: [3] }],
    hasRho: true,
    trapdoorBindsNote: true,
    storedNumber: 2,
    transactionVersion: 6,
    actionFlags: 0b111,
    chainMetadataField: 3,
    compactOutputsField: 9,
    mostInBlock: 330,
    oldServersOmit: true,
  },
} as const satisfies Readonly<Record<string, PoolRow>>;

type Rows = typeof ROWS;

export type Pool = keyof Rows;
export const POOLS = Object.keys(ROWS) as readonly Pool[];

export type PerPool<T> = Readonly<Record<Pool, T>>;

type LeadByteRuleOfRows = Rows[Pool]['leadBytes'][number];
/** The upgrades that change a pool's lead bytes. */
export type LeadByteUpgrade = Extract<LeadByteRuleOfRows, { readonly from: Upgrade }>['from'];
/** The upgrades that change lead bytes or activate pools. */
export type PoolUpgrade = Rows[Pool]['activation'] | LeadByteUpgrade;

export const POOL: PerPool<PoolRow<LeadByteUpgrade>> = ROWS;

/** In order. */
export const POOL_UPGRADES: readonly PoolUpgrade[] = UPGRADES.map(({ key }) => key).filter(isPoolUpgrade);

function isPoolUpgrade(key: Upgrade): key is PoolUpgrade {
  return POOLS.some(
    (pool) => POOL[pool].activation === key || POOL[pool].leadBytes.some(({ from }) => from === key),
  );
}

export const PROTOCOLS: readonly ShieldedProtocol[] = [...new Set(POOLS.map((pool) => POOL[pool].protocol))];

/** `make` is called in the order of `POOLS`. */
export const perPool = <T>(make: (pool: Pool) => T): Record<Pool, T> => recordOf(POOLS, make);

/** The pools of the chain in the block at `height`, oldest first. */
export const poolsAt = (activation: ActivationHeights, height: Height): Pool[] =>
  POOLS.filter((pool) => isActive(activation, POOL[pool].activation, height));

/** The first block from which on funds can only leave the pool; undefined: there is none. */
export function withdrawOnlyHeight(pool: Pool, activation: Partial<ActivationHeights>): Height | undefined {
  const upgrade = POOL[pool].withdrawOnlyFrom;
  return upgrade === undefined ? undefined : activation[upgrade];
}

/** Whether funds can only leave the pool, in the block at `height`. */
export const isWithdrawOnly = (pool: Pool, activation: ActivationHeights, height: Height): boolean =>
  (withdrawOnlyHeight(pool, activation) ?? Number.POSITIVE_INFINITY) <= height;

type PoolOf<Protocol extends ShieldedProtocol> = {
  [P in Pool]: Rows[P]['protocol'] extends Protocol ? P : never;
}[Pool];

/** Pools of actions: an action spends and creates at once. */
export type ActionPool = PoolOf<'orchard'>;

/** Whether the pool's transactions have actions (Orchard's protocol) instead of spends and outputs (Sapling). */
export const isActionPool = (pool: Pool): pool is ActionPool => POOL[pool].protocol === 'orchard';

export const ACTION_POOLS: readonly ActionPool[] = POOLS.filter(isActionPool);

const CROSS_ADDRESS = 0b100;

/**
 * Whether an action may pay another address than the one that it spends from (ZIP 229): in Ironwood a flag decides, in
 * Orchard it may not once the pool only pays out.
 */
export function allowsCrossAddress(pool: ActionPool, flags: number, branchId: number): boolean {
  const { actionFlags, withdrawOnlyFrom } = POOL[pool];
  if ((actionFlags & CROSS_ADDRESS) !== 0) return (flags & CROSS_ADDRESS) !== 0;
  return withdrawOnlyFrom === undefined || !isUnderUpgrade(branchId, withdrawOnlyFrom);
}

/** `make` is called in the order of `ACTION_POOLS`. */
export const perActionPool = <T>(make: (pool: ActionPool) => T): Record<ActionPool, T> =>
  recordOf(ACTION_POOLS, make);

function recordOf<P extends Pool, T>(pools: readonly P[], make: (pool: P) => T): Record<P, T> {
  const made = {} as Record<P, T>;
  for (const pool of pools) made[pool] = make(pool);
  return made;
}

type NumberColumn = 'storedNumber' | 'chainMetadataField' | 'compactOutputsField';

/** Index n holds the pool with n in that column. There are no holes, which would slow down every look-up. */
export function poolsByNumber<P extends Pool>(
  pools: readonly P[],
  column: NumberColumn,
): readonly (P | undefined)[] {
  const highest = Math.max(...pools.map((pool) => POOL[pool][column]));
  return Array.from({ length: highest + 1 }, (_, n) => pools.findLast((pool) => POOL[pool][column] === n));
}

/** Counts of leaves of the note commitment trees. */
export type TreeSizes = PerPool<number>;
