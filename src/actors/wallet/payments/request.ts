// What a request asks for: recipients as a payment URI (ZIP 321), a list, or one address, and how they are to be paid. An error
// names the path of the wrong field.

import { blake2b } from '@noble/hashes/blake2.js';
import { bytesToHex, FormatError, wipe } from '@wallet-companion/base/bytes';
import { DEFAULT_CONFIRMATIONS } from '@wallet-companion/pczt/spending';
import type { NetworkParameters } from '@wallet-companion/zcash/network';
import { parsePaymentUri, parseZecText, type RequestedPayment } from '@wallet-companion/zcash/zip321';
import { badField, CompanionError, type FieldError } from '../../../protocol/errors.ts';
import type { CallingGrant } from '../../../protocol/grants.ts';
import type { HandledInput, Input } from '../../../protocol/operations.ts';

type PrepareInput = Input<'payments.prepare'>;
type Recipient = NonNullable<PrepareInput['recipients']>[number];
export type RecipientField = 'address' | 'contact' | 'amount' | 'memo';

/** The address of a contact. Throws `NOT_FOUND` with the path. */
export type AddressOf = (contact: string, path: string) => string;

export interface Requested {
  readonly payments: readonly RequestedPayment[];
  readonly pathOf: PathOf;
}

/** What makes a payment a refund. */
export interface Refunding {
  readonly invoiceId: string;
  /** Throws where another refund was first, or what came is gone. */
  readonly check: () => void;
}

/** The payment that a refund is. Throws `NOT_FOUND`, `INVOICE_STATE`, `ALREADY_REFUNDED` and `INVALID_REQUEST`. */
export type RefundRequest = (
  input: Input<'payments.refund'>,
  grant: CallingGrant | undefined,
) => { readonly input: PrepareInput; readonly refunding: Refunding };

/** The path of the field in the request. */
export type PathOf = (index: number, field: RecipientField) => string;

/** As many as a list may have. */
const MAX_PAYMENTS = 64;
const DEFAULT_MAX_ACTIONS = 32;
const DIGEST_SIZE = 32;

/** Throws `INVALID_REQUEST`. */
export function requestedPayments(
  input: PrepareInput,
  params: NetworkParameters,
  addressOf: AddressOf,
): Requested {
  const { uri, recipients, address, contact } = input;
  const given = Object.entries({ uri, contact, address, recipients }).filter(([, one]) => one !== undefined);
  const [[first] = ['recipients']] = given;
  if (given.length === 0)
    throw badField(first, 'is missing: say whom to pay, here, in uri, in address or in contact');
  if (given.length > 1) throw badField(first, 'cannot be given beside another way to say whom to pay');
  if (uri !== undefined) return inUri(uri, input, params);
  if (recipients === undefined) {
    const path: PathOf = (_index, field) => fieldOf(input, field);
    return { payments: [paymentOf(input, path, 0, addressOf)], pathOf: path };
  }
  for (const field of ['amount', 'zatoshi', 'memo'] as const) {
    if (input[field] !== undefined)
      throw badField(field, 'cannot be given beside recipients: each of them has its own');
  }
  const pathOf: PathOf = (index, field) => `recipients.${index}.${fieldOf(recipients[index]!, field)}`;
  const faults: CompanionError[] = [];
  const payments = recipients.flatMap((one, index) => {
    try {
      return [paymentOf(one, pathOf, index, addressOf)];
    } catch (error) {
      if (!(error instanceof CompanionError) || error.errors === undefined) throw error;
      faults.push(error);
      return [];
    }
  });
  const [only, ...others] = faults;
  if (only !== undefined) {
    wipe(...payments.map(({ memo }) => memo));
    throw others.length === 0 ? only : badFields(faults.flatMap(({ errors = [] }) => errors));
  }
  return { payments, pathOf };
}

export const badFields = (errors: readonly FieldError[]): CompanionError =>
  new CompanionError('INVALID_REQUEST', errors.map(({ path, message }) => `${path} ${message}.`).join(' '), {
    errors,
  });

/** What is wrong with an address is wrong with the field that gave it. */
const fieldOf = ({ contact }: Recipient, field: RecipientField): RecipientField =>
  field === 'address' && contact !== undefined ? 'contact' : field;

/** Labels and messages are only shown to the payer. */
function inUri(uri: string, input: PrepareInput, params: NetworkParameters): Requested {
  if (input.memo !== undefined) throw badField('memo', 'cannot be given beside uri');
  const payments = refusing('uri', () => parsePaymentUri(uri, params));
  if (payments.length > MAX_PAYMENTS)
    throw badField(
      'uri',
      `asks for ${payments.length} payments; one transaction has ${MAX_PAYMENTS} at most`,
    );
  const pathOf = (): string => 'uri';
  const zatoshi = amountOf(input);
  if (zatoshi === undefined) return { payments, pathOf };
  const [only, ...others] = payments;
  if (only === undefined || others.length > 0 || only.zatoshi !== undefined)
    throw badField(
      input.amount === undefined ? 'zatoshi' : 'amount',
      'cannot be given: the uri says the amount',
    );
  return { payments: [{ ...only, zatoshi }], pathOf };
}

function paymentOf(
  recipient: Recipient,
  pathOf: PathOf,
  index: number,
  addressOf: AddressOf,
): RequestedPayment {
  const { contact, memo } = recipient;
  const address = recipient.address ?? addressOf(contact!, pathOf(index, 'contact'));
  const zatoshi = amountOf(recipient, pathOf(index, 'amount'));
  return {
    address,
    ...(zatoshi === undefined ? {} : { zatoshi }),
    ...(memo === undefined ? {} : { memo: new TextEncoder().encode(memo) }),
  };
}

interface GivenAmount {
  /** Amount in ZEC. */
  readonly amount?: string | undefined;
  readonly zatoshi?: number | undefined;
}

/** Zatoshi, from either field; `path`: that of the amount as text. */
export function amountOf({ amount, zatoshi }: GivenAmount, path = 'amount'): number | undefined {
  if (amount === undefined) return zatoshi;
  if (zatoshi !== undefined) throw badField(path, 'cannot be given beside zatoshi');
  return refusing(path, () => parseZecText(amount));
}

/** Reads text of the request. */
export function refusing<T>(path: string, read: () => T): T {
  try {
    return read();
  } catch (error) {
    if (error instanceof FormatError) throw badField(path, `is refused: ${error.message}`);
    throw error;
  }
}

/** What the request leaves open is filled in. */
export function optionsOf(input: PrepareInput) {
  const received = input.confirmations ?? DEFAULT_CONFIRMATIONS.received;
  const change = input.change_confirmations ?? Math.min(DEFAULT_CONFIRMATIONS.change, received);
  return {
    confirmations: { received, change },
    maxActions: input.max_actions ?? DEFAULT_MAX_ACTIONS,
    expiryHeight: input.expiry_height,
    consents: input.privacy,
    changePolicy: input.change,
    sources: input.pools,
    everything: input.everything,
  };
}

/**
 * What two calls with one idempotency key must have in common: who is paid what from which account. How it is made, signed and
 * sent may differ: a repeated call names another expiry or server, or consents to what the first one was refused for.
 *
 * BLAKE2b-256, in hexadecimal, of the recipients as they are named and in their order. A contact counts by its name, whatever its
 * address is by now; an amount is the same in ZEC and in zatoshi. Throws `INVALID_REQUEST` for an amount that is given twice.
 */
export function contentDigest(input: HandledInput<'payments.pay'>): string {
  const { account = 0, uri = null, everything = false, recipients = [input] } = input;
  const paid = recipients.map((one, index) => {
    const path = one === input ? 'amount' : `recipients.${index}.amount`;
    return [one.address ?? null, one.contact ?? null, amountOf(one, path) ?? null, one.memo ?? null];
  });
  const text = JSON.stringify([account, uri, everything, paid]);
  return bytesToHex(blake2b(new TextEncoder().encode(text), { dkLen: DIGEST_SIZE }));
}
