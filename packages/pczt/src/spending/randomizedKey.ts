// The key that verifies a spend's signature: the account's key plus a random amount, which the signer must know.
import { drawUntilFound } from '@wallet-companion/base/bytes';
import type { Pool } from '@wallet-companion/zcash/pools';
import type { RandomBytes } from '@wallet-companion/zcash/signing';
import { cryptographyOf } from '@wallet-companion/zcash/signing';
import { randomScalar } from './randomness.ts';

export function randomizedKey(
  pool: Pool,
  ak: Uint8Array,
  randomBytes: RandomBytes,
): { readonly alpha: Uint8Array; readonly rk: Uint8Array } {
  const { spendAuth, isKey } = cryptographyOf(pool);
  return drawUntilFound(() => {
    const alpha = randomScalar(pool, randomBytes);
    const rk = spendAuth.randomizedValidatingKey(ak, alpha);
    return isKey(rk) ? { alpha, rk } : undefined;
  });
}
