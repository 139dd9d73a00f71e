// Network constants: protocol specification §5.3, ZIP 32/316 prefixes, ZIPs 200, 205, 212, 252, 253, 258, 259.

export type Network = 'main' | 'test' | 'regtest';

export type Scope = 'external' | 'internal';

export interface ActivationHeights {
  readonly sapling: number;
  readonly blossom: number;
  readonly heartwood: number;
  readonly canopy: number;
  readonly nu5: number;
  readonly nu6: number;
  readonly nu6_1: number;
  readonly nu6_2: number;
  /** Ironwood. `undefined`: never on this chain. */
  readonly nu6_3: number | undefined;
  readonly nu7: number | undefined;
}

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
  /** Display order. */
  readonly genesisHash: string;
  readonly activation: ActivationHeights;
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
  genesisHash: '00040fe8ec8471911baa1db1266ea15dd06b4a8a5c453883c000b031973dce08',
  activation: {
    sapling: 419_200,
    blossom: 653_600,
    heartwood: 903_000,
    canopy: 1_046_400,
    nu5: 1_687_104,
    nu6: 2_726_400,
    nu6_1: 3_146_400,
    nu6_2: 3_364_600,
    nu6_3: 3_428_143,
    nu7: 3_543_405,
  },
};

export const TEST: NetworkParameters = {
  network: 'test',
  coinType: 1,
  hrp: hrpWithSuffix('test'),
  genesisHash: '05a60a92d99d85997cce3b87616c089f6124d7342af37106edc76126334a2c38',
  activation: {
    sapling: 280_000,
    blossom: 584_000,
    heartwood: 903_800,
    canopy: 1_028_500,
    nu5: 1_842_420,
    nu6: 2_976_000,
    nu6_1: 3_536_500,
    nu6_2: 4_052_000,
    nu6_3: 4_134_000,
    nu7: 4_465_026,
  },
};

const REGTEST_ACTIVATION: ActivationHeights = {
  sapling: 1,
  blossom: 1,
  heartwood: 1,
  canopy: 1,
  nu5: 1,
  nu6: 1,
  nu6_1: 1,
  nu6_2: 1,
  nu6_3: 1,
  nu7: undefined,
};

/** Regtest parameters; heights that are left out take the defaults (1 up to `nu6_3`, `nu7` never). */
export function regtestParameters(overrides: Partial<ActivationHeights> = {}): NetworkParameters {
  return {
    network: 'regtest',
    coinType: 1,
    hrp: hrpWithSuffix('regtest'),
    genesisHash: '029f11d80ef9765602235e1bc9727e3eb6ba20839319f761fee920d63401e327',
    activation: { ...REGTEST_ACTIVATION, ...overrides },
  };
}

export function networkParameters(
  network: Network,
  regtestHeights?: Partial<ActivationHeights>,
): NetworkParameters {
  if (network === 'main') return MAIN;
  if (network === 'test') return TEST;
  return regtestParameters(regtestHeights);
}

/** ZIP 212: both Sapling lead bytes are accepted for this many blocks from Canopy on. */
export const ZIP212_GRACE_PERIOD = 32_256;

/** Largest amount that can exist, in zatoshi (protocol specification §5.3). */
export const MAX_MONEY = 2_100_000_000_000_000n;
