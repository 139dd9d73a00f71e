// The report of lots and gains as CSV and as a page that prints well: one file, without script, that loads nothing.

import { zecColumn } from '@wallet-companion/base/values';
import { cell } from './csv.ts';
import { localTime } from './days.ts';
import { escaped, head, table } from './statement.ts';

interface Sums {
  readonly amount_zatoshi: number;
  readonly proceeds: string | null;
  readonly cost: string | null;
  readonly gain: string | null;
}

/** Decimal texts in the money; null where a price is missing. */
export interface GainsReport {
  readonly rule: string;
  readonly currency: string;
  readonly time_zone: string;
  readonly from: string | null;
  readonly to: string | null;
  readonly disposals: readonly (Sums & {
    readonly kind: 'payment' | 'fee';
    readonly time: string;
    readonly txid: string;
    readonly lot_time: string;
    readonly lot_txid: string;
  })[];
  /** The sum of those with a gain. */
  readonly total: Sums;
  readonly unpriced_zatoshi: number;
  readonly lots: readonly {
    readonly time: string;
    readonly txid: string;
    readonly amount_zatoshi: number;
    readonly cost: string | null;
  }[];
  readonly closing_zatoshi: number;
  readonly complete: boolean;
  readonly missing_ranges: readonly { readonly start_height: number; readonly end_height: number }[];
  readonly warning?: string | undefined;
}

const COLUMNS =
  'part,time_local,lot_time_local,zec,fiat_currency,proceeds,cost,gain,txid,lot_txid,note'.split(',');

const sums = ({ amount_zatoshi: zatoshi, proceeds, cost, gain }: Sums, currency: string): string[] => [
  zecColumn(zatoshi),
  currency,
  proceeds ?? '',
  cost ?? '',
  gain ?? '',
];

const incomplete = ({ complete, missing_ranges: missing }: GainsReport): string | undefined =>
  complete
    ? undefined
    : `Not complete. These blocks were not scanned: ${missing.map((one) => `${one.start_height}-${one.end_height}`).join(', ') || 'all'}.`;

const notesOf = (report: GainsReport): string[] =>
  [report.rule, incomplete(report) ?? [], report.warning ?? []].flat();

/** Digits of a transaction id that the page shows. */
const SHOWN_DIGITS = 8;

/** The rule first; then a row for each part of a disposal, their sum, each lot that is left, and the sum of those. */
export function gainsCsv(report: GainsReport): string {
  const { currency, time_zone: zone, disposals, total, unpriced_zatoshi: unpriced, lots } = report;
  const none = ['', '', '', '', ''];
  const rows = [
    COLUMNS,
    ...notesOf(report).map((note) => ['note', '', '', ...none, '', '', cell(note)]),
    ...disposals.map((one) => [
      one.kind,
      localTime(zone, one.time),
      localTime(zone, one.lot_time),
      ...sums(one, currency),
      one.txid,
      one.lot_txid,
      '',
    ]),
    ['total', '', '', ...sums(total, currency), '', '', ''],
    ['unpriced', '', '', zecColumn(unpriced), ...Array(7).fill('')],
    ...lots.map((lot) => [
      'lot',
      '',
      localTime(zone, lot.time),
      ...sums({ ...lot, proceeds: null, gain: null }, currency),
      '',
      lot.txid,
      '',
    ]),
    ['balance', '', '', zecColumn(report.closing_zatoshi), ...Array(7).fill('')],
  ];
  return rows.map((row) => `${row.join()}\r\n`).join('');
}

export function gainsHtml(report: GainsReport): string {
  const { currency, time_zone: zone, from, to, disposals, total, unpriced_zatoshi: unpriced, lots } = report;
  const local = (time: string | null, otherwise: string): string =>
    time === null ? otherwise : localTime(zone, time);
  // Amounts stay on one line beside days; the CSV has the times.
  const day = (time: string): string => localTime(zone, time).slice(0, 10);
  const money = ['proceeds', 'cost', 'gain'].map((name) => `${name} ${currency}`);
  const cells = (of: Sums): string[] => sums(of, currency).toSpliced(1, 1);
  return [
    head(`Gains, ${local(from, 'the beginning')} to ${local(to, 'now')}`),
    notesOf(report)
      .map((note) => `<p>${escaped(note)}</p>\n`)
      .join(''),
    table(
      ['Disposal', 'paid on', 'got on', 'ZEC', ...money],
      [
        ...disposals.map((one) => [
          `${one.kind} ${one.txid.slice(0, SHOWN_DIGITS)}`,
          day(one.time),
          day(one.lot_time),
          ...cells(one),
        ]),
        ['Total', '', '', ...cells(total)],
        ['Without a price', '', '', zecColumn(unpriced), '', '', ''],
      ],
    ),
    table(
      ['Lot that is left', 'got on', 'ZEC', `cost ${currency}`],
      [
        ...lots.map((lot) => [
          lot.txid.slice(0, SHOWN_DIGITS),
          day(lot.time),
          zecColumn(lot.amount_zatoshi),
          lot.cost ?? '',
        ]),
        ['Balance', '', zecColumn(report.closing_zatoshi), ''],
      ],
    ),
    '</body>\n</html>\n',
  ].join('');
}
