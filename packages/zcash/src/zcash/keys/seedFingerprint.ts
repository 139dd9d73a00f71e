// Seed fingerprints (ZIP 32): name a seed without revealing it.
import { FormatError } from '@wallet-companion/base/bytes';
import { blake2b } from '../hashes/blake2.ts';

/**
 * Names a seed of 32 to 252 bytes without revealing it (ZIP 32): 32 bytes. FormatError for another length, and for
 * seeds of one repeated byte 00 or FF.
 */
export function seedFingerprint(seed: Uint8Array): Uint8Array {
  if (seed.length < 32 || seed.length > 252) throw new FormatError('a seed has 32 to 252 bytes');
  const [first] = seed;
  if ((first === 0 || first === 0xff) && seed.every((byte) => byte === first)) {
    throw new FormatError('a seed of one repeated byte has no fingerprint');
  }
  return blake2b('Zcash_HD_Seed_FP', 32, Uint8Array.of(seed.length), seed);
}
