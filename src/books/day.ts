// The report of a business day as CSV and as a page that prints well: one file, without script, that loads nothing.

import { zecColumn } from '@wallet-companion/base/values';
import { cell, knownAmount } from './csv.ts';
import { escaped, head, table } from './statement.ts';

export interface Day {
  readonly day_number: number;
  readonly opened_at: string;
  readonly closed_at: string | null;
  readonly invoice_count: number;
  readonly states: Readonly<Record<string, number>>;
  readonly asked_zatoshi: number;
  readonly received_zatoshi: number;
  readonly over_zatoshi: number;
  readonly under_zatoshi: number;
  readonly late_zatoshi: number;
  readonly refunded_zatoshi: number;
  readonly money: readonly {
    readonly currency: string;
    readonly invoice_count: number;
    readonly asked: string;
    readonly paid: string;
  }[];
  readonly earlier_days: {
    readonly invoice_count: number;
    readonly received_zatoshi: number;
    readonly refunded_zatoshi: number;
  };
  readonly lines: readonly {
    readonly invoice_id: string;
    readonly reference: string | null;
    readonly created_at: string;
    readonly state: string;
    readonly exception: string | null;
    readonly amount_zatoshi: number | null;
    readonly received_zatoshi: number;
    readonly refunded_zatoshi: number;
    readonly currency: string | null;
    readonly value: string | null;
    readonly rate: string | null;
    readonly grant_id: string | null;
  }[];
}

const HEADS = [
  'day',
  'opened_at',
  'closed_at',
  'created_at',
  'invoice_id',
  'reference',
  'state',
  'exception',
  'amount_zec',
  'received_zec',
  'refunded_zec',
  'fiat_currency',
  'fiat_value',
  'fiat_price',
  'grant',
];

/** A row for each invoice. */
export function dayCsv({ day_number: number, opened_at: opened, closed_at: closed, lines }: Day): string {
  const rows = lines.map((line) => [
    String(number),
    opened,
    closed ?? '',
    line.created_at,
    line.invoice_id,
    cell(line.reference ?? ''),
    line.state,
    line.exception ?? '',
    knownAmount(line.amount_zatoshi),
    zecColumn(line.received_zatoshi),
    zecColumn(line.refunded_zatoshi),
    line.currency ?? '',
    line.value ?? '',
    line.rate ?? '',
    line.grant_id ?? '',
  ]);
  return [HEADS, ...rows].map((row) => `${row.join()}\r\n`).join('');
}

export function dayHtml(day: Day): string {
  const title = day.closed_at === null ? `Day ${day.day_number}, still open` : `Z report ${day.day_number}`;
  const { earlier_days: earlier, lines, invoice_count: count } = day;
  return [
    head(title),
    `<p>${escaped(`${day.opened_at} to ${day.closed_at ?? 'now'}; amounts in ZEC.`)}</p>\n`,
    table(
      ['Invoices', 'number'],
      [
        ...Object.entries(day.states).map(([state, number]) => [state, String(number)]),
        ['all', String(count)],
      ],
    ),
    table(
      ['Amounts', 'ZEC'],
      (
        [
          ['asked for', day.asked_zatoshi],
          ['received', day.received_zatoshi],
          ['too much', day.over_zatoshi],
          ['too little', day.under_zatoshi],
          ['too late', day.late_zatoshi],
          ['refunded', day.refunded_zatoshi],
          [`received since for ${earlier.invoice_count} invoices of earlier days`, earlier.received_zatoshi],
          ['refunded since of earlier days', earlier.refunded_zatoshi],
        ] as const
      ).map(([name, zatoshi]) => [name, zecColumn(zatoshi)]),
    ),
    day.money.length === 0
      ? ''
      : table(
          ['Money', 'invoices', 'asked for', 'of paid invoices'],
          day.money.map((one) => [one.currency, String(one.invoice_count), one.asked, one.paid]),
        ),
    lines.length === 0
      ? ''
      : table(
          ['Order', 'state', 'asked for', 'received', 'refunded', 'money'],
          lines.map((line) => [
            line.reference ?? line.invoice_id.slice(0, 8),
            [line.state, line.exception].filter(Boolean).join(', '),
            knownAmount(line.amount_zatoshi),
            zecColumn(line.received_zatoshi),
            zecColumn(line.refunded_zatoshi),
            [line.value, line.currency].filter(Boolean).join(' '),
          ]),
        ),
    count > lines.length ? `<p>The first ${lines.length} of ${count} invoices are listed.</p>\n` : '',
    '</body>\n</html>\n',
  ].join('');
}
