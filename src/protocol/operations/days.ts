// Business days of a shop: opened, and closed with a report (Z report) that has a number and never changes.

import * as z from 'zod';
import * as field from '../fields.ts';
import { NEEDS_SESSION, type Operation } from '../operation.ts';
import { CSV } from './books.ts';
import { INVOICE_EXCEPTIONS, INVOICE_STATES } from './invoices.ts';

const ERRORS = [...NEEDS_SESSION, 'WALLET_CORRUPT'] as const;
const FORMATS = ['json', 'csv', 'html'] as const;
const MAX_NUMBER = 1_000_000;

const dayNumber = z.int().min(1).max(MAX_NUMBER);
const change = z.int().describe('In zatoshi; negative where the network took something back');

const line = z.strictObject({
  invoice_id: z.string(),
  reference: z.string().nullable(),
  created_at: field.time,
  state: z.enum(INVOICE_STATES),
  exception: z.enum(INVOICE_EXCEPTIONS).nullable(),
  amount_zatoshi: field.zatoshi.nullable(),
  received_zatoshi: field.zatoshi,
  refunded_zatoshi: field.zatoshi,
  currency: z.string().nullable(),
  value: z.string().nullable().describe('The amount in money that was asked for'),
  rate: z.string().nullable(),
  grant_id: z.string().nullable(),
});

const day = z.strictObject({
  day_number: dayNumber.describe('From 1 on, without gaps'),
  opened_at: field.time,
  closed_at: field.time.nullable().describe('Null while it is open: the report is what it would be now'),
  invoice_count: field.count.describe('Invoices that were made while it was open'),
  states: z
    .strictObject(
      Object.fromEntries(INVOICE_STATES.map((state) => [state, field.count])) as Record<
        (typeof INVOICE_STATES)[number],
        typeof field.count
      >,
    )
    .describe('How many of them stand so'),
  asked_zatoshi: field.zatoshi,
  received_zatoshi: field.zatoshi,
  over_zatoshi: field.zatoshi.describe('Received beyond the amounts'),
  under_zatoshi: field.zatoshi.describe('Missing where a part came'),
  late_zatoshi: field.zatoshi.describe('Received by invoices that are `late`'),
  refunded_zatoshi: field.zatoshi,
  money: z
    .array(
      z.strictObject({
        currency: z.string(),
        asked: z.string(),
        paid: z.string(),
        invoice_count: field.count,
      }),
    )
    .describe('Sums of the amounts in money that were asked for, and of those that are paid'),
  earlier_days: z
    .strictObject({ invoice_count: field.count, received_zatoshi: change, refunded_zatoshi: change })
    .describe('What invoices of earlier days received and refunded since their report'),
  lines: z.array(line).describe('The first 2,000 invoices; none in `days.list`'),
  warning: field.warning,
});

export const daysOperations = {
  'days.open': {
    actor: 'wallet',
    access: 'session',
    reach: ['admin'],
    summary: 'Open a business day, or answer with the one that is open: invoices belong to it from now on',
    input: z.strictObject({}),
    output: day,
    http: { method: 'POST', path: '/api/days/open' },
    ipc: 'days_open',
    cli: { words: ['day', 'open'] },
    hasFunds: true,
    errors: [...ERRORS, 'DAY_STATE'],
  },
  'days.close': {
    actor: 'wallet',
    access: 'session',
    reach: ['admin'],
    summary: 'Close the business day: its report (Z report) is kept as it is',
    input: z.strictObject({}),
    output: day,
    http: { method: 'POST', path: '/api/days/close' },
    ipc: 'days_close',
    cli: { words: ['day', 'close'] },
    hasFunds: true,
    errors: [...ERRORS, 'DAY_STATE'],
  },
  'days.list': {
    actor: 'wallet',
    access: 'session',
    reach: ['read'],
    summary: 'The business days, the latest first',
    input: z.strictObject({
      limit: field.limit.optional(),
      before: dayNumber.describe('Those with a lower number alone').optional(),
    }),
    output: z.strictObject({ days: z.array(day), warning: field.warning }),
    http: { method: 'GET', path: '/api/days' },
    ipc: 'days_list',
    cli: {
      words: ['day', 'list'],
      columns: [
        'day_number',
        'opened_at',
        'closed_at',
        'invoice_count',
        'received_zatoshi',
        'refunded_zatoshi',
      ],
      lines: [],
    },
    hasFunds: true,
    errors: ERRORS,
  },
  'days.get': {
    actor: 'wallet',
    access: 'session',
    reach: ['read'],
    summary: 'The report of a business day; of an open one, what it would be now',
    input: z.strictObject({
      day_number: dayNumber.describe('As `days.open` gave it'),
      format: z
        .enum(FORMATS)
        .describe(
          'json (default), csv with a row for each invoice, or html: a page that prints well, without script',
        )
        .optional(),
    }),
    output: z.strictObject({
      format: z.enum(FORMATS),
      day: day.optional().describe('With json'),
      text: z.string().optional().describe('With the other formats'),
      warning: field.warning,
    }),
    http: {
      method: 'GET',
      path: '/api/days/{day_number}',
      files: {
        csv: { type: CSV, member: 'text', name: 'day.csv' },
        html: { type: 'text/html; charset=utf-8', member: 'text', name: 'day.html' },
      },
    },
    ipc: 'days_get',
    cli: { words: ['day', 'show'], positional: ['day_number'], file: 'text' },
    hasFunds: true,
    errors: [...ERRORS, 'NOT_FOUND'],
  },
} as const satisfies Record<string, Operation>;
