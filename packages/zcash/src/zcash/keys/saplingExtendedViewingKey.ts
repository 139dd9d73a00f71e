// Sapling extended full viewing keys (ZIP 32): the export format of viewing keys before unified ones existed.
import {
  assertLength,
  ByteReader,
  concatBytes,
  FormatError,
  u32ToLeBytes,
} from '@wallet-companion/base/bytes';
import {
  encodeSaplingFullViewingKey,
  parseSaplingFullViewingKey,
  SAPLING_FULL_VIEWING_KEY_LENGTH,
  type SaplingFullViewingKey,
} from './saplingKeys.ts';

const TAG_LENGTH = 4;
const CHAIN_CODE_LENGTH = 32;
/** Depth, parent tag, child number, chain code, key. */
const LENGTH = 1 + TAG_LENGTH + 4 + CHAIN_CODE_LENGTH + SAPLING_FULL_VIEWING_KEY_LENGTH;

export interface SaplingExtendedFullViewingKey {
  readonly depth: number;
  /** First 4 bytes of the parent's fingerprint; zero for a master key. */
  readonly parentTag: Uint8Array;
  /** With the hardened bit; 0 for a master key. */
  readonly childNumber: number;
  readonly chainCode: Uint8Array;
  readonly key: SaplingFullViewingKey;
}

/** 169 bytes. */
export function encodeSaplingExtendedFullViewingKey(extended: SaplingExtendedFullViewingKey): Uint8Array {
  const { depth, parentTag, childNumber, chainCode, key } = extended;
  return concatBytes(
    Uint8Array.of(depth),
    parentTag,
    u32ToLeBytes(childNumber),
    chainCode,
    encodeSaplingFullViewingKey(key),
  );
}

/**
 * FormatError unless the key is valid, and parent tag and child number are zero if depth 0 marks it as a master key.
 */
export function parseSaplingExtendedFullViewingKey(bytes: Uint8Array): SaplingExtendedFullViewingKey {
  assertLength(bytes, LENGTH, 'Sapling extended full viewing key');
  const reader = new ByteReader(bytes);
  const depth = reader.u8();
  const parentTag = reader.take(TAG_LENGTH).slice();
  const childNumber = reader.u32();
  if (depth === 0 && (childNumber !== 0 || parentTag.some((byte) => byte !== 0))) {
    throw new FormatError('Sapling extended viewing key: a master key has no parent');
  }
  const chainCode = reader.take(CHAIN_CODE_LENGTH).slice();
  const key = parseSaplingFullViewingKey(reader.take(SAPLING_FULL_VIEWING_KEY_LENGTH));
  return { depth, parentTag, childNumber, chainCode, key };
}
