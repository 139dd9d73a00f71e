// Payments: in one call, or in steps. They are made from the wallet's notes as a PCZT (ZIP 374), signed here or elsewhere, checked when
// they come back, broadcast and tracked.

import * as z from 'zod';
import * as field from '../fields.ts';
import { ASKS_SOURCE, NEEDS_PASSWORD, NEEDS_SESSION, type Operation } from '../operation.ts';
import { invoiceId, paymentUri } from './paymentFields.ts';
import {
  CONSENTS,
  combined,
  idempotencyKey,
  MAX_INPUT_BYTES,
  paid,
  payload,
  payment,
  paymentFields,
  paymentId,
  pczt,
  prepared,
  recipient,
  recipientFields,
} from './preparedPaymentFields.ts';

const CHANGE_POLICIES = ['kept', 'moved'] as const;
const PCZT_READERS = ['signer', 'compact_signer', 'prover', 'anyone'] as const;

const MAX_RECIPIENTS = 64;
/** Nodes accept no transaction with more actions (ZIP 218). */
const MOST_ACTIONS = 330;
const MAX_CONFIRMATIONS = 1_000_000;
/** Their signatures are verified in a quarter of a second. */
const MOST_INPUTS = 200;
/** BIP 32 */
const MOST_INDEX = 2 ** 31 - 1;

/** What Keystone takes at once. */
const MOST_IN_BATCH = 40;
/** With the identifiers less than a body of 64 KiB; 96 signatures of 64 bytes take a fifth of it. */
const MAX_ANSWER = 48_000;
const paymentIds = z
  .array(paymentId)
  .min(1)
  .max(MOST_IN_BATCH)
  .describe('Prepared payments that lack signatures');

const signerFields = {
  account_index: field.accountIndex.optional(),
  seed_fingerprint: field.seedFingerprint
    .describe(
      'ZIP 32 fingerprint of the seed that signs: with account_index where the wallet does not know them, as some signers want both',
    )
    .optional(),
  try_anyway: z
    .boolean()
    .describe(
      'Prepare also what the device of the wallet is known not to sign, and what nothing here can prove',
    )
    .optional(),
  source: field.source.optional(),
};

const privacy = z
  .array(z.enum(CONSENTS))
  .max(CONSENTS.length)
  .describe('What may become public, by name (default: nothing)')
  .optional();

const expiryHeight = field.height
  .describe('The last block that may have it (default: 50 minutes ahead; an upgrade may end it before)')
  .optional();

const prepareFields = {
  uri: paymentUri.describe('A payment request (ZIP 321), instead of recipients').optional(),
  recipients: z.array(recipient).min(1).max(MAX_RECIPIENTS).describe('Whom to pay').optional(),
  address: recipientFields.address.describe('One recipient, in the place of recipients').optional(),
  contact: recipientFields.contact.optional(),
  amount: recipientFields.amount.optional(),
  zatoshi: recipientFields.zatoshi.optional(),
  memo: recipientFields.memo.optional(),
  everything: z
    .boolean()
    .describe(
      'Send all that one transaction can (max_actions) to the one recipient, whose amount is left out',
    )
    .optional(),
  account: field.oneAccount,
  confirmations: z
    .int()
    .min(1)
    .max(MAX_CONFIRMATIONS)
    .describe('That notes need (default: 10, and 3 for own change)')
    .optional(),
  change_confirmations: z
    .int()
    .min(1)
    .max(MAX_CONFIRMATIONS)
    .describe('That own change needs (default: 3, or `confirmations` where that is lower)')
    .optional(),
  expiry_height: expiryHeight,
  privacy,
  change: z
    .enum(CHANGE_POLICIES)
    .describe(
      'kept: in the pool it comes from; moved: to the newest pool (default: kept, and moved from Sapling where the payment crosses pools anyway)',
    )
    .optional(),
  pools: z
    .array(field.pool)
    .min(1)
    .max(field.POOL_NAMES.length)
    .describe('Spend notes of these alone')
    .optional(),
  max_actions: z
    .int()
    .min(2)
    .max(MOST_ACTIONS)
    .describe('The most in one pool that the signer takes (default 32; the network takes 330 of all pools)')
    .optional(),
  ...signerFields,
};

// `WALLET_CORRUPT`: stored payments are missing.
const NAMES_PAYMENT = [...NEEDS_SESSION, 'NOT_FOUND', 'WALLET_CORRUPT'] as const;

const PREPARES = [
  ...NAMES_PAYMENT,
  'INSUFFICIENT_FUNDS',
  'DEVICE_LIMIT',
  'NO_PROVER',
  'WITNESS_MISMATCH',
  'PAYMENT_STATE',
  'INVALID_RANGE',
  'NODE_BEHIND',
  ...ASKS_SOURCE,
] as const;

/** What came for the invoice does not cover it. */
const REFUND_LIMITS = ['INVOICE_STATE', 'ALREADY_REFUNDED'] as const;

/** A server is asked where the payment needs another anchor. */
const GIVES_PCZT = [
  ...NAMES_PAYMENT,
  'PAYMENT_STATE',
  'WITNESS_MISMATCH',
  'INVALID_RANGE',
  ...ASKS_SOURCE,
] as const;

const signer = z
  .enum(field.SIGNERS)
  .describe(
    'Default: the signer of config.json (program: a program, or an allowance signer), else the device of the wallet, else the wallet itself (own), with its recovery phrase',
  )
  .optional();
const signerPassword = field.password
  .describe('Needed where the wallet itself signs, with an open session too')
  .optional();

const SIGNS = ['PCZT_CHANGED', 'NO_SIGNER', 'SIGNER_FAILED', 'ALLOWANCE_LIMIT'] as const;
const PROVES = ['NO_PROVER', 'PROVER_FAILED'] as const;
const SENDS = ['PAYMENT_INCOMPLETE', 'PAYMENT_STATE', 'TRANSACTION_REFUSED', 'PEERS_UNREACHABLE'] as const;

export const preparedPaymentOperations = {
  'payments.pay': {
    actor: 'wallet',
    access: 'session_or_password',
    reach: ['send'],
    summary: 'Pay: prepare, have signed and proved, and send, once for each idempotency key',
    input: z.strictObject({
      idempotency_key: idempotencyKey,
      ...prepareFields,
      signer,
      password: signerPassword,
    }),
    output: paid,
    http: { method: 'POST', path: '/api/pay' },
    ipc: 'pay',
    cli: { words: ['pay', 'once'], takesRecipient: true },
    alsoUsesPassword: true,
    needsPasswordBy: 'broadcast_needs_password',
    hasNoDeadline: true,
    errors: [
      ...new Set([...PREPARES, ...NEEDS_PASSWORD, ...SIGNS, ...PROVES, ...SENDS]),
      'CONSENT_NEEDED',
      'IDEMPOTENCY_KEY_IN_USE',
    ],
  },
  'payments.prepare': {
    actor: 'wallet',
    access: 'session',
    reach: ['prepare'],
    summary: 'Prepare a payment for others to sign, and reserve its notes',
    input: z.strictObject(prepareFields),
    output: prepared,
    http: { method: 'POST', path: '/api/payments/prepare' },
    ipc: 'payments_prepare',
    cli: { words: ['pay', 'prepare'], file: 'prepared', takesRecipient: true },
    errors: [...PREPARES, 'CONSENT_NEEDED'],
  },
  'payments.shield': {
    actor: 'wallet',
    access: 'session',
    reach: ['prepare'],
    summary: "Prepare a payment that moves the account's transparent funds to its newest pool",
    input: z.strictObject({
      account: field.oneAccount,
      join_addresses: z
        .boolean()
        .describe(
          'Take from several transparent addresses at once, which shows everybody that they belong together (default: from the one with the most)',
        )
        .optional(),
      max_inputs: z
        .int()
        .min(1)
        .max(MOST_INPUTS)
        .describe('The most outputs that are spent, as devices sign few (default 32)')
        .optional(),
      first_index: z
        .int()
        .min(0)
        .max(MOST_INDEX)
        .describe(
          'Where the search for addresses begins (default 0); it ends behind 20 addresses without funds',
        )
        .optional(),
      expiry_height: expiryHeight,
      ...signerFields,
    }),
    output: prepared,
    http: { method: 'POST', path: '/api/payments/shield' },
    ipc: 'payments_shield',
    cli: { words: ['pay', 'shield'], file: 'prepared' },
    errors: [...PREPARES],
  },
  'payments.refund': {
    actor: 'wallet',
    access: 'session',
    reach: ['prepare'],
    owns: 'invoice',
    summary:
      'Prepare a payment that gives back what came for an invoice, or a part of it, with the fee on top',
    input: z.strictObject({
      invoice_id: invoiceId,
      address: recipientFields.address
        .describe('Whom to pay: an address that was typed or scanned, or one of `refund_addresses`')
        .optional(),
      contact: recipientFields.contact.optional(),
      confirmed: z
        .boolean()
        .describe(
          'A person has agreed to the address: needed where it stands in a memo of what came, which anyone may write, unless the limits of the calling grant name it',
        )
        .optional(),
      amount: recipientFields.amount.describe('In ZEC, as text (default: `refundable_zatoshi`)').optional(),
      zatoshi: recipientFields.zatoshi.optional(),
      memo: recipientFields.memo.optional(),
      expiry_height: expiryHeight,
      privacy,
      ...signerFields,
    }),
    output: prepared,
    http: { method: 'POST', path: '/api/payments/refund' },
    ipc: 'payments_refund',
    cli: { words: ['pay', 'refund'], positional: ['invoice_id'], file: 'prepared' },
    errors: [...PREPARES, 'CONSENT_NEEDED', ...REFUND_LIMITS],
  },
  'payments.list': {
    actor: 'wallet',
    access: 'session',
    reach: ['read', 'prepare', 'send'],
    summary: 'Prepared payments, the latest first',
    input: z.strictObject({
      account: field.onlyAccount,
      open: z.boolean().describe('true: those alone that may still be mined').optional(),
      limit: field.limit.optional(),
      cursor: field.cursor.optional(),
    }),
    output: z.strictObject({ payments: z.array(payment), next_cursor: z.string().nullable() }),
    http: { method: 'GET', path: '/api/payments' },
    ipc: 'payments_list',
    cli: {
      words: ['pay', 'list'],
      view: 'payments',
      columns: ['payment_id', 'status', 'account', 'pays_zatoshi', 'created_at', 'fee_zatoshi', 'expires_at'],
    },
    errors: [...NAMES_PAYMENT],
  },
  'payments.get': {
    actor: 'wallet',
    access: 'session',
    reach: ['read', 'prepare', 'send'],
    owns: 'payment',
    summary: 'One prepared payment',
    input: z.strictObject({ payment_id: paymentId }),
    output: payment,
    http: { method: 'GET', path: '/api/payments/{payment_id}' },
    ipc: 'payments_get',
    cli: { words: ['pay', 'show'], positional: ['payment_id'], view: 'payment' },
    errors: [...NAMES_PAYMENT],
  },
  'payments.pczt': {
    actor: 'wallet',
    access: 'session',
    reach: ['prepare'],
    owns: 'payment',
    summary:
      'The PCZT of a payment as it is by now, with an anchor that the chain has and no more in it than its reader needs',
    input: z.strictObject({
      payment_id: paymentId,
      reader: z.enum(PCZT_READERS).describe('Default: signer').optional(),
    }),
    output: z.strictObject({ payment_id: paymentId, reader: z.enum(PCZT_READERS), ...payload }),
    http: { method: 'GET', path: '/api/payments/{payment_id}/pczt' },
    ipc: 'payments_pczt',
    cli: { words: ['pay', 'pczt'], positional: ['payment_id'], file: 'pczt' },
    hasNoDeadline: true,
    errors: [...GIVES_PCZT],
  },
  'payments.combine': {
    actor: 'wallet',
    access: 'session',
    reach: ['prepare', 'send'],
    owns: 'payment',
    summary: 'Take signatures and proofs from a PCZT that came back, and nothing else',
    input: z.strictObject({
      payment_id: paymentId,
      pczt,
      replace_proofs: z.boolean().describe('Take its proofs in the place of those that are there').optional(),
    }),
    maxInputBytes: MAX_INPUT_BYTES,
    output: combined,
    http: { method: 'POST', path: '/api/payments/{payment_id}/combine' },
    ipc: 'payments_combine',
    cli: {
      words: ['pay', 'combine'],
      positional: ['payment_id', 'pczt'],
      files: ['pczt'],
      view: 'payment',
      mustAdd: true,
    },
    errors: [...NAMES_PAYMENT, 'INVALID_PCZT', 'PCZT_CHANGED', 'PAYMENT_STATE'],
  },
  'payments.batch': {
    actor: 'wallet',
    access: 'session',
    reach: ['prepare'],
    owns: 'payment',
    summary: 'Several payments as one request to a device, which answers with bare signatures',
    input: z.strictObject({ payment_ids: paymentIds }),
    output: z.strictObject({
      batch: z.string().describe('In base64: the data of `zcash-sign-batch`'),
      request_id: z
        .string()
        .regex(/^[0-9a-f]{32}$/)
        .describe('For the same message: the device answers with it'),
      signatures: field.count.describe('That the payments lack'),
    }),
    http: { method: 'POST', path: '/api/payments/batch' },
    ipc: 'payments_batch',
    cli: { words: ['pay', 'batch'], file: 'batch' },
    hasNoDeadline: true,
    errors: [...GIVES_PCZT],
  },
  'payments.combine_batch': {
    actor: 'wallet',
    access: 'session',
    reach: ['prepare', 'send'],
    owns: 'payment',
    summary: 'Take the signatures of a batch, each for its payment, and nothing else',
    input: z.strictObject({
      payment_ids: paymentIds.describe('As they were in the request, in the same order'),
      answer: z.string().min(1).max(MAX_ANSWER).describe('In base64: the data of `zcash-batch-sig-result`'),
    }),
    output: z.strictObject({ payments: z.array(combined) }),
    http: { method: 'POST', path: '/api/payments/combine-batch' },
    ipc: 'payments_combine_batch',
    cli: {
      words: ['pay', 'combine-batch'],
      positional: ['answer'],
      files: ['answer'],
      view: 'payments',
      columns: ['payment_id', 'status', 'account', 'pays_zatoshi', 'created_at', 'fee_zatoshi', 'expires_at'],
      mustAdd: true,
    },
    errors: [...NAMES_PAYMENT, 'PCZT_CHANGED', 'PAYMENT_STATE'],
  },
  'payments.sign': {
    actor: 'wallet',
    access: 'session_or_password',
    reach: ['send'],
    owns: 'payment',
    summary:
      'Have it signed, by the configured program or with the password by the wallet itself, and take the signatures as combine does',
    input: z.strictObject({
      payment_id: paymentId,
      txid: field.txid
        .describe(
          'The transaction that was shown: another one is refused. Needed where the wallet itself signs',
        )
        .optional(),
      signer,
      password: signerPassword,
    }),
    output: combined,
    http: { method: 'POST', path: '/api/payments/{payment_id}/sign' },
    ipc: 'payments_sign',
    cli: { words: ['pay', 'sign'], positional: ['payment_id'], view: 'payment' },
    alsoUsesPassword: true,
    // The signer program has its own time limit: a person confirms on a device.
    hasNoDeadline: true,
    errors: [...new Set([...GIVES_PCZT, ...NEEDS_PASSWORD]), ...SIGNS],
  },
  'payments.prove': {
    actor: 'wallet',
    access: 'session',
    reach: ['prepare', 'send'],
    owns: 'payment',
    summary:
      'Have the configured program make the proofs, for another anchor where the chain lost the one it had',
    input: z.strictObject({
      payment_id: paymentId,
      replace: z
        .boolean()
        .describe('Make the proofs that are there again, for example after a node refused one')
        .optional(),
      source: field.source
        .describe('Which server another anchor is read from (default: block_source)')
        .optional(),
    }),
    output: z.strictObject({
      ...paymentFields,
      proofs_added: field.count,
      anchored_again: z
        .boolean()
        .describe(
          'A reorganisation had removed its anchor, and it got another one: signatures and txid are the same',
        ),
    }),
    http: { method: 'POST', path: '/api/payments/{payment_id}/prove' },
    ipc: 'payments_prove',
    cli: { words: ['pay', 'prove'], positional: ['payment_id'], view: 'payment' },
    // The prover program has its own time limit.
    hasNoDeadline: true,
    errors: [...GIVES_PCZT, ...PROVES],
  },
  'payments.broadcast': {
    actor: 'wallet',
    access: 'session_or_password',
    reach: ['send'],
    owns: 'payment',
    summary: 'Send a payment that is complete',
    input: z.strictObject({
      payment_id: paymentId,
      source: z
        .enum(field.CARRIERS)
        .exclude(['server'])
        .describe('Who passes it on (default: `broadcast` of the configuration)')
        .optional(),
    }),
    output: payment,
    http: { method: 'POST', path: '/api/payments/{payment_id}/broadcast' },
    ipc: 'payments_broadcast',
    cli: { words: ['pay', 'broadcast'], positional: ['payment_id'], view: 'payment' },
    needsPasswordBy: 'broadcast_needs_password',
    // Each request to the server has its own time limit.
    hasNoDeadline: true,
    errors: [
      ...new Set([...NAMES_PAYMENT, ...NEEDS_PASSWORD, ...ASKS_SOURCE]),
      ...SENDS,
      ...REFUND_LIMITS,
      ...REFUND_LIMITS,
    ],
  },
  'payments.discard': {
    actor: 'wallet',
    access: 'session',
    reach: ['prepare'],
    owns: 'payment',
    summary: 'Give a payment up and free its notes; refused once it was sent and may still be mined',
    input: z.strictObject({ payment_id: paymentId }),
    output: z.strictObject({
      ...paymentFields,
      warning: z.string().describe('What giving it up does not prevent'),
    }),
    http: { method: 'POST', path: '/api/payments/{payment_id}/discard' },
    ipc: 'payments_discard',
    cli: { words: ['pay', 'discard'], positional: ['payment_id'], view: 'payment' },
    errors: [...NAMES_PAYMENT, 'PAYMENT_STATE'],
  },
} as const satisfies Record<string, Operation>;
