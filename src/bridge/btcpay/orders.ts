// What BTCPay calls an address of an account is an invoice of the wallet, with an address that nothing else ever gets. Its
// number is in the invoice itself, so that there is no second list which could be lost or say otherwise.

import type { Inputs, Outputs } from '@wallet-companion/client/contract';

export type Invoice = Outputs['invoices.get'];

export interface Order {
  /** BTCPay's number of the address. */
  readonly index: number;
  readonly account: number;
  readonly address: string;
  readonly requiredConfirmations: number;
  /** Whether a payment counts once a node has given its block. */
  readonly requiresVerified: boolean;
  readonly payments: Invoice['payments'];
}

/** The plugin keeps it in 32 bits with a sign. */
export const MAX_INDEX = 2 ** 31 - 1;
/** BTCPay has its own clock for what is paid in time; a payment that comes later is in the invoice all the same. */
const LONGEST_SECONDS = 30 * 24 * 3600;
const CONFIRMATIONS = 10;

/** No two invoices of a wallet have the same reference, so two bridges never take the same number. */
const referenceOf = (index: number): string => `btcpay ${index}`;

/** `bridge` names the process that asks: another one that draws the same number is refused it. */
export const orderRequest = (
  index: number,
  account: number,
  label: string,
  bridge: string,
): Inputs['invoices.create'] => ({
  account,
  reference: referenceOf(index),
  ...(label === '' ? {} : { label }),
  expires_in_seconds: LONGEST_SECONDS,
  confirmations: CONFIRMATIONS,
  metadata: { btcpay: { index, bridge } },
});

/** Undefined: an invoice that was not made for BTCPay. */
export function orderOf(invoice: Invoice): Order | undefined {
  const { btcpay } = invoice.metadata ?? {};
  const { index } = (typeof btcpay === 'object' && btcpay !== null ? btcpay : {}) as { index?: unknown };
  if (typeof index !== 'number' || !Number.isInteger(index) || index < 0 || index > MAX_INDEX)
    return undefined;
  if (invoice.reference !== referenceOf(index)) return undefined;
  const { account, address, payments } = invoice;
  const { required_confirmations: requiredConfirmations, require_verified: requiresVerified } = invoice;
  return { index, account, address, requiredConfirmations, requiresVerified, payments };
}
