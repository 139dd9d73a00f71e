// Child indices and account paths of hierarchical key derivation (BIP 32, BIP 44, ZIP 32).

export const ZIP32_PURPOSE = 32;
export const BIP44_PURPOSE = 44;

const HARDENED_BIT = 0x8000_0000;

/** The hardened form of an index below 2^31. */
export function harden(index: number): number {
  if (!Number.isInteger(index) || index < 0 || index >= HARDENED_BIT) {
    throw new RangeError('child indices are integers below 2^31');
  }
  return index + HARDENED_BIT;
}

/** The key at the end of a path below `master`; every key on the way, the master key included, is wiped. */
export function deriveAlongPath<Key>(
  master: Key,
  path: readonly number[],
  { child, wipe }: { child(parent: Key, index: number): Key; wipe(key: Key): void },
): Key {
  let key = master;
  for (const index of path) {
    const parent = key;
    try {
      key = child(parent, index);
    } finally {
      wipe(parent);
    }
  }
  return key;
}
