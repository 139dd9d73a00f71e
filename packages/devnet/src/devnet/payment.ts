// Payments as a caller states them: an address, a pool, an amount and a memo.
import {
  parseAddress,
  payableReceivers,
  type ShieldedReceivers,
  scriptOf,
} from '@wallet-companion/zcash/addresses';
import type { NetworkParameters } from '@wallet-companion/zcash/network';
import { noMemo, textMemo } from '@wallet-companion/zcash/notes';
import { POOL, type Pool } from '@wallet-companion/zcash/pools';
import type { TransparentOutput } from '@wallet-companion/zcash/transactions';
import type { OutputFlaw, PlannedOutput } from './transactionPlan.ts';

export interface Payment {
  /** Unified (with a receiver for the pool), Sapling, or the receivers themselves (for internal addresses). */
  readonly address: string | ShieldedReceivers;
  readonly pool: Pool;
  readonly zatoshi: number | bigint;
  /** Text, or 512 raw bytes; none means "no memo". */
  readonly memo?: string | Uint8Array;
  /** Makes it an output that must not be credited. */
  readonly flaw?: OutputFlaw;
}

/** To the transparent receiver of an address. */
export interface OpenPayment {
  readonly address: string;
  readonly pool: 'transparent';
  readonly zatoshi: number | bigint;
}

export function encodeMemo(memo: string | Uint8Array | undefined): Uint8Array {
  if (memo === undefined) return noMemo();
  return typeof memo === 'string' ? textMemo(memo) : memo;
}

/** RangeError when the address has no receiver for the pool; FormatError when it is not an address of this network. */
export function planPayment(
  payment: Payment,
  params: NetworkParameters,
  outgoingKey: Uint8Array | undefined,
): PlannedOutput {
  const { address, pool, zatoshi, memo, flaw } = payment;
  const receivers = typeof address === 'string' ? parseAddress(address, params) : address;
  const recipient = receivers[POOL[pool].protocol];
  if (!recipient) throw new RangeError(`the address cannot receive in the ${pool} pool`);
  return { pool, recipient, value: BigInt(zatoshi), memo: encodeMemo(memo), outgoingKey, flaw };
}

/** FormatError when it is not an address of this network with a transparent receiver. */
export function planOpenPayment(
  { address, zatoshi }: OpenPayment,
  params: NetworkParameters,
): TransparentOutput {
  const { transparent } = payableReceivers(address, params);
  if (transparent === undefined) throw new RangeError('the address has no transparent receiver');
  return { value: BigInt(zatoshi), scriptPubKey: scriptOf(transparent) };
}
