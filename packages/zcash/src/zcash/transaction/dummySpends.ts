// Signatures of dummy spends, whose keys are made for one transaction and are in no wallet. The program signs no other
// spends, so keys have the form of dummies in a PCZT, and are wiped afterwards.

import { FormatError, wipe } from '@wallet-companion/base/bytes';
import { encodeInteger32 } from '../curves/integers.ts';
import { deriveOrchardKeys } from '../keys/orchardKeys.ts';
import { POOL, type Pool, type ShieldedProtocol } from '../pools.ts';
import { cryptographyOf } from './poolCryptography.ts';
import type { RandomBytes } from './redDsa.ts';

export interface DummySpend {
  readonly rk: Uint8Array;
  readonly alpha: Uint8Array;
  /** `dummy_ask` of Sapling, `dummy_sk` of Orchard and Ironwood. Wiped in any case. */
  readonly key: Uint8Array;
}

/** The spend authorizing key in separate bytes. */
const SPEND_AUTHORIZING_KEY: Readonly<Record<ShieldedProtocol, (key: Uint8Array) => Uint8Array>> = {
  sapling: (ask) => Uint8Array.from(ask),
  orchard: (sk) => encodeInteger32(deriveOrchardKeys(sk).ask),
};

/** FormatError when the bytes are not a key, or not that of `rk`. */
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
