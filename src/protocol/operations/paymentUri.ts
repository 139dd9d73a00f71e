// Payment requests (ZIP 321): a link, or a QR code, with recipients and amounts. They are in the body and never in a
// URL of the API, since addresses and memos are private.

import * as z from 'zod';
import * as field from '../fields.ts';
import { ANY_SCOPE } from '../grants.ts';
import { NEEDS_SESSION, type Operation } from '../operation.ts';
import {
  amount,
  MAX_MEMO_BYTES,
  paymentUri,
  qrCode,
  qrFiles,
  qrFormat,
  text,
  zatoshi,
} from './paymentFields.ts';

const MAX_TEXT_BYTES = 512;

const requested = {
  account: field.oneAccount,
  diversifier_index: field.diversifierIndex.optional(),
  address: field.address
    .describe('Another address of this network; default: the one of `account` at `diversifier_index`')
    .optional(),
  amount: amount('In ZEC, as text; left out, the payer chooses').optional(),
  zatoshi: zatoshi.optional(),
  memo: text('Comes with the payment; not for transparent addresses', MAX_MEMO_BYTES).optional(),
  label: text("Who is paid, for the payer's screen", MAX_TEXT_BYTES).optional(),
  message: text("What for, for the payer's screen", MAX_TEXT_BYTES).optional(),
};

const payment = z.strictObject({
  address: z.string(),
  zatoshi: field.zatoshi.nullable(),
  memo: field.memo,
  label: z.string().nullable(),
  message: z.string().nullable(),
});

export const paymentUriOperations = {
  'payment_uri.create': {
    actor: 'wallet',
    access: 'session',
    reach: ['read'],
    summary: 'A payment request (ZIP 321) for an address of the wallet',
    input: z.strictObject(requested),
    output: z.strictObject({ uri: z.string(), address: z.string() }),
    http: { method: 'POST', path: '/api/payment-uri' },
    ipc: 'payment_uri_create',
    cli: { words: ['payment-uri', 'create'] },
    errors: [...NEEDS_SESSION, 'NOT_FOUND'],
  },
  'payment_uri.qr': {
    actor: 'wallet',
    access: 'session',
    reach: ['read'],
    summary: 'A payment request as a QR code',
    input: z.strictObject({
      ...requested,
      format: qrFormat,
    }),
    output: qrCode,
    http: {
      method: 'POST',
      path: '/api/payment-uri/qr',
      files: qrFiles('payment'),
    },
    ipc: 'payment_uri_qr',
    cli: { words: ['payment-uri', 'qr'], file: 'code' },
    errors: [...NEEDS_SESSION, 'NOT_FOUND'],
  },
  'payment_uri.parse': {
    actor: 'wallet',
    access: 'anyone',
    reach: ANY_SCOPE,
    summary: 'What a payment request (ZIP 321) asks for, or why it must not be paid',
    input: z.strictObject({
      uri: paymentUri.describe('zcash:...'),
    }),
    output: z.strictObject({ payments: z.array(payment) }),
    http: { method: 'POST', path: '/api/payment-uri/parse' },
    ipc: 'payment_uri_parse',
    cli: { words: ['payment-uri', 'parse'], positional: ['uri'] },
    errors: [],
  },
} as const satisfies Record<string, Operation>;
