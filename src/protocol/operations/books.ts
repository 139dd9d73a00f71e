// For bookkeeping: the history of the wallet as a file, and its balance at a given time.

import * as z from 'zod';
import * as field from '../fields.ts';
import { ASKS_NODE, NEEDS_SESSION, type Operation } from '../operation.ts';

export const EXPORT_FORMATS = ['csv', 'json'] as const;

/** One row for each account and pool whose funds a transaction moved. */
const row = z.strictObject({
  time: field.time.describe("Time of the transaction's block"),
  height: field.height,
  txid: field.displayHash,
  account: field.account,
  pool: field.pool,
  received_zatoshi: field.zatoshi.describe('What the account has more of in this pool; change is netted out'),
  sent_zatoshi: field.zatoshi.describe('What it has less of, the fee included'),
  fee_zatoshi: field.zatoshi
    .nullable()
    .describe(
      'The fee of the whole transaction, on the first row that paid; null elsewhere, and where it is not known',
    ),
  memos: z.array(field.memo.unwrap()).describe('The memos of what was received, and of what was sent'),
  balance_zatoshi: field.zatoshi.describe('The balance of all that is exported, after this row'),
});

const poolBalance = z.strictObject({ total_zatoshi: field.zatoshi, note_count: field.count });

const DATE_PATTERN = String.raw`^\d{4}-\d{2}-\d{2}([Tt]\d{2}:\d{2}:\d{2}(\.\d{1,9})?([Zz]|[+-]\d{2}:\d{2}))?$`;
const dateOrTime = z
  .string()
  .refine((text) => new RegExp(DATE_PATTERN).test(text), 'must be a date (2026-12-31) or an RFC 3339 time')
  .meta({
    description: 'A day, as of its end (UTC), or an RFC 3339 time',
    pattern: DATE_PATTERN,
  });

const asOfHeight = field.height
  .nullable()
  .describe(
    'Highest block scanned; null before anything was scanned: the amounts are then unknown, not zero',
  );

const reach = {
  complete: z.boolean().describe('Whether nothing from the birthday up to there is missing'),
  missing_ranges: z.array(field.heightRange),
  warning: z.string().optional().describe('Why the amounts are not what they seem'),
};

export const bookOperations = {
  'transactions.export': {
    actor: 'wallet',
    access: 'session',
    summary: 'The history, oldest first, for bookkeeping; its last balance is that of the wallet',
    input: z.strictObject({
      format: z.enum(EXPORT_FORMATS).describe('csv for spreadsheets (default), json for programs').optional(),
      account: field.onlyAccount,
      limit: z
        .int()
        .min(1)
        .max(1000)
        .describe('Transactions per page, at most 1,000 (default 200)')
        .optional(),
      cursor: field.cursor.optional(),
    }),
    output: z.strictObject({
      format: z.enum(EXPORT_FORMATS),
      balance_zatoshi: field.zatoshi.describe('After the last row'),
      as_of_height: asOfHeight,
      ...reach,
      next_cursor: z.string().nullable().describe('Give it as `cursor` for the next page; null on the last'),
      rows: z.array(row).optional().describe('With json'),
      text: z.string().optional().describe('With csv; the header is on the first page'),
    }),
    http: {
      method: 'GET',
      path: '/api/transactions/export',
      files: {
        csv: { type: 'text/csv; charset=utf-8; header=present', member: 'text', name: 'transactions.csv' },
      },
    },
    ipc: 'transactions_export',
    cli: { words: ['transactions', 'export'], file: 'export' },
    errors: [...NEEDS_SESSION, 'NOT_FOUND'],
  },
  'balance.at': {
    actor: 'wallet',
    access: 'session',
    summary: 'What the wallet held after a block, by its height or at a date',
    input: z.strictObject({
      height: field.height.describe('Give this or `date`').optional(),
      date: dateOrTime.optional(),
      account: field.onlyAccount,
    }),
    output: z.strictObject({
      height: field.height,
      hash: field.displayHash
        .nullable()
        .describe('The hash of that block; null where neither the wallet nor the node knows it'),
      time: field.time.nullable().describe('The time of that block, the last one not after the date'),
      total_zatoshi: field.zatoshi,
      note_count: field.count,
      pools: z.strictObject(field.perPoolName(poolBalance)),
      as_of_height: asOfHeight,
      ...reach,
    }),
    http: { method: 'GET', path: '/api/balance/at' },
    ipc: 'balance_at',
    cli: { words: ['balance', 'at'], amountsFromScan: true },
    errors: [...NEEDS_SESSION, 'NOT_FOUND', ...ASKS_NODE],
  },
} as const satisfies Record<string, Operation>;
