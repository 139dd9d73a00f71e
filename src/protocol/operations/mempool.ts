// Unmined transactions of this wallet, from a node or a compact server: not in the balance until they are mined.

import * as z from 'zod';
import * as field from '../fields.ts';
import { ASKS_SOURCE, NEEDS_SESSION, type Operation } from '../operation.ts';

/** Amounts that the balance shows too. */
export const unminedAmounts = {
  unconfirmed_zatoshi: field.zatoshi
    .nullable()
    .describe(
      'Notes of ours in unmined transactions, change included; in no other amount. Null where the mempool was not looked at in this session: unknown, not zero',
    ),
  spent_unconfirmed_zatoshi: field.zatoshi
    .nullable()
    .describe('Unspent mined notes that an unmined transaction spends; total_zatoshi still has them'),
  unconfirmed_as_of: field.time.nullable().describe('When the mempool was last looked at'),
} as const;

const unminedSpend = z.strictObject({
  account: field.account,
  pool: field.pool,
  txid: field.displayHash.describe('The transaction that made the note'),
  output_index: field.count,
  value_zatoshi: field.zatoshi,
});

const unminedTransaction = z.strictObject({
  txid: field.displayHash,
  first_seen_at: field.time,
  expiry_height: field.height.nullable().describe('It cannot be mined above; null: it never expires'),
  notes: z.array(field.receivedOutput).describe('Notes that it makes for us, change included'),
  spends: z.array(unminedSpend).describe('Our mined notes that it spends'),
});

const vanishedTransaction = z.strictObject({
  txid: field.displayHash,
  reason: z
    .enum(['expired', 'conflicted', 'dropped'])
    .describe(
      '`expired`: every block up to its expiry height was scanned. `conflicted`: a mined transaction has spent what it spends. `dropped`: the other side has it no more, and it is in no block',
    ),
  at: field.time,
  received_zatoshi: field.zatoshi,
  spent_zatoshi: field.zatoshi,
});

const mempool = z.strictObject({
  source: field.source.nullable().describe('Who was asked last; null before the first look of this session'),
  looked_at: field.time
    .nullable()
    .describe('The last look that was answered; null before the first one of this session'),
  complete: z
    .boolean()
    .describe('Whether everything in that mempool was looked at; false as well before the first look'),
  trouble: z
    .strictObject({ code: z.string(), detail: z.string() })
    .nullable()
    .describe(
      'Why the last look came to nothing: `NOT_OFFERED`, `TOO_MUCH`, or the code of a failure; null when it did not',
    ),
  warning: field.warning,
  ...unminedAmounts,
  transactions: z.array(unminedTransaction).describe('In the order in which they were seen, 500 at most'),
  vanished: z.array(vanishedTransaction).describe('Those of this session, the latest first, 100 at most'),
});

export const mempoolOperations = {
  'mempool.list': {
    actor: 'wallet',
    access: 'session',
    reach: ['read'],
    summary: 'Our unmined transactions as of the last look at the mempool; asks nobody',
    input: z.strictObject({ account: field.onlyAccount }),
    output: mempool,
    http: { method: 'GET', path: '/api/mempool' },
    ipc: 'mempool',
    cli: { words: ['mempool'] },
    hasFunds: true,
    errors: [...NEEDS_SESSION, 'NOT_FOUND'],
  },
  'mempool.look': {
    actor: 'wallet',
    access: 'session',
    reach: ['read'],
    summary: 'Look at the mempool of the node or the compact server now',
    input: z.strictObject({ account: field.onlyAccount, source: field.source.optional() }),
    output: mempool,
    http: { method: 'POST', path: '/api/mempool' },
    ipc: 'mempool_look',
    cli: { words: ['mempool', 'look'] },
    hasFunds: true,
    errors: [...NEEDS_SESSION, 'NOT_FOUND', ...ASKS_SOURCE],
  },
} as const satisfies Record<string, Operation>;
