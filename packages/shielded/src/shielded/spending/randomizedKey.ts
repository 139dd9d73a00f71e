// The key that verifies a spend's signature: the account's key plus a random amount, which the signer must know.
import type { Pool } from '../pools.ts';
import { cryptographyOf } from '../transaction/poolCryptography.ts';
import type { RandomBytes } from '../transaction/redDsa.ts';
import { randomScalar, retried } from './randomness.ts';

export function randomizedKey(
  pool: Pool,
  ak: Uint8Array,
  randomBytes: RandomBytes,
): { readonly alpha: Uint8Array; readonly rk: Uint8Array } {
  const { spendAuth, isKey } = cryptographyOf(pool);
  return retried(() => {
    const alpha = randomScalar(pool, randomBytes);
    const rk = spendAuth.randomizedValidatingKey(ak, alpha);
    return isKey(rk) ? { alpha, rk } : undefined;
  });
}
