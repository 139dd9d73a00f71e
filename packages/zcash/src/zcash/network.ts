// Network constants: protocol specification §5.3, ZIP 32/316 prefixes, ZIPs 200, 205, 212, 252, 253, 258, 259.

import type { Height } from '@wallet-companion/base/values';
import { asBlockHashHex, type BlockHashHex } from './identifiers.ts';

export type Network = 'main' | 'test' | 'regtest';

export type Scope = 'external' | 'internal';

interface UpgradeBase {
  readonly key: string;
  /** The name as nodes write it. */
  readonly name: string;
  /** Consensus branch id (ZIP 200). */
  readonly branchId: number;
  /** The upgrade is certainly below the tips of the public networks, so a wallet created today has nothing below it. */
  readonly passed: boolean;
  /**
   * The circuit of Orchard's and Ironwood's proofs, as `packages/halo2` has it. Where it is undefined there is none here, and
   * no payment is prepared.
   */
  readonly circuit: string | undefined;
  /** Target spacing from this upgrade on, in seconds, where it changes. */
  readonly blockSeconds?: number;
  /** Blocks over whose targets and times the difficulty is averaged from here on, where it changes. */
  readonly averagingBlocks?: number;
  /** On test networks: how many spacings without a block allow one of the least work from here on, where it changes. */
  readonly easySpacings?: number;
  /** The newest transaction version from here on, where it changes: the compiler requires it wherever versions differ. */
  readonly transactionVersion?: number;
  /** The oldest transaction version from here on, where it changes. */
  readonly oldestVersion?: number;
}

interface SettledUpgrade extends UpgradeBase {
  readonly optional: false;
  readonly main: number;
  readonly test: number;
  /** The default height on regtest. */
  readonly regtest: number;
}

interface OptionalUpgrade extends UpgradeBase {
  /** `undefined` where a chain never has the upgrade, or has no height for it yet. */
  readonly optional: true;
  readonly main: number | undefined;
  readonly test: number | undefined;
  readonly regtest: number | undefined;
}

export type NetworkUpgrade = SettledUpgrade | OptionalUpgrade;

/** All properties of the network upgrades, in order. All code that depends on upgrades derives from these rows. */
export const UPGRADES = [
  {
    key: 'sapling',
    name: 'Sapling',
    branchId: 0x76b809bb,
    circuit: undefined,
    optional: false,
    main: 419_200,
    test: 280_000,
    regtest: 1,
    passed: true,
    blockSeconds: 150,
    averagingBlocks: 17,
    easySpacings: 6,
    transactionVersion: 4,
  },
  {
    key: 'blossom',
    name: 'Blossom',
    branchId: 0x2bb40e60,
    circuit: undefined,
    optional: false,
    main: 653_600,
    test: 584_000,
    regtest: 1,
    passed: true,
    blockSeconds: 75,
  },
  {
    key: 'heartwood',
    name: 'Heartwood',
    branchId: 0xf5b9230b,
    circuit: undefined,
    optional: false,
    main: 903_000,
    test: 903_800,
    regtest: 1,
    passed: true,
  },
  {
    key: 'canopy',
    name: 'Canopy',
    branchId: 0xe9ff75a6,
    circuit: undefined,
    optional: false,
    main: 1_046_400,
    test: 1_028_500,
    regtest: 1,
    passed: true,
  },
  {
    key: 'nu5',
    name: 'NU5',
    branchId: 0xc2d6d0b4,
    circuit: undefined,
    optional: false,
    main: 1_687_104,
    test: 1_842_420,
    regtest: 1,
    passed: true,
    transactionVersion: 5,
  },
  {
    key: 'nu6',
    name: 'NU6',
    branchId: 0xc8e71055,
    circuit: undefined,
    optional: false,
    main: 2_726_400,
    test: 2_976_000,
    regtest: 1,
    passed: true,
  },
  {
    key: 'nu6_1',
    name: 'NU6.1',
    branchId: 0x4dec4df0,
    circuit: undefined,
    optional: false,
    main: 3_146_400,
    test: 3_536_500,
    regtest: 1,
    passed: true,
  },
  {
    key: 'nu6_2',
    name: 'NU6.2',
    branchId: 0x5437f330,
    circuit: 'fixed-post-nu6-2',
    optional: false,
    main: 3_364_600,
    test: 4_052_000,
    regtest: 1,
    passed: true,
  },
  {
    key: 'nu6_3',
    name: 'NU6.3',
    branchId: 0x37a5165b,
    circuit: 'post-nu6-3',
    optional: true,
    main: 3_428_143,
    test: 4_134_000,
    regtest: 1,
    passed: true,
    transactionVersion: 6,
  },
  {
    key: 'nu7',
    name: 'NU7',
    branchId: 0x77190ad9,
    circuit: 'post-nu6-3',
    optional: true,
    main: 3_543_405,
    test: 4_465_026,
    regtest: 1,
    passed: true,
    blockSeconds: 25,
    averagingBlocks: 102,
    easySpacings: 18,
    oldestVersion: 5,
  },
] as const satisfies readonly NetworkUpgrade[];

type UpgradeRow = (typeof UPGRADES)[number];
export type Upgrade = UpgradeRow['key'];

type VersionRow = Extract<UpgradeRow, { readonly transactionVersion: number }>;
/** The transaction versions that carry shielded pools. Tables over them are a `Record`, so each must have a new one. */
export type TxVersion = VersionRow['transactionVersion'];
/** The versions whose ids and signatures are made of digests (ZIP 244); they name their upgrade. */
export type DigestVersion = Exclude<TxVersion, 4>;

export const TX_VERSIONS: readonly TxVersion[] = UPGRADES.flatMap((row) =>
  'transactionVersion' in row ? [row.transactionVersion] : [],
);

/** Whether it is a version that is read and written here: 4, 5 or 6 of the transaction format. */
export const isTxVersion = (version: number): version is TxVersion =>
  (TX_VERSIONS as readonly number[]).includes(version);

/** First block under the rules of each upgrade; `undefined`: never on this chain. */
export type ActivationHeights = {
  readonly [Row in UpgradeRow as Row['key']]: Row['optional'] extends true ? number | undefined : number;
};

const activationHeights = (network: Network): ActivationHeights =>
  Object.fromEntries(UPGRADES.map((upgrade) => [upgrade.key, upgrade[network]])) as ActivationHeights;

export type CircuitName = NonNullable<UpgradeRow['circuit']>;

/** The circuit of the proofs under a consensus branch; undefined where none is known here. */
export const circuitOfBranch = (branchId: number): CircuitName | undefined =>
  UPGRADES.find((row) => row.branchId === branchId)?.circuit;

/** Whether the rules of the branch include those of `upgrade`; false for an unknown branch id. */
export const isUnderUpgrade = (branchId: number, upgrade: Upgrade): boolean =>
  UPGRADES.findIndex((row) => row.branchId === branchId) >= UPGRADES.findIndex((row) => row.key === upgrade);

/** Whether the upgrade is in force in the block at `height`; false where the chain never has it. */
export const isActive = (activation: ActivationHeights, upgrade: Upgrade, height: Height): boolean =>
  (activation[upgrade] ?? Number.POSITIVE_INFINITY) <= height;

/** The branch id in force in the block at `height` (ZIP 200): the last upgrade's where several share a height, 0 before Sapling. */
export const branchIdAt = (activation: ActivationHeights, height: Height): number =>
  UPGRADES.findLast(({ key }) => isActive(activation, key, height))?.branchId ?? 0;

type Rule = 'blockSeconds' | 'averagingBlocks' | 'easySpacings' | 'transactionVersion' | 'oldestVersion';
type RuleRow = NetworkUpgrade & {
  readonly key: Upgrade;
  readonly transactionVersion?: TxVersion;
  readonly oldestVersion?: TxVersion;
};
const RULE_ROWS: readonly RuleRow[] = UPGRADES;

/** The value in this column of the last upgrade at or below `height` that has one; undefined below the first. */
export const newestRule = <R extends Rule>(
  rule: R,
  activation: ActivationHeights,
  height: Height,
): RuleRow[R] | undefined =>
  RULE_ROWS.findLast((row) => row[rule] !== undefined && isActive(activation, row.key, height))?.[rule];

export interface NetworkParameters {
  readonly network: Network;
  readonly coinType: number;
  /** Human-readable prefixes (Bech32/Bech32m). */
  readonly hrp: {
    readonly unifiedAddress: string;
    readonly unifiedFullViewingKey: string;
    readonly unifiedIncomingViewingKey: string;
    /** ZIP 316 revision 2: without and with a transparent receiver. */
    readonly shieldedOnlyAddress: string;
    readonly transparentCapableAddress: string;
    readonly unifiedFullViewingKeyR2: string;
    readonly unifiedIncomingViewingKeyR2: string;
    readonly saplingAddress: string;
    readonly saplingExtendedFullViewingKey: string;
    readonly tex: string;
  };
  readonly genesisHash: BlockHashHex;
  readonly activation: ActivationHeights;
  /** A block of the real chain, from which the clock limits the tip's height; local test chains have none. */
  readonly knownBlock?: KnownBlock;
}

export interface KnownBlock {
  readonly height: Height;
  /** Seconds since 1970. */
  readonly time: number;
}

const hrpWithSuffix = (suffix: '' | 'test' | 'regtest'): NetworkParameters['hrp'] => ({
  unifiedAddress: `u${suffix}`,
  unifiedFullViewingKey: `uview${suffix}`,
  unifiedIncomingViewingKey: `uivk${suffix}`,
  shieldedOnlyAddress: `zu${suffix}`,
  transparentCapableAddress: `tu${suffix}`,
  unifiedFullViewingKeyR2: `uvf${suffix}`,
  unifiedIncomingViewingKeyR2: `uvi${suffix}`,
  saplingAddress: suffix === '' ? 'zs' : `z${suffix}sapling`,
  saplingExtendedFullViewingKey: suffix === '' ? 'zxviews' : `zxview${suffix}sapling`,
  tex: `tex${suffix}`,
});

export const MAIN: NetworkParameters = {
  network: 'main',
  coinType: 133,
  hrp: hrpWithSuffix(''),
  genesisHash: asBlockHashHex('00040fe8ec8471911baa1db1266ea15dd06b4a8a5c453883c000b031973dce08'),
  activation: activationHeights('main'),
  knownBlock: { height: 3_510_130, time: 1_791_426_124 },
};

export const TEST: NetworkParameters = {
  network: 'test',
  coinType: 1,
  hrp: hrpWithSuffix('test'),
  genesisHash: asBlockHashHex('05a60a92d99d85997cce3b87616c089f6124d7342af37106edc76126334a2c38'),
  activation: activationHeights('test'),
};

/**
 * Regtest parameters. Upgrades come in order: an absent one begins at its height in `UPGRADES`, or with the one before it
 * if that one is later or never.
 */
export function regtestParameters(overrides: Partial<ActivationHeights> = {}): NetworkParameters {
  return {
    network: 'regtest',
    coinType: 1,
    hrp: hrpWithSuffix('regtest'),
    genesisHash: asBlockHashHex('029f11d80ef9765602235e1bc9727e3eb6ba20839319f761fee920d63401e327'),
    activation: regtestActivation(overrides),
  };
}

function regtestActivation(overrides: Partial<ActivationHeights>): ActivationHeights {
  let before: number | undefined = 1;
  const heights = UPGRADES.map(({ key, regtest }) => {
    before = key in overrides ? overrides[key] : before && Math.max(before, regtest);
    return [key, before];
  });
  return Object.fromEntries(heights) as ActivationHeights;
}

/**
 * The network's prefixes, coin type and activation heights. `regtestHeights`: what differs on a regtest chain, as for
 * `regtestParameters`; other networks ignore it.
 */
export function networkParameters(
  network: Network,
  regtestHeights?: Partial<ActivationHeights>,
): NetworkParameters {
  if (network === 'main') return MAIN;
  if (network === 'test') return TEST;
  return regtestParameters(regtestHeights);
}

/** Largest amount that can exist, in zatoshi (protocol specification §5.3). */
export const MAX_MONEY = 2_100_000_000_000_000n;
