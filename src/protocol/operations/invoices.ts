// Invoices: what a shop asks for, with an address of its own, and how it stands. The state follows from the chain, the
// mempool and the clock; docs/invoices.md has its rules.

import { CURRENCY_PATTERN, MONEY_PATTERN } from '@wallet-companion/base/values';
import { hasHidden } from '@wallet-companion/client/contract';
import * as z from 'zod';
import * as field from '../fields.ts';
import { NEEDS_SESSION, type Operation } from '../operation.ts';
import {
  AMOUNT_PATTERN,
  invoiceId,
  MAX_MEMO_BYTES,
  MAX_ZATOSHI,
  qrCode,
  qrFiles,
  qrFormat,
  text,
} from './paymentFields.ts';
import { PAYMENT_STATUSES, paymentId } from './preparedPaymentFields.ts';

export const INVOICE_STATES = ['new', 'seen', 'paid', 'confirmed', 'expired', 'cancelled'] as const;
export const INVOICE_EXCEPTIONS = ['reversed', 'overpaid', 'late', 'partial'] as const;

const MAX_REFERENCE_LENGTH = 200;
const MAX_LABEL_BYTES = 256;
/** JSON readers have limits of their own, down to 32 for a whole answer or event with what is around it. */
const MAX_METADATA_DEPTH = 16;
const MAX_METADATA_BYTES = 4096;
const MIN_SECONDS = 60;
const MAX_SECONDS = 30 * 24 * 3600;
const MAX_CONFIRMATIONS = 100;
/** Less than fronts and proxies wait for an answer. */
const MAX_WAIT_SECONDS = 60;

const reference = z
  .string()
  .refine((value) => field.isWellFormed(value) && value.trim() !== '', 'must be text')
  .refine((value) => !hasHidden(value), field.HIDDEN_REFUSED)
  .refine(
    (value) => [...value].length <= MAX_REFERENCE_LENGTH,
    `must be at most ${MAX_REFERENCE_LENGTH} characters`,
  )
  .meta({
    description:
      "The shop's number of the order, 1 to 200 characters; no two invoices of a wallet have the same",
    minLength: 1,
    maxLength: MAX_REFERENCE_LENGTH,
    pattern: String.raw`\S`,
  });

const metadata = z
  .record(z.string(), z.unknown())
  .refine(
    (value) => jsonLength(value) <= MAX_METADATA_BYTES,
    `must be at most ${MAX_METADATA_BYTES} bytes of JSON`,
  )
  .refine(
    (value) => isAtMostDeep(value, MAX_METADATA_DEPTH),
    `must be nested at most ${MAX_METADATA_DEPTH} deep`,
  );

const isAtMostDeep = (value: unknown, depth: number): boolean =>
  typeof value !== 'object' ||
  value === null ||
  (depth > 0 && Object.values(value).every((member) => isAtMostDeep(member, depth - 1)));

/** Infinite where the value is too deep to be written, or no JSON. */
function jsonLength(value: unknown): number {
  try {
    return field.utf8Length(JSON.stringify(value));
  } catch {
    return Number.POSITIVE_INFINITY;
  }
}

const sequence = z.int().min(0);

const currency = z
  .string()
  .regex(new RegExp(CURRENCY_PATTERN), 'must be three capital letters (ISO 4217), such as EUR');
const decimal = z.string().describe('Decimal text');

const price = z
  .strictObject({
    currency,
    value: decimal.describe('The amount in money that was asked for'),
    rate: decimal.describe('What one ZEC cost; `amount_zatoshi` is `value` at this rate, rounded up'),
    rate_time: field.time,
    source: z.string().describe('The name that the source of prices gives itself'),
  })
  .nullable();

const payment = z.strictObject({
  txid: field.displayHash,
  pool: field.pool,
  output_index: field.count,
  height: field.height.nullable().describe('Null while it is unmined'),
  time: field.time.nullable().describe('Of its block'),
  amount_zatoshi: field.zatoshi,
  verified_with: field.mark.describe(
    'That a node gave its block; null: a compact server alone says what is in it, or it is unmined',
  ),
  memo: field.memo.optional().describe('In answers and to hooks; not in the event'),
  refund_addresses: z
    .array(z.string())
    .optional()
    .describe(
      'Addresses that stand alone on a line of the memo, also after "Reply-To:", as the payer wrote them. In answers and to hooks; not in the event',
    ),
});

const refund = z.strictObject({
  payment_id: paymentId.describe('As `payments.refund` gave it'),
  txid: field.displayHash,
  status: z
    .enum(PAYMENT_STATUSES)
    .describe(
      'Of that payment. Where the wallet keeps it no more, `sent` means that a block may still have it',
    ),
  amount_zatoshi: field.zatoshi,
  created_at: field.time,
  mined_height: field.height.nullable(),
});

export const invoice = z.strictObject({
  invoice_id: invoiceId,
  account: field.account,
  reference: z.string().nullable(),
  state: z
    .enum(INVOICE_STATES)
    .describe(
      '`seen`: something is in the mempool, or all is mined and a payment lacks the mark that `require_verified` demands. `paid`: the amount is mined in blocks from before `expires_at` or the cancellation. `confirmed`: and lies `required_confirmations` deep',
    ),
  exception: z
    .enum(INVOICE_EXCEPTIONS)
    .nullable()
    .describe(
      '`reversed`: less is mined than was announced once. `overpaid`. `late`: something was mined after it had expired or was cancelled. `partial`: something, but not the amount',
    ),
  amount_zatoshi: field.zatoshi.nullable().describe('Null: the payer chooses'),
  price: price.describe('What it was made from, kept as it was; null where it was made for an amount in ZEC'),
  received_zatoshi: field.zatoshi.describe('Mined, in time or late'),
  unmined_zatoshi: field.zatoshi
    .nullable()
    .describe('Null where the mempool was not looked at in this session'),
  confirmations: field.count.describe(
    'Of the payment with which the amount was reached; without one, of the newest',
  ),
  required_confirmations: field.count,
  require_verified: z
    .boolean()
    .describe('It is at most `seen` until the block of each payment in time carries a mark'),
  verified_with: field.mark.describe(
    'The mark of the blocks of all its payments; null where one carries none, or nothing is mined',
  ),
  address: z.string(),
  diversifier_index: field.diversifierIndex,
  uri: z.string().describe('The payment request (ZIP 321)'),
  label: z.string().nullable(),
  memo: z.string().nullable(),
  metadata: z.record(z.string(), z.unknown()).nullable(),
  grant_id: z
    .string()
    .nullable()
    .describe('The grant that made it; null: the owner, or a caller without one'),
  created_at: field.time,
  expires_at: field.time,
  cancelled_at: field.time.nullable(),
  changed_at: field.time.describe('Of the last change that was announced'),
  sequence: sequence.describe(
    "Number of the last change that was announced (`invoice.changed`); rises over all of the wallet's invoices",
  ),
  payments: z.array(payment).describe('The oldest first, unmined ones last; the last 100'),
  refunds: z.array(refund).describe('The earliest first, with those that were given up or expired'),
  refunded_zatoshi: field.zatoshi.describe('In refunds that are mined, or may still be'),
  refundable_zatoshi: field.zatoshi.describe(
    'What can be refunded now: what came, is `required_confirmations` deep and carries the mark that is demanded, less `refunded_zatoshi`',
  ),
  warning: field.warning,
});

const ERRORS = [...NEEDS_SESSION, 'WALLET_CORRUPT'] as const;

export const invoicesOperations = {
  'invoices.create': {
    actor: 'wallet',
    access: 'session',
    reach: ['invoice'],
    summary:
      'Make an invoice with an address of its own; the same one again for the same reference and content',
    input: z.strictObject({
      account: field.oneAccount,
      amount: z
        .string()
        .refine(
          (value) => new RegExp(AMOUNT_PATTERN).test(value) || new RegExp(MONEY_PATTERN).test(value),
          'must be an amount with a point, such as 1.5',
        )
        .meta({ description: 'In ZEC, or in `currency`, as text; with neither amount the payer chooses' })
        .optional(),
      currency: currency
        .describe(
          '`amount` is in this money (ISO 4217), and becomes ZEC at the newest price of `price_source`',
        )
        .optional(),
      accept_stale_rate: z
        .boolean()
        .describe('Whether a price older than `price_max_age_minutes` of config.json may be used')
        .optional(),
      amount_zatoshi: z.int().min(1).max(MAX_ZATOSHI).describe('In the place of `amount`').optional(),
      reference: reference.optional(),
      label: text("Who is paid, for the payer's screen", MAX_LABEL_BYTES).optional(),
      memo: text('Comes with the payment', MAX_MEMO_BYTES).optional(),
      expires_in_seconds: z
        .int()
        .min(MIN_SECONDS)
        .max(MAX_SECONDS)
        .describe('From a minute to 30 days (default 900)')
        .optional(),
      confirmations: z
        .int()
        .min(1)
        .max(MAX_CONFIRMATIONS)
        .describe(
          'To count as confirmed (default: 1 below `invoice_one_confirmation_below` of config.json, else 10)',
        )
        .optional(),
      require_verified: z
        .boolean()
        .describe(
          'Whether the block of each payment must carry a mark (`verified_with`) before it counts (default: whether a node is configured)',
        )
        .optional(),
      metadata: metadata
        .describe(
          'Any JSON object of at most 4 KiB, nested at most 16 deep, kept as it is; a number that a double does not hold is refused: give it as text',
        )
        .optional(),
    }),
    output: invoice,
    http: { method: 'POST', path: '/api/invoices' },
    ipc: 'invoices_create',
    cli: { words: ['invoices', 'create'] },
    hasFunds: true,
    errors: [...ERRORS, 'NOT_FOUND', 'REFERENCE_IN_USE', 'PRICE_UNAVAILABLE', 'PRICE_STALE'],
  },
  'invoices.get': {
    actor: 'wallet',
    access: 'session',
    reach: ['read', 'invoice'],
    owns: 'invoice',
    summary: 'One invoice; with `wait_seconds`, once it has changed',
    input: z.strictObject({
      invoice_id: invoiceId,
      wait_seconds: z
        .int()
        .min(0)
        .max(MAX_WAIT_SECONDS)
        .describe('Wait so long for a change after `after`; then it answers as it stands')
        .optional(),
      after: sequence.describe('The `sequence` that is known (default: the present one)').optional(),
    }),
    output: invoice,
    http: { method: 'GET', path: '/api/invoices/{invoice_id}' },
    ipc: 'invoices_get',
    cli: { words: ['invoices', 'show'], positional: ['invoice_id'] },
    hasFunds: true,
    errors: [...ERRORS, 'NOT_FOUND'],
  },
  'invoices.list': {
    actor: 'wallet',
    access: 'session',
    reach: ['read', 'invoice'],
    summary:
      'Invoices, the latest first; with `since`, those that changed after that number, in the order of their changes',
    input: z.strictObject({
      account: field.onlyAccount,
      state: z.enum(INVOICE_STATES).describe('Those alone that stand so').optional(),
      reference: reference.describe('The one with this reference').optional(),
      since: sequence
        .describe('`sequence` of the last change that is known; 0: from the first on')
        .optional(),
      limit: field.limit.optional(),
      cursor: field.cursor.describe('`next_cursor` of the page before; not beside `since`').optional(),
    }),
    output: z.strictObject({
      invoices: z.array(invoice),
      next_cursor: z.string().nullable(),
      sequence: sequence.describe('Number of the last change of any invoice'),
      series: z
        .string()
        .nullable()
        .describe(
          'Names the numbering. If it is another one, begin anew with `since` 0; null before the first invoice',
        ),
      has_more: z.boolean(),
      warning: field.warning,
      own_grant_id: z
        .string()
        .nullable()
        .describe("The caller's grant, as `grant_id` has it in the invoices that the caller made"),
    }),
    http: { method: 'GET', path: '/api/invoices' },
    ipc: 'invoices_list',
    cli: {
      words: ['invoices', 'list'],
      columns: [
        'invoice_id',
        'state',
        'amount_zatoshi',
        'reference',
        'exception',
        'received_zatoshi',
        'expires_at',
      ],
      lines: [],
    },
    hasFunds: true,
    errors: [...ERRORS, 'NOT_FOUND'],
  },
  'invoices.cancel': {
    actor: 'wallet',
    access: 'session',
    reach: ['invoice'],
    owns: 'invoice',
    summary: 'Cancel an invoice that is not paid; what is mined afterwards is `late`',
    input: z.strictObject({ invoice_id: invoiceId }),
    output: invoice,
    http: { method: 'POST', path: '/api/invoices/{invoice_id}/cancel' },
    ipc: 'invoices_cancel',
    cli: { words: ['invoices', 'cancel'], positional: ['invoice_id'] },
    hasFunds: true,
    errors: [...ERRORS, 'NOT_FOUND', 'INVOICE_STATE'],
  },
  'invoices.qr': {
    actor: 'wallet',
    access: 'session',
    reach: ['read', 'invoice'],
    owns: 'invoice',
    summary: 'The payment request of an invoice as a QR code',
    input: z.strictObject({
      invoice_id: invoiceId,
      format: qrFormat,
    }),
    output: qrCode,
    http: {
      method: 'GET',
      path: '/api/invoices/{invoice_id}/qr',
      files: qrFiles('invoice'),
    },
    ipc: 'invoices_qr',
    cli: { words: ['invoices', 'qr'], positional: ['invoice_id'], file: 'code' },
    errors: [...ERRORS, 'NOT_FOUND'],
  },
  'prices.get': {
    actor: 'wallet',
    access: 'anyone',
    reach: ['read', 'invoice'],
    summary:
      'The newest prices of ZEC in money; asks the source for nothing that it would not be asked for anyway',
    input: z.strictObject({}),
    output: z.strictObject({
      is_configured: z.boolean().describe('Whether config.json names a `price_source`'),
      source: z.string().nullable().describe('The name that the source gives itself; null without prices'),
      time: field.time.nullable().describe('When the prices held'),
      is_stale: z.boolean().describe('They are older than `max_age_minutes`: `accept_stale_rate` is needed'),
      max_age_minutes: field.count,
      prices: z.array(z.strictObject({ currency, price: decimal.describe('What one ZEC costs') })),
      problem: z.string().nullable().describe('Why there is no newer quote'),
    }),
    http: { method: 'GET', path: '/api/prices' },
    ipc: 'prices_get',
    cli: {
      words: ['prices', 'show'],
      columns: ['currency', 'price'],
      lines: ['source', 'time', 'is_stale', 'problem'],
    },
    errors: [],
  },
} as const satisfies Record<string, Operation>;
