// Signatures of dummy spends, whose keys are made for one transaction and are in no wallet. No other spend is signed in
// the product, so keys come in the form that a PCZT keeps for dummies, and are gone afterwards.

import { FormatError, wipe } from '../bytes.ts';
import { encodeInteger32 } from '../curves/integers.ts';
import { deriveOrchardKeys } from '../keys/orchardKeys.ts';
import { POOL, type Pool, type ShieldedProtocol } from '../pools.ts';
import { cryptographyOf } from './poolCryptography.ts';
import type { RandomBytes } from './redDsa.ts';

export interface DummySpend {
  readonly rk: Uint8Array;
  readonly alpha: Uint8Array;
  /** `dummy_ask` of Sapling, `dummy_sk` of Orchard and Ironwood. Wiped, whatever comes of it. */
  readonly key: Uint8Array;
}

/** The spend authorizing key as bytes of its own. */
const SPEND_AUTHORIZING_KEY: Readonly<Record<ShieldedProtocol, (key: Uint8Array) => Uint8Array>> = {
  sapling: (ask) => Uint8Array.from(ask),
  orchard: (sk) => encodeInteger32(deriveOrchardKeys(sk).ask),
};

/** FormatError when the key is none, or is not that of `rk`. */
export function signDummySpend(
  pool: Pool,
  spend: DummySpend,
  sighash: Uint8Array,
  randomBytes: RandomBytes,
): Uint8Array {
  const { spendAuth } = cryptographyOf(pool);
  let ask: Uint8Array | undefined;
  let rsk: Uint8Array | undefined;
  try {
    ask = SPEND_AUTHORIZING_KEY[POOL[pool].protocol](spend.key);
    rsk = spendAuth.randomizedSigningKey(ask, spend.alpha);
    if (!spendAuth.isSigningKeyOf(spend.rk, rsk))
      throw new FormatError(`the key of a ${POOL[pool].name} dummy is not that of its spend`);
    return spendAuth.sign(rsk, sighash, randomBytes);
  } finally {
    wipe(ask, rsk, spend.key);
  }
}
