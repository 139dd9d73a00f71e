// The requested recipients, from ZIP 321 or a list, with the receivers that each address offers at this height. Everything
// that must not be paid is refused here, before any choice.

import { FormatError } from '@wallet-companion/base/bytes';
import type { Height, Zatoshi } from '@wallet-companion/base/values';
import { type PayableReceivers, payableReceivers, scriptOf } from '@wallet-companion/zcash/addresses';
import type { IncomingKey } from '@wallet-companion/zcash/keys';
import { MAX_MONEY, type NetworkParameters } from '@wallet-companion/zcash/network';
import { MEMO_SIZE } from '@wallet-companion/zcash/notes';
import { POOL, type Pool } from '@wallet-companion/zcash/pools';
import type { RequestedPayment } from '@wallet-companion/zcash/zip321';
import { LEAST_TRANSPARENT } from '@wallet-companion/zcash/zip321';
import type { Place } from '../pczt/inspection.ts';
import { isAddressOf } from '../pczt/outputNote.ts';
import { mapInSteps, type Steps } from '../pczt/steps.ts';
import { type RecipientFault, refuseSpending } from './refusal.ts';
import type { SpendingRules } from './rules.ts';

export interface Receiver {
  readonly place: Place;
  /** 43 bytes of a shielded receiver, or the script. */
  readonly bytes: Uint8Array;
}

export interface Payee {
  /** The address as typed. */
  readonly address: string;
  /** The address's payable receivers, best first; at least one. */
  readonly receivers: readonly Receiver[];
  /** Undefined where the amount is everything. */
  readonly zatoshi: Zatoshi | undefined;
  /** As given. */
  readonly memo: Uint8Array | undefined;
  /** The address's own expiry (ZIP 316). */
  readonly lastHeight: Height | undefined;
  readonly lastTime: number | undefined;
}

/** Keys that recognise the wallet's addresses: payments to its change addresses are refused. */
export type OwnKey = Pick<IncomingKey, 'protocol' | 'scope' | 'ivk'>;

export const isAmount = (zatoshi: number): boolean =>
  Number.isSafeInteger(zatoshi) && zatoshi >= 0 && zatoshi <= Number(MAX_MONEY);

/** One step for each payee: recognising own addresses multiplies points. */
export function* payeesOf(
  payments: readonly RequestedPayment[],
  rules: SpendingRules,
  params: NetworkParameters,
  ownKeys: readonly OwnKey[],
): Steps<Payee[]> {
  const found = yield* mapInSteps(payments, (payment) => payeeOf(payment, rules, params, ownKeys));
  refuseFaulty(found, (payee) => (typeof payee === 'string' ? payee : undefined));
  return found.filter((payee) => typeof payee !== 'string');
}

/** All of them at once: a person corrects a list of recipients once. */
export function refuseFaulty<T>(items: readonly T[], faultOf: (item: T) => RecipientFault | undefined): void {
  const faults = items.flatMap((item, index) => {
    const fault = faultOf(item);
    return fault === undefined ? [] : [{ index, fault }];
  });
  if (faults.length > 0) refuseSpending({ kind: 'recipient', faults });
}

function payeeOf(
  { address, zatoshi, memo }: RequestedPayment,
  rules: SpendingRules,
  params: NetworkParameters,
  ownKeys: readonly OwnKey[],
): Payee | RecipientFault {
  const offered = readAddress(address, params);
  if (offered === undefined) return 'address';
  if (offered.isTransparentSourceOnly) return 'tex';
  const receivers = receiversOf(offered, rules);
  if (receivers.length === 0) return 'noReceiver';
  if (receivers.some(({ place, bytes }) => isInternal(place, bytes, ownKeys))) return 'internalAddress';
  const isTransparent = receivers[0]!.place === 'transparent';
  if (memo !== undefined && memo.length > MEMO_SIZE) return 'memoTooLong';
  if (memo !== undefined && memo.length > 0 && isTransparent) return 'memoToTransparent';
  if (zatoshi !== undefined && !isAmount(zatoshi)) return 'amountRange';
  if (zatoshi !== undefined && isTransparent && zatoshi < LEAST_TRANSPARENT) return 'amountDust';
  const { lastHeight, lastTime } = offered;
  return {
    address,
    receivers,
    zatoshi,
    memo,
    lastHeight,
    lastTime,
  };
}

function readAddress(address: string, params: NetworkParameters): PayableReceivers | undefined {
  try {
    return payableReceivers(address, params);
  } catch (error) {
    if (error instanceof FormatError) return undefined;
    throw error;
  }
}

/** Shielded receivers, newest pool first; the transparent one only where there is no other, so that memos are possible. */
function receiversOf(offered: PayableReceivers, { payable }: SpendingRules): Receiver[] {
  const found = payable.toReversed().flatMap((place: Pool): Receiver[] => {
    const bytes = offered[POOL[place].protocol];
    return bytes === undefined ? [] : [{ place, bytes }];
  });
  const { transparent } = offered;
  if (found.length > 0 || transparent === undefined) return found;
  return [{ place: 'transparent', bytes: scriptOf(transparent) }];
}

const isInternal = (place: Place, bytes: Uint8Array, ownKeys: readonly OwnKey[]): boolean =>
  place !== 'transparent' &&
  ownKeys.some(
    ({ protocol, scope, ivk }) =>
      scope === 'internal' && protocol === POOL[place].protocol && isAddressOf(place, bytes, ivk),
  );
