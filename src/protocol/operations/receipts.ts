// Receipts for payments: one output of a transaction, shown to somebody who has no key of the wallet.

import { trimCopied } from '@wallet-companion/client/contract';
import * as z from 'zod';
import * as field from '../fields.ts';
import { ASKS_SOURCE, NEEDS_SESSION, type Operation } from '../operation.ts';

/** A transaction of the most shielded items has half a megabyte; a block has two. */
const MAX_TRANSACTION_LENGTH = 4_000_000;
/** As in the package, which the actor asks. */
const MAX_RECEIPT_LENGTH = 16 * 1024;

const shown = {
  pool: field.pool,
  output_index: field.count.describe('Among the outputs or actions of the pool in the transaction'),
  value_zatoshi: field.zatoshi,
  recipient: z.string().describe('The one receiver that the output pays, as an address of its own'),
  memo: field.memo.describe('Whole; null where there is none'),
};

const receipt = z
  .string()
  .overwrite(trimCopied)
  .refine(
    (text) => text !== '' && text.length <= MAX_RECEIPT_LENGTH,
    `must be 1 to ${MAX_RECEIPT_LENGTH} characters`,
  )
  .meta({
    description: 'The line that `receipts.create` gives, a link that has it after `#`, or its JSON',
    minLength: 1,
    maxLength: MAX_RECEIPT_LENGTH,
  });

export const receiptOperations = {
  'receipts.create': {
    actor: 'wallet',
    access: 'session',
    reach: ['read'],
    summary: 'Receipts for what a transaction of the wallet paid to others, one for each output',
    input: z.strictObject({
      txid: field.txid,
      pool: field.pool.describe('Only the outputs of this pool').optional(),
      output_index: field.count
        .describe('Only the output of this number, as `sent_outputs` of the transaction has it')
        .optional(),
      label: field.label
        .meta({ description: 'Your words for the reader; default: the order that it refunds' })
        .optional(),
      source: field.source.optional(),
    }),
    output: z.strictObject({
      receipts: z.array(
        z.strictObject({
          ...shown,
          label: z.string(),
          receipt: z.string().describe('One line to hand over. Who has it can read this output, for ever'),
        }),
      ),
      warning: z.string().describe('What a receipt does not prove'),
    }),
    http: { method: 'POST', path: '/api/receipts' },
    ipc: 'receipts_create',
    cli: { words: ['receipt', 'create'], positional: ['txid'] },
    errors: [...NEEDS_SESSION, 'NOT_FOUND', ...ASKS_SOURCE],
  },
  'receipts.verify': {
    actor: 'wallet',
    access: 'anyone',
    reach: ['read'],
    summary: 'What a receipt proves; the transaction is asked for by its txid, or given',
    input: z.strictObject({
      receipt,
      transaction: field
        .hexBytes(MAX_TRANSACTION_LENGTH)
        .describe('The whole transaction in hexadecimal: then no server is asked')
        .optional(),
      challenge: z
        .string()
        .regex(/^[A-Za-z0-9_-]{1,344}$/, 'must be base64url without padding')
        .describe('What you asked to have in the receipt, in base64url')
        .optional(),
      source: field.source.optional(),
    }),
    maxInputBytes: MAX_TRANSACTION_LENGTH + 64 * 1024,
    output: z.strictObject({
      result: z
        .enum(['valid', 'pending', 'invalid'])
        .describe('pending: nothing speaks against it, and the chain does not have it yet'),
      reason: z
        .enum([
          'not_found',
          'not_mined',
          'not_in_chain',
          'other_network',
          'other_transaction',
          'bad_signature',
          'other_challenge',
          'no_such_output',
          'does_not_open',
        ])
        .nullable()
        .describe('Null where it is valid. not_in_chain: a reorganisation removed its block'),
      explanation: z.string().describe('The result in words, with what it does not prove'),
      network: field.network,
      txid: field.displayHash,
      pool: shown.pool,
      output_index: shown.output_index,
      label: z.string().describe('Words of its maker, which nothing proves'),
      signed: z.boolean().describe('By the key `issuer_pubkey`; whose that is, the receipt does not prove'),
      issuer_pubkey: z.string().nullable(),
      issuer_key_id: z.string().nullable(),
      value_zatoshi: field.zatoshi
        .nullable()
        .describe('Null, as what follows, where the output was not opened'),
      recipient: z.string().nullable(),
      memo: shown.memo,
      chain: z
        .enum(['mined', 'not_mined', 'unknown', 'not_asked'])
        .describe('What the source says of the transaction; not_asked where it was given'),
      mined_height: field.height.nullable(),
      confirmations: field.count.nullable(),
    }),
    http: { method: 'POST', path: '/api/receipts/verify' },
    ipc: 'receipts_verify',
    cli: { words: ['receipt', 'verify'], positional: ['receipt'], mustProve: true },
    errors: [...ASKS_SOURCE],
  },
} as const satisfies Record<string, Operation>;
