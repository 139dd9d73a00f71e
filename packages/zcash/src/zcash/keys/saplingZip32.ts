// ZIP 32 derivation of Sapling spending keys along hardened paths.
import { u32ToLeBytes } from '@wallet-companion/base/bytes';
import { encodeInteger32 } from '../curves/integers.ts';
import { encodeJubjub, JUBJUB_ORDER, toJubjubScalar } from '../curves/jubjub.ts';
import { blake2b } from '../hashes/blake2.ts';
import { SAPLING_PROOF_BASE, SAPLING_SPEND_AUTH_BASE } from '../hashes/jubjubHash.ts';
import { prfExpand, readPrfExpand } from '../hashes/prfExpand.ts';
import { deriveAlongPath, harden, ZIP32_PURPOSE } from './derivationPath.ts';
import type { SaplingFullViewingKey } from './saplingKeys.ts';

/** An extended spending key. The scalars cannot be wiped; the bytes are wiped with `wipeSaplingExtendedKey`. */
export interface SaplingExtendedKey {
  readonly chainCode: Uint8Array;
  readonly ask: bigint;
  readonly nsk: bigint;
  readonly ovk: Uint8Array;
  readonly dk: Uint8Array;
}

export function saplingMasterKey(seed: Uint8Array): SaplingExtendedKey {
  const wide = blake2b('ZcashIP32Sapling', 64, seed);
  const sk = wide.subarray(0, 32);
  const key: SaplingExtendedKey = {
    chainCode: wide.slice(32),
    ask: scalar(sk, 0x00),
    nsk: scalar(sk, 0x01),
    ovk: half(sk, Uint8Array.of(0x02)),
    dk: half(sk, Uint8Array.of(0x10)),
  };
  wide.fill(0);
  return key;
}

/** `index` without the hardened bit. */
export function saplingChildKey(parent: SaplingExtendedKey, index: number): SaplingExtendedKey {
  const ask = encodeInteger32(parent.ask);
  const nsk = encodeInteger32(parent.nsk);
  const wide = prfExpand(
    parent.chainCode,
    Uint8Array.of(0x11),
    ask,
    nsk,
    parent.ovk,
    parent.dk,
    u32ToLeBytes(harden(index)),
  );
  const sk = wide.subarray(0, 32);
  const child: SaplingExtendedKey = {
    chainCode: wide.slice(32),
    ask: (scalar(sk, 0x13) + parent.ask) % JUBJUB_ORDER,
    nsk: (scalar(sk, 0x14) + parent.nsk) % JUBJUB_ORDER,
    ovk: half(sk, Uint8Array.of(0x15), parent.ovk),
    dk: half(sk, Uint8Array.of(0x16), parent.dk),
  };
  for (const secret of [wide, ask, nsk]) secret.fill(0);
  return child;
}

/** The key at m / 32' / coin_type' / account'; every key on the way is wiped. */
export function deriveSaplingAccountKey(
  seed: Uint8Array,
  coinType: number,
  account: number,
): SaplingExtendedKey {
  return deriveAlongPath(saplingMasterKey(seed), [ZIP32_PURPOSE, coinType, account], {
    child: saplingChildKey,
    wipe: wipeSaplingExtendedKey,
  });
}

/** ovk and dk are copies, so that the spending key can be wiped. */
export function saplingFullViewingKeyOf({ ask, nsk, ovk, dk }: SaplingExtendedKey): SaplingFullViewingKey {
  return {
    ak: encodeJubjub(SAPLING_SPEND_AUTH_BASE.multiply(ask)),
    nk: encodeJubjub(SAPLING_PROOF_BASE.multiply(nsk)),
    ovk: ovk.slice(),
    dk: dk.slice(),
  };
}

/** Big integers cannot be wiped: the thread that had them is ended. */
export function wipeSaplingExtendedKey({ chainCode, ovk, dk }: SaplingExtendedKey): void {
  for (const secret of [chainCode, ovk, dk]) secret.fill(0);
}

const scalar = (sk: Uint8Array, domain: number): bigint =>
  readPrfExpand(toJubjubScalar, sk, Uint8Array.of(domain));

const half = (sk: Uint8Array, ...inputs: readonly Uint8Array[]): Uint8Array =>
  readPrfExpand((wide) => wide.slice(0, 32), sk, ...inputs);
