// Notes of an open wallet, and the transactions that made and spent them.

import * as z from 'zod';
import * as field from '../fields.ts';
import { NEEDS_SESSION, type Operation } from '../operation.ts';

const note = z.strictObject({
  account: field.account,
  pool: field.pool,
  scope: field.scope,
  value_zatoshi: field.zatoshi,
  height: field.height,
  txid: field.displayHash,
  output_index: field.count,
  position: field.count.describe("Position in the pool's note commitment tree"),
  nullifier: field.protocolHex.nullable().describe('Null in a wallet that only sees what comes in'),
  diversifier_index: field.diversifierIndex,
  label: field.receivingLabel,
  memo: field.memo,
  confirmations: field.count,
  verified_with: field.mark,
  spent: z.strictObject({ txid: field.displayHash, height: field.height }).nullable(),
  spent_unconfirmed: z
    .strictObject({ txid: field.displayHash })
    .nullable()
    .describe('The unmined transaction that spends it, as of the last look at the mempool'),
  reserved_by: z
    .string()
    .nullable()
    .describe('The payment_id of a prepared payment that may still be mined, and spends it'),
});

const sentOutput = z.strictObject({
  account: field.account,
  pool: field.pool,
  scope: field.scope.describe(
    'The outgoing key that recovered it; internal is change or a shielding transfer',
  ),
  output_index: field.count,
  value_zatoshi: field.zatoshi,
  recipient: z.string().describe("The recipient's address, one receiver"),
  memo: field.memo,
});

const transaction = z.strictObject({
  txid: field.displayHash,
  height: field.height,
  time: field.time.describe('The time of the block'),
  block_hash: field.displayHash.nullable().describe('Null where its spend was seen above a gap'),
  confirmations: field.count,
  verified_with: field.mark,
  received_zatoshi: field.zatoshi.describe('Sum of our notes made here, change included'),
  spent_zatoshi: field.zatoshi.describe('Sum of our notes spent here'),
  fee_zatoshi: field.zatoshi
    .nullable()
    .describe(
      'What we paid; null where it cannot be known: not read in full, transparent or foreign inputs, outputs we cannot see',
    ),
  received_outputs: z.array(field.receivedOutput).describe('Our notes made here, change included'),
  sent_outputs: z.array(sentOutput).describe('Outputs recovered with our outgoing viewing keys'),
  complete: z.boolean().describe('Whether the full transaction was read (memos, sent outputs)'),
});

const nextCursor = z.string().nullable().describe('Give it as `cursor` for the next page; null on the last');

const fromHeight = field.height.describe('Only transactions of this block and later ones').optional();
const toHeight = field.height.describe('Only transactions of this block and earlier ones').optional();

export const noteOperations = {
  'notes.list': {
    actor: 'wallet',
    access: 'session',
    reach: ['read'],
    summary: 'Notes received, spent or not, zero-value ones included',
    input: z.strictObject({
      account: field.onlyAccount,
      pool: field.pool.optional(),
      unspent: z.boolean().optional().describe('true: only unspent notes; otherwise all'),
      label: field.label.describe('Only notes paid to addresses that you call so').optional(),
      address: field.address.describe('Only notes paid to this address of the wallet').optional(),
      limit: field.limit.optional(),
      cursor: field.cursor.optional(),
    }),
    output: z.strictObject({ notes: z.array(note), next_cursor: nextCursor, warning: field.warning }),
    http: { method: 'GET', path: '/api/notes' },
    ipc: 'notes_list',
    cli: {
      words: ['notes'],
      columns: ['height', 'account', 'pool', 'value_zatoshi', 'confirmations', 'spent', 'memo', 'txid'],
    },
    hasFunds: true,
    errors: [...NEEDS_SESSION, 'NOT_FOUND'],
  },
  'transactions.list': {
    actor: 'wallet',
    access: 'session',
    reach: ['read'],
    summary: 'Our transactions, one entry each, with sent outputs where recoverable',
    input: z.strictObject({
      account: field.onlyAccount,
      address: field.address
        .describe('Only transactions that paid to this address, of the wallet or of others')
        .optional(),
      since_height: fromHeight,
      until_height: toHeight,
      limit: field.limit.optional(),
      cursor: field.cursor.optional(),
    }),
    output: z.strictObject({
      transactions: z.array(transaction),
      next_cursor: nextCursor,
      warning: field.warning,
    }),
    http: { method: 'GET', path: '/api/transactions' },
    ipc: 'transactions_list',
    cli: {
      words: ['transactions'],
      view: 'transactions',
      columns: ['height', 'time', 'net_zatoshi', 'with', 'memo', 'txid'],
    },
    hasFunds: true,
    errors: [...NEEDS_SESSION, 'NOT_FOUND'],
  },
} as const satisfies Record<string, Operation>;
