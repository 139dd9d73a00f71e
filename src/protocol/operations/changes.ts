// The changes of a wallet's notes, for bookkeeping programs: each change once, in order, reversals included.

import * as z from 'zod';
import * as field from '../fields.ts';
import { NEEDS_SESSION, type Operation } from '../operation.ts';

const change = z.strictObject({
  sequence: z.int().min(1).describe('Number of the change; none is missing between two'),
  kind: z
    .enum(['received', 'memo', 'confirmed', 'spent', 'unspent', 'unreceived'])
    .describe(
      '`memo`: it became known later (compact scan). `confirmed`: `min_confirmations` deep, once for each `received`. `unspent` and `unreceived` take back a `spent` and a `received` (with its `confirmed`): the chain changed',
    ),
  reverses: z
    .int()
    .min(1)
    .nullable()
    .describe('`sequence` of what is taken back; null where nothing is, or it is not kept any more'),
  account: field.account,
  pool: field.pool,
  scope: field.scope,
  txid: field.displayHash.describe('The transaction that made the note'),
  output_index: field.count,
  value_zatoshi: field.zatoshi,
  time: field.time
    .nullable()
    .describe('The time of the block at `height`; null for what was taken back since'),
  height: field.height.describe("The height of the note's block; of the spender's for `spent` and `unspent`"),
  block_hash: field.displayHash.nullable().describe('The hash of that block; null where it is not kept'),
  verified_with: field.mark,
  spent_by: field.displayHash.nullable().describe('The spending transaction of `spent` and `unspent`'),
  fee_zatoshi: field.zatoshi
    .nullable()
    .describe(
      'What we paid for the transaction: `spent_by`, else `txid`; null where others paid it, where it is not known (yet), and for what was taken back since',
    ),
  diversifier_index: field.diversifierIndex,
  address: field.receivingAddress,
  label: field.receivingLabel,
  memo: field.memo.describe('As it is known now; null for what was taken back since'),
});

export const changesOperations = {
  'changes.list': {
    actor: 'wallet',
    access: 'session',
    reach: ['read'],
    summary: 'Everything that happened to our notes since a cursor, each change once and in order',
    input: z.strictObject({
      since: field.cursor
        .describe(
          '`next_cursor` of the answer before, which stays good for ever; without it: from the beginning. `now`: no changes, only the cursor to go on from',
        )
        .optional(),
      limit: field.limit.optional(),
    }),
    output: z.strictObject({
      changes: z.array(change),
      next_cursor: z
        .string()
        .describe(
          'Save it together with what was booked, and give it as `since`; also when there is nothing new',
        ),
      has_more: z.boolean(),
      earlier_dropped: z
        .boolean()
        .describe('Asked from the beginning, and the oldest changes are not kept any more'),
      warning: field.warning,
    }),
    http: { method: 'GET', path: '/api/changes' },
    ipc: 'changes_list',
    cli: {
      words: ['changes'],
      columns: ['sequence', 'kind', 'height', 'account', 'pool', 'value_zatoshi', 'label', 'memo', 'txid'],
    },
    hasFunds: true,
    errors: [...NEEDS_SESSION, 'CURSOR_UNKNOWN', 'WALLET_CORRUPT'],
  },
} as const satisfies Record<string, Operation>;
