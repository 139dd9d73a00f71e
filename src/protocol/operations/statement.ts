// A statement of a period, and its check by a second companion that has the viewing key alone.

import * as z from 'zod';
import * as field from '../fields.ts';
import { ASKS_SOURCE, NEEDS_SESSION, type Operation } from '../operation.ts';
import { CSV, money, period } from './books.ts';

/** 3,000 labels of the greatest length fit. */
const MAX_STATEMENT_LENGTH = 6 * 1024 * 1024;
const STATEMENT_FORMATS = ['json', 'csv', 'html'] as const;

const amounts = {
  opening_zatoshi: field.zatoshi
    .nullable()
    .describe(
      'Held after the block before the first; null, as what was sent and held, where the wallet sees no spends and had received something',
    ),
  received_zatoshi: field.zatoshi.describe('What transactions brought in, change netted out'),
  sent_zatoshi: field.zatoshi.nullable().describe('What transactions took, without fees'),
  refunded_zatoshi: field.zatoshi
    .nullable()
    .optional()
    .describe('What refunds have of `sent_zatoshi`; absent in older statements'),
  fee_zatoshi: field.zatoshi
    .nullable()
    .describe('Fees paid, where they are known; the others are part of `sent_zatoshi`'),
  closing_zatoshi: field.zatoshi
    .nullable()
    .describe('Held after the last block; opening and what moved add up to it'),
};

const hash = field.displayHash.nullable().describe('Null where neither the wallet nor the node knows it');

export const statement = z.strictObject({
  network: field.network,
  account: field.account.nullable().describe('Null: all accounts'),
  time_zone: z.string(),
  from: field.time.nullable(),
  to: field.time.nullable().describe('Included'),
  start_height: field.height.describe('First block of the period'),
  start_hash: hash,
  end_height: field.height.describe('Last block of the period'),
  end_hash: hash,
  ...amounts,
  accounts: z.array(z.strictObject({ account: field.account, ...amounts })),
  labels: z.array(
    z.strictObject({
      label: z.string(),
      received_zatoshi: field.zatoshi.describe('Notes received at addresses that are called so'),
      note_count: field.count,
    }),
  ),
  complete: z
    .boolean()
    .describe('Whether every block from the birthday to the last of the period was scanned'),
  missing_ranges: z
    .array(field.heightRange)
    .describe('Blocks up to the last of the period that were not; those before it put the opening in doubt'),
  scanned: z
    .array(
      z.strictObject({
        account: field.account,
        start_height: field.height,
        end_height: field.height,
        verified_with: field.verifier
          .nullable()
          .describe('As in `GET /api/coverage`: null, on the word of a compact server alone'),
      }),
    )
    .describe('The blocks of the period that were, each linked to the one below by its hash'),
  warning: field.warning,
});

const units = z.string().nullable().describe('In that money; null where a price is missing');
const sums = { amount_zatoshi: field.zatoshi, proceeds: units, cost: units, gain: units };

const gains = z.strictObject({
  rule: z.string().describe('How it was computed, in English'),
  currency: z.string().describe('ISO 4217'),
  time_zone: z.string(),
  from: field.time.nullable(),
  to: field.time.nullable().describe('Included'),
  disposals: z
    .array(
      z.strictObject({
        kind: z.enum(['payment', 'fee']),
        time: field.time,
        txid: field.displayHash,
        ...sums,
        lot_time: field.time.describe('When the lot came in that it was taken from'),
        lot_txid: field.displayHash,
      }),
    )
    .describe('Of the period: for each disposal a part of each lot that it took from, in order'),
  total: z.strictObject(sums).describe('The sum of the parts that have a gain'),
  unpriced_zatoshi: field.zatoshi.describe('The sum of those that have none, for want of a price'),
  lots: z
    .array(
      z.strictObject({
        time: field.time,
        txid: field.displayHash,
        amount_zatoshi: field.zatoshi,
        cost: units,
      }),
    )
    .describe('What is left after the period, the oldest first'),
  closing_zatoshi: field.zatoshi.describe('Their sum, which is the balance then'),
  complete: z.boolean().describe('Whether every block up to the last of the period was scanned'),
  missing_ranges: z.array(field.heightRange),
  warning: field.warning,
});

export const statementOperations = {
  'statement.get': {
    actor: 'wallet',
    access: 'session',
    reach: ['read'],
    summary: 'What the wallet held, received and sent in a period, and what that rests on',
    input: z.strictObject({
      format: z
        .enum(STATEMENT_FORMATS)
        .describe('json (default), csv, or html: a page that prints well, without script')
        .optional(),
      account: field.onlyAccount,
      ...period,
    }),
    output: z.strictObject({
      format: z.enum(STATEMENT_FORMATS),
      statement: statement.optional().describe('With json'),
      text: z.string().optional().describe('With the other formats'),
      warning: field.warning,
    }),
    http: {
      method: 'GET',
      path: '/api/statement',
      files: {
        csv: { type: CSV, member: 'text', name: 'statement.csv' },
        html: { type: 'text/html; charset=utf-8', member: 'text', name: 'statement.html' },
      },
    },
    ipc: 'statement_get',
    cli: { words: ['statement', 'get'], file: 'text' },
    hasFunds: true,
    errors: [...NEEDS_SESSION, 'NOT_FOUND', 'WALLET_CORRUPT', ...ASKS_SOURCE],
  },
  'statement.gains': {
    actor: 'wallet',
    access: 'session',
    reach: ['read'],
    summary:
      'What disposals of a period gained, by lots, first in, first out; the lots left add up to the balance',
    input: z.strictObject({
      format: z
        .enum(STATEMENT_FORMATS)
        .describe('json (default), csv, or html: a page that prints well, without script')
        .optional(),
      currency: money.describe(
        'The money of the report (ISO 4217). Default: that of the first line of `rates_file`',
      ),
      ...period,
    }),
    output: z.strictObject({
      format: z.enum(STATEMENT_FORMATS),
      gains: gains.optional().describe('With json'),
      text: z.string().optional().describe('With the other formats'),
      warning: field.warning,
    }),
    http: {
      method: 'GET',
      path: '/api/statement/gains',
      files: {
        csv: { type: CSV, member: 'text', name: 'gains.csv' },
        html: { type: 'text/html; charset=utf-8', member: 'text', name: 'gains.html' },
      },
    },
    ipc: 'statement_gains',
    cli: { words: ['statement', 'gains'], file: 'text' },
    hasFunds: true,
    errors: [...NEEDS_SESSION, 'WALLET_CORRUPT', ...ASKS_SOURCE],
  },
  'statement.check': {
    actor: 'wallet',
    access: 'session',
    reach: ['read'],
    summary: 'Compute a statement again from what this wallet scanned, and tell what differs',
    input: z.strictObject({
      statement: z
        .base64()
        .max(MAX_STATEMENT_LENGTH)
        .describe('The `statement` of an answer, as JSON in base64'),
      account: field.account
        .describe('The account here that the statement is about (default: all, or the only one)')
        .optional(),
    }),
    maxInputBytes: MAX_STATEMENT_LENGTH + 64 * 1024,
    output: z.strictObject({
      equal: z.boolean(),
      differences: z
        .array(z.strictObject({ field: z.string(), stated: z.string(), found: z.string() }))
        .describe('Labels, account numbers and verifiers are not compared: no viewing key has them'),
      complete: z.boolean().describe('Whether all blocks of the period were scanned'),
      missing_ranges: z.array(field.heightRange),
    }),
    http: { method: 'POST', path: '/api/statement/check' },
    ipc: 'statement_check',
    cli: { words: ['statement', 'check'], positional: ['statement'], files: ['statement'], mustEqual: true },
    errors: [...NEEDS_SESSION, 'NOT_FOUND', 'WALLET_CORRUPT', ...ASKS_SOURCE],
  },
} as const satisfies Record<string, Operation>;
