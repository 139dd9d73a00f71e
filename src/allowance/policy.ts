// What an allowance signer may sign without asking. Its owner writes it as JSON; here it is read and compared with a payment.

import { FormatError } from '@wallet-companion/base/bytes';
import { zecText } from '@wallet-companion/base/values';
import type { PaymentEffect } from '@wallet-companion/pczt/signer';
import { receiverTexts } from '@wallet-companion/zcash/addresses';
import type { NetworkParameters } from '@wallet-companion/zcash/network';
import * as z from 'zod';
import { badField } from '../protocol/errors.ts';
import * as field from '../protocol/fields.ts';

const MAX_ACCOUNTS = 16;
const MAX_PAYEES = 1000;
export const DAY_MS = 24 * 3_600_000;
export const MONTH_MS = 30 * DAY_MS;

export const policySchema = z.strictObject({
  /** Limits are of what leaves the account: payments and fee together. */
  payment_zatoshi: field.zatoshi,
  day_zatoshi: field.zatoshi,
  /** In 30 days. */
  month_zatoshi: field.zatoshi,
  fee_zatoshi: field.zatoshi,
  /** Null: anybody. */
  payees: z.array(field.address).max(MAX_PAYEES).nullable(),
  /** Where value may be spent from and go to. */
  pools: z.array(z.enum([...field.POOL_NAMES, 'transparent'])),
  /** Whether value may go from one of them to another. */
  crossing: z.boolean(),
  accounts: z.array(field.account).max(MAX_ACCOUNTS),
  /** Signed only when asked again after so many seconds. */
  delay: z
    .strictObject({
      above_zatoshi: field.zatoshi,
      seconds: z
        .int()
        .min(1)
        .max((MONTH_MS - DAY_MS) / 1000),
    })
    .nullable(),
  /** Signed only after a person has typed yes. */
  confirm: z.strictObject({ above_zatoshi: field.zatoshi }).nullable(),
});

export type Policy = z.output<typeof policySchema>;

/** A new signer signs nothing. */
export const FIRST_POLICY: Policy = {
  payment_zatoshi: 0,
  day_zatoshi: 0,
  month_zatoshi: 0,
  fee_zatoshi: 0,
  payees: [],
  pools: ['ironwood'],
  crossing: false,
  accounts: [0],
  delay: null,
  confirm: null,
};

/** The receivers of the payees, as `PaymentEffect` has them. Throws `INVALID_REQUEST` for what is no address of the network. */
export function receiversOf(
  { payees }: Pick<Policy, 'payees'>,
  params: NetworkParameters,
): ReadonlySet<string> | undefined {
  return payees === null ? undefined : new Set(payees.flatMap((text) => receiversIn(text, params)));
}

function receiversIn(text: string, params: NetworkParameters): string[] {
  try {
    return receiverTexts(text, params);
  } catch (error) {
    if (!(error instanceof FormatError)) throw error;
    throw badField('payees', `has an entry that is no address of this network: ${text.slice(0, 32)}`);
  }
}

/** What was signed in the last 24 hours and 30 days, in zatoshi. */
export interface Spent {
  readonly day: number;
  readonly month: number;
}

export interface PaymentTotals {
  readonly total: number;
  readonly fee: number;
}

/** Amounts are exact: no PCZT that is read moves more than 21,000,000 ZEC. */
export const totalsOf = ({ payments, fee }: PaymentEffect): PaymentTotals => ({
  total: Number(payments.reduce((sum, { amount }) => sum + amount, fee)),
  fee: Number(fee),
});

/** Why the policy refuses a payment, as the end of a sentence; undefined where it does not. */
export function refusalOf(
  effect: PaymentEffect,
  policy: Policy,
  receivers: ReadonlySet<string> | undefined,
  spent: Spent,
): string | undefined {
  const { total, fee } = totalsOf(effect);
  const { pools, crossing, accounts } = policy;
  if (!accounts.includes(effect.account)) return 'the account is not one that may pay';
  if (receivers !== undefined && effect.payments.some(({ address }) => !receivers.has(address)))
    return 'it pays an address that is not among the payees';
  if (effect.places.some((place) => !pools.includes(place))) return 'it uses a pool that is not allowed';
  if (!crossing && effect.places.length > 1) return 'it moves value from one pool to another';
  if (fee > policy.fee_zatoshi) return `its fee is above ${zecText(policy.fee_zatoshi)} ZEC`;
  if (total > policy.payment_zatoshi)
    return `one payment may take ${zecText(policy.payment_zatoshi)} ZEC, its fee included, and this one takes ${zecText(total)}`;
  return (
    windowRefusal('24 hours', policy.day_zatoshi, spent.day, total) ??
    windowRefusal('30 days', policy.month_zatoshi, spent.month, total)
  );
}

const windowRefusal = (time: string, limit: number, spent: number, total: number): string | undefined =>
  spent + total > limit
    ? `payments may take ${zecText(limit)} ZEC in ${time}, of which ${zecText(spent)} are spent, and this one takes ${zecText(total)}`
    : undefined;
