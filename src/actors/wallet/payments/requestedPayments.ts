// The recipients of a request: a payment URI (ZIP 321), a list, or one address. An error names the path of the wrong field.

import type { NetworkParameters } from '@wallet-companion/shielded/network';
import { parsePaymentUri, type RequestedPayment } from '@wallet-companion/shielded/zip321';
import { badField } from '../../../protocol/errors.ts';
import type { Input } from '../../../protocol/operations.ts';
import { amountOf, refusing } from './givenAmount.ts';

type PrepareInput = Input<'payments.prepare'>;
type Recipient = NonNullable<PrepareInput['recipients']>[number];
type RecipientField = 'address' | 'amount' | 'memo';

export interface Requested {
  readonly payments: readonly RequestedPayment[];
  /** The path of the field in the request. */
  pathOf(index: number, field: RecipientField): string;
}

/** As many as a list may have. */
const MAX_PAYMENTS = 64;

/** Throws `INVALID_REQUEST`. */
export function requestedPayments(input: PrepareInput, params: NetworkParameters): Requested {
  const { uri, recipients, address } = input;
  const given = [uri, recipients, address].filter((one) => one !== undefined).length;
  if (given === 0) throw badField('recipients', 'is missing: say whom to pay, here, in uri or in address');
  if (given > 1)
    throw badField(
      uri === undefined ? 'address' : 'uri',
      'cannot be given beside another way to say whom to pay',
    );
  if (uri !== undefined) return inUri(uri, input, params);
  if (recipients === undefined) {
    const path = (_index: number, field: RecipientField): string => field;
    return { payments: [paymentOf({ ...input, address: address! }, path)], pathOf: path };
  }
  for (const field of ['amount', 'zatoshi', 'memo'] as const) {
    if (input[field] !== undefined)
      throw badField(field, 'cannot be given beside recipients: each of them has its own');
  }
  const pathOf = (index: number, field: RecipientField): string => `recipients.${index}.${field}`;
  return { payments: recipients.map((one, index) => paymentOf(one, pathOf, index)), pathOf };
}

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

function paymentOf(recipient: Recipient, pathOf: Requested['pathOf'], index = 0): RequestedPayment {
  const { address, memo } = recipient;
  const zatoshi = amountOf(recipient, pathOf(index, 'amount'));
  return {
    address,
    ...(zatoshi === undefined ? {} : { zatoshi }),
    ...(memo === undefined ? {} : { memo: new TextEncoder().encode(memo) }),
  };
}
