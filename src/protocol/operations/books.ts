// For bookkeeping: the history of the wallet as a file, and its balance at a given time.

import { CURRENCY_PATTERN } from '@wallet-companion/base/values';
import * as z from 'zod';
import * as field from '../fields.ts';
import { ASKS_SOURCE, NEEDS_SESSION, type Operation } from '../operation.ts';

export const EXPORT_FORMATS = [
  'csv',
  'json',
  'beancount',
  'hledger',
  'koinly',
  'cointracker',
  'datev',
] as const;

export const CSV = 'text/csv; charset=utf-8; header=present';
const TEXT = 'text/plain; charset=utf-8';
const DATEV = 'text/csv; charset=windows-1252; header=present';

/** One row for each account and pool whose funds a transaction moved. */
const row = z.strictObject({
  time: field.time.describe("Time of the transaction's block"),
  height: field.height,
  txid: field.displayHash,
  account: field.account,
  pool: field.pool,
  received_zatoshi: field.zatoshi.describe('What the account has more of in this pool; change is netted out'),
  sent_zatoshi: field.zatoshi
    .nullable()
    .describe('What it has less of, the fee included; null where the wallet sees no spends'),
  fee_zatoshi: field.zatoshi
    .nullable()
    .describe(
      'The fee of the whole transaction, on the first row that paid; null elsewhere, and where it is not known',
    ),
  memos: z.array(field.memo.unwrap()).describe('The memos of what was received, and of what was sent'),
  labels: z.array(z.string()).describe('What you call the addresses that it was received at'),
  counterparties: z
    .array(z.string())
    .describe(
      'Who was paid, where that is recoverable: the name of a contact, else the address, of one receiver',
    ),
  references: z.array(z.string()).describe('The references of the invoices that it paid'),
  refunds: z.array(z.string()).describe('The reference (or else id) of the invoice that it refunds'),
  confirmations: field.count,
  verified_with: field.mark,
  transfers: z
    .array(z.strictObject({ account: field.account, zatoshi: z.int() }))
    .optional()
    .describe(
      "Of what the account's rows have, the part that came from other accounts of the wallet; negative for what went to them. On its first row of the transaction",
    ),
  fiat: z
    .strictObject({
      currency: z.string().describe('ISO 4217'),
      price: z.string().describe('Of one ZEC'),
      value: z.string().describe('Of the row; negative for what it paid'),
      fee: z.string().describe('Of its fee; empty where it paid none, or one that is not known'),
      price_time: z.string().describe('When that price held: an RFC 3339 time, or the day of `rates_file`'),
      price_source: z.string().describe('Who stated it; `rates_file` for a line of that file'),
    })
    .optional()
    .describe(
      'By the rate that was kept with the one order that it paid, else by that of its day in `rates_file` (config.json); absent where there is neither',
    ),
  balance_zatoshi: field.zatoshi
    .nullable()
    .describe('The balance of all that is exported, after this row; null where the wallet sees no spends'),
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

const day = (what: string) =>
  dateOrTime.describe(what).meta({ description: what, pattern: DATE_PATTERN }).optional();

/** Days are those of the time zone. The period begins with the first block at or after its border, whatever the times above. */
export const period = {
  from: day('First day, or an RFC 3339 time; left out: from the beginning'),
  to: day('Last day, or an RFC 3339 time, included; left out: up to now'),
  year: z.int().min(2016).max(9998).describe('A calendar year, instead of `from` and `to`').optional(),
  time_zone: z
    .string()
    .max(64)
    .describe('IANA time zone of days and years (default UTC), such as Europe/Berlin')
    .optional(),
};

/** Rows never mix what was asked for with another money. */
export const money = z
  .string()
  .regex(new RegExp(CURRENCY_PATTERN))
  .describe(
    'Values in this money alone (ISO 4217). Default: kept rates in theirs, others in that of the first line of `rates_file`; datev: EUR',
  )
  .optional();

const asOfHeight = field.height
  .nullable()
  .describe(
    'Highest block scanned; null before anything was scanned: the amounts are then unknown, not zero',
  );

const verifiedThrough = field.mark.describe(
  'As for the balance: null where some of the scanned blocks rest on a compact server alone',
);

const reach = {
  complete: z.boolean().describe('Whether nothing from the birthday up to there is missing'),
  missing_ranges: z.array(field.heightRange),
  warning: field.warning,
};

export const bookOperations = {
  'transactions.export': {
    actor: 'wallet',
    access: 'session',
    reach: ['read'],
    summary:
      'The history, or a period of it, oldest first, for bookkeeping; opening and rows add up to what the wallet held',
    input: z.strictObject({
      format: z
        .enum(EXPORT_FORMATS)
        .describe(
          'csv for spreadsheets (default), json for programs, and those of other programs. datev is of one calendar year, with `datev` in config.json',
        )
        .optional(),
      account: field.onlyAccount,
      ...period,
      currency: money,
      opening: z
        .enum(['assert', 'post'])
        .describe(
          'How books of beancount and hledger begin that have a period: with the balance that an earlier file ends with (default), or with an entry of it, where there is no earlier file',
        )
        .optional(),
      label: field.label.describe('Only what was received at addresses that you call so').optional(),
      address: field.address
        .describe('Only what was received at this address of the wallet, or paid to this one')
        .optional(),
      direction: z
        .enum(['received', 'sent'])
        .describe('Only rows that received, or that sent, something')
        .optional(),
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
      opening_zatoshi: field.zatoshi
        .nullable()
        .describe('The balance before the period; null where the wallet sees no spends'),
      balance_zatoshi: field.zatoshi
        .nullable()
        .describe(
          'After the last transaction of the page; on the last page: of the period. Null where the wallet sees no spends',
        ),
      as_of_height: asOfHeight,
      verified_with: verifiedThrough,
      ...reach,
      next_cursor: z.string().nullable().describe('Give it as `cursor` for the next page; null on the last'),
      rows: z.array(row).optional().describe('With json'),
      text: z
        .string()
        .optional()
        .describe(
          'With other formats than json and datev; the head is on the first page, what closes the books on the last',
        ),
      file: z.string().optional().describe('With datev: the bytes (Windows-1252) as base64'),
      left_out: z
        .array(field.displayHash)
        .optional()
        .describe('With datev: transactions of the page that have no price in euros, and so no booking'),
    }),
    http: {
      method: 'GET',
      path: '/api/transactions/export',
      files: {
        csv: { type: CSV, member: 'text', name: 'transactions.csv' },
        koinly: { type: CSV, member: 'text', name: 'koinly.csv' },
        cointracker: { type: CSV, member: 'text', name: 'cointracker.csv' },
        beancount: { type: TEXT, member: 'text', name: 'transactions.beancount' },
        hledger: { type: TEXT, member: 'text', name: 'transactions.journal' },
        datev: { type: DATEV, member: 'file', base64: true, name: 'EXTF_Buchungsstapel.csv' },
      },
    },
    ipc: 'transactions_export',
    cli: { words: ['transactions', 'export'], file: 'export' },
    hasFunds: true,
    errors: [...NEEDS_SESSION, 'NOT_FOUND', 'WALLET_CORRUPT', ...ASKS_SOURCE],
  },
  'balance.at': {
    actor: 'wallet',
    access: 'session',
    reach: ['read'],
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
      time: field.time
        .nullable()
        .describe('The time of that block, the last one below the first block after the date'),
      total_zatoshi: field.zatoshi,
      note_count: field.count,
      pools: z.strictObject(field.perPoolName(poolBalance)),
      as_of_height: asOfHeight,
      verified_with: verifiedThrough,
      ...reach,
    }),
    http: { method: 'GET', path: '/api/balance/at' },
    ipc: 'balance_at',
    cli: { words: ['balance', 'at'], amountsFromScan: true },
    hasFunds: true,
    errors: [...NEEDS_SESSION, 'NOT_FOUND', ...ASKS_SOURCE],
  },
} as const satisfies Record<string, Operation>;
