// The viewing keys of one account, and the keys derived from them for scanning and for recovering sent notes.
import { FormatError, wipe } from '@wallet-companion/base/bytes';
import { encodeInteger32 } from '../curves/integers.ts';
import type { NetworkParameters, Scope } from '../network.ts';
import type { IncomingKey, OutgoingKey } from './decryptionKeys.ts';
import { encodeIncomingViewingKey } from './incomingViewingKey.ts';
import {
  deriveOrchardKeys,
  encodeOrchardFullViewingKey,
  orchardScopeKeys,
  parseOrchardIncomingViewingKey,
  splitOrchardFullViewingKey,
} from './orchardKeys.ts';
import { deriveOrchardAccountKey } from './orchardZip32.ts';
import {
  encodeSaplingFullViewingKey,
  parseSaplingIncomingViewingKey,
  saplingIncomingViewingKey,
  saplingKeyOfScope,
  splitSaplingFullViewingKey,
} from './saplingKeys.ts';
import { deriveSaplingAccountKey, saplingFullViewingKeyOf, wipeSaplingExtendedKey } from './saplingZip32.ts';
import {
  deriveTransparentAccountKey,
  transparentChildKey,
  transparentOutgoingKey,
} from './transparentKeys.ts';

/** Sees everything: received notes, change, spends, sent notes. */
export interface FullViewingKeys {
  readonly kind: 'full';
  /** 128 bytes: ak, nk, ovk, dk. */
  readonly sapling?: Uint8Array;
  /** 96 bytes: ak, nk, rivk. */
  readonly orchard?: Uint8Array;
  /** 65 bytes: chain code and public key at m/44'/coin_type'/account'. Sees nothing; for export, and for what it paid. */
  readonly transparent?: Uint8Array;
}

/** Sees notes received at external addresses, nothing else. */
export interface IncomingViewingKeys {
  readonly kind: 'incoming';
  /** 64 bytes: dk, ivk. */
  readonly sapling?: Uint8Array;
  /** 64 bytes: dk, ivk. */
  readonly orchard?: Uint8Array;
  /** 65 bytes: chain code and public key of the external chain. Only kept for export. */
  readonly transparent?: Uint8Array;
}

/** Checked keys of one account, with at least one shielded key. */
export type ViewingKeys = FullViewingKeys | IncomingViewingKeys;

/** Overwrites the keys with zeros. They are of no use afterwards. */
export const wipeViewingKeys = ({ sapling, orchard, transparent }: ViewingKeys): void =>
  wipe(sapling, orchard, transparent);

const SCOPES: readonly Scope[] = ['external', 'internal'];

/** The lengths that ZIP 32 allows for a seed. */
const MIN_SEED_LENGTH = 32;
const MAX_SEED_LENGTH = 252;

/**
 * The full viewing keys of an account (ZIP 32), derived from a seed of 32 to 252 bytes. `account`: below 2^31. Spending
 * keys exist only during this call, and are wiped. FormatError for a seed of another length.
 */
export function deriveViewingKeys(
  seed: Uint8Array,
  { coinType }: NetworkParameters,
  account: number,
): Required<FullViewingKeys> {
  if (seed.length < MIN_SEED_LENGTH || seed.length > MAX_SEED_LENGTH) {
    throw new FormatError(`a seed has ${MIN_SEED_LENGTH} to ${MAX_SEED_LENGTH} bytes`);
  }
  const orchardKey = deriveOrchardAccountKey(seed, coinType, account);
  const saplingKey = deriveSaplingAccountKey(seed, coinType, account);
  try {
    return {
      kind: 'full',
      sapling: encodeSaplingFullViewingKey(saplingFullViewingKeyOf(saplingKey)),
      orchard: encodeOrchardFullViewingKey(deriveOrchardKeys(orchardKey).fullViewingKey),
      transparent: deriveTransparentAccountKey(seed, coinType, account),
    };
  } finally {
    orchardKey.fill(0);
    wipeSaplingExtendedKey(saplingKey);
  }
}

/** The part of full viewing keys that only sees external receipts (ZIP 316). */
export function toIncomingViewingKeys(keys: FullViewingKeys): IncomingViewingKeys {
  const { sapling, orchard, transparent } = keys;
  return {
    kind: 'incoming',
    ...(sapling && { sapling: externalSapling(sapling) }),
    ...(orchard && {
      orchard: encodeIncomingViewingKey(orchardScopeKeys(splitOrchardFullViewingKey(orchard), 'external')),
    }),
    ...(transparent && { transparent: transparentChildKey(transparent, 0) }),
  };
}

function externalSapling(sapling: Uint8Array): Uint8Array {
  const key = splitSaplingFullViewingKey(sapling);
  return encodeIncomingViewingKey({ dk: key.dk, ivk: saplingIncomingViewingKey(key) });
}

/** Keys to try on outputs: both scopes of both protocols, or the external ones of an incoming viewing key. */
export function incomingKeys(keys: ViewingKeys, account: number): IncomingKey[] {
  if (keys.kind === 'incoming') {
    const found: IncomingKey[] = [];
    const common = { account, scope: 'external' } as const;
    if (keys.sapling)
      found.push({ ...common, protocol: 'sapling', ...parseSaplingIncomingViewingKey(keys.sapling) });
    if (keys.orchard)
      found.push({ ...common, protocol: 'orchard', ...parseOrchardIncomingViewingKey(keys.orchard) });
    return found;
  }
  const { sapling, orchard } = keys;
  const saplingKeys = sapling && splitSaplingFullViewingKey(sapling);
  const orchardKeys = orchard && splitOrchardFullViewingKey(orchard);
  return SCOPES.flatMap((scope) => {
    const found: IncomingKey[] = [];
    if (saplingKeys) {
      const key = saplingKeyOfScope(saplingKeys, scope);
      const { dk, nk } = key;
      found.push({ protocol: 'sapling', account, scope, ivk: saplingIncomingViewingKey(key), dk, nk });
    }
    if (orchardKeys) {
      const { ivk, dk } = orchardScopeKeys(orchardKeys, scope);
      found.push({ protocol: 'orchard', account, scope, ivk, dk, nk: encodeInteger32(orchardKeys.nk) });
    }
    return found;
  });
}

/** Keys that recover notes the account sent; none for an incoming viewing key. */
export function outgoingKeys(keys: ViewingKeys, account: number): OutgoingKey[] {
  if (keys.kind === 'incoming') return [];
  const { sapling, orchard, transparent } = keys;
  return SCOPES.flatMap((scope) => {
    const found: OutgoingKey[] = [];
    if (sapling) {
      const { ovk } = saplingKeyOfScope(splitSaplingFullViewingKey(sapling), scope);
      found.push({ protocol: 'sapling', account, scope, ovk });
    }
    if (orchard) {
      const { ovk } = orchardScopeKeys(splitOrchardFullViewingKey(orchard), scope);
      found.push({ protocol: 'orchard', account, scope, ovk });
    }
    if (transparent) {
      const ovk = transparentOutgoingKey(transparent, scope);
      found.push({ protocol: 'transparent', account, scope, ovk });
    }
    return found;
  });
}
