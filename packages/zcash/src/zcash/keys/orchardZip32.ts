// ZIP 32 derivation of Orchard spending keys: hardened only.
import { u32ToLeBytes } from '@wallet-companion/base/bytes';
import { blake2b } from '../hashes/blake2.ts';
import { prfExpand } from '../hashes/prfExpand.ts';
import { deriveAlongPath, harden, ZIP32_PURPOSE } from './derivationPath.ts';

/** A spending key and its chain code, both secret. Callers wipe them with `wipeOrchardExtendedKey`. */
export interface OrchardExtendedKey {
  readonly sk: Uint8Array;
  readonly chainCode: Uint8Array;
}

export function orchardMasterKey(seed: Uint8Array): OrchardExtendedKey {
  return split(blake2b('ZcashIP32Orchard', 64, seed));
}

/** `index` without the hardened bit. */
export function orchardChildKey({ sk, chainCode }: OrchardExtendedKey, index: number): OrchardExtendedKey {
  return split(prfExpand(chainCode, Uint8Array.of(0x81), sk, u32ToLeBytes(harden(index))));
}

export function wipeOrchardExtendedKey({ sk, chainCode }: OrchardExtendedKey): void {
  sk.fill(0);
  chainCode.fill(0);
}

/** The spending key at m / 32' / coin_type' / account'; every key on the way is wiped. */
export function deriveOrchardAccountKey(seed: Uint8Array, coinType: number, account: number): Uint8Array {
  const key = deriveAlongPath(orchardMasterKey(seed), [ZIP32_PURPOSE, coinType, account], {
    child: orchardChildKey,
    wipe: wipeOrchardExtendedKey,
  });
  key.chainCode.fill(0);
  return key.sk;
}

function split(wide: Uint8Array): OrchardExtendedKey {
  const key = { sk: wide.slice(0, 32), chainCode: wide.slice(32) };
  wide.fill(0);
  return key;
}
