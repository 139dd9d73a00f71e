// The keys of a pool's binding signature, from the effects of a transaction: a valid signature proves that the value
// commitments add up to the value balance.

import { FormatError } from '@wallet-companion/base/bytes';
import { POOL, type Pool } from '../pools.ts';
import { poolEffects, type TransactionEffects } from './effects.ts';
import { cryptographyOf } from './poolCryptography.ts';
import type { RandomBytes } from './redDsa.ts';

/**
 * `bvk` of a pool's part (protocol specification §4.13, §4.14): 32 bytes, against which its binding signature is
 * verified. FormatError where a value commitment is not a point.
 */
export function bindingValidatingKey(effects: TransactionEffects, pool: Pool): Uint8Array {
  const { added, subtracted, valueBalance } = poolEffects(effects, pool);
  return cryptographyOf(pool).values.bindingValidatingKey(added, subtracted, valueBalance);
}

/** Whether `bsk` belongs to the effects, and so their commitments to their value balance. */
export function isBindingSigningKey(effects: TransactionEffects, pool: Pool, bsk: Uint8Array): boolean {
  return cryptographyOf(pool).binding.isSigningKeyOf(bindingValidatingKey(effects, pool), bsk);
}

/** The key is not wiped: its owner may have to sign again, and wipes it. */
export function signBinding(
  effects: TransactionEffects,
  pool: Pool,
  bsk: Uint8Array,
  sighash: Uint8Array,
  randomBytes: RandomBytes,
): Uint8Array {
  if (!isBindingSigningKey(effects, pool, bsk)) {
    throw new FormatError(`the ${POOL[pool].name} value commitments do not add up to the value balance`);
  }
  return cryptographyOf(pool).binding.sign(bsk, sighash, randomBytes);
}
