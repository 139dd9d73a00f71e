// PRF^expand (protocol specification §5.4.2): how keys are derived from other keys.
import { blake2b } from './blake2.ts';

/** 64 bytes from a key and the domain-separated inputs. */
export function prfExpand(key: Uint8Array, ...inputs: readonly Uint8Array[]): Uint8Array {
  return blake2b('Zcash_ExpandSeed', 64, key, ...inputs);
}

/** The value that `read` derives from those bytes, which are secret and wiped afterwards. */
export function readPrfExpand<T>(
  read: (wide: Uint8Array) => T,
  key: Uint8Array,
  ...inputs: readonly Uint8Array[]
): T {
  const wide = prfExpand(key, ...inputs);
  try {
    return read(wide);
  } finally {
    wide.fill(0);
  }
}
