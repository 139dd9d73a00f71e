// Child indices of hierarchical key derivation (BIP 32, BIP 44, ZIP 32).

export const ZIP32_PURPOSE = 32;
export const BIP44_PURPOSE = 44;

const HARDENED_BIT = 0x8000_0000;

/** The hardened form of an index below 2^31. */
export function hardened(index: number): number {
  if (!Number.isInteger(index) || index < 0 || index >= HARDENED_BIT) {
    throw new RangeError('child indices are integers below 2^31');
  }
  return index + HARDENED_BIT;
}
