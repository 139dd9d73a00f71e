// A statement of a period as CSV and as a page that prints well: one file, without script, that loads nothing.

import { zecColumn } from '@wallet-companion/base/values';
import { cell, knownAmount } from './csv.ts';
import { localTime } from './days.ts';
import { visible } from './harmless.ts';

export interface StatementAmounts {
  /** Null, as the other amounts, where the wallet sees no spends. */
  readonly opening_zatoshi: number | null;
  readonly received_zatoshi: number;
  /** Without fees. */
  readonly sent_zatoshi: number | null;
  /** The part of it that refunded invoices; absent where that was not stated yet. */
  readonly refunded_zatoshi?: number | null | undefined;
  readonly fee_zatoshi: number | null;
  readonly closing_zatoshi: number | null;
}

export interface Statement extends StatementAmounts {
  readonly network: string;
  readonly time_zone: string;
  readonly from: string | null;
  readonly to: string | null;
  readonly start_height: number;
  readonly start_hash: string | null;
  readonly end_height: number;
  readonly end_hash: string | null;
  readonly accounts: readonly (StatementAmounts & { readonly account: number })[];
  readonly labels: readonly {
    readonly label: string;
    readonly received_zatoshi: number;
    readonly note_count: number;
  }[];
  readonly complete: boolean;
  readonly missing_ranges: readonly { readonly start_height: number; readonly end_height: number }[];
  readonly scanned: readonly {
    readonly account: number;
    readonly start_height: number;
    readonly end_height: number;
    readonly verified_with: string | null;
  }[];
  /** Why the amounts are not what they seem. */
  readonly warning?: string | undefined;
}

const HEADS = ['opening', 'received', 'sent', 'fees', 'closing', 'of sent: refunds'];
const COLUMNS = ['opening', 'received', 'sent', 'fees', 'closing', 'refunded'];

const NO_AMOUNTS = COLUMNS.map(() => '');

const columns = (of: StatementAmounts): string[] =>
  [
    of.opening_zatoshi,
    of.received_zatoshi,
    of.sent_zatoshi,
    of.fee_zatoshi,
    of.closing_zatoshi,
    of.refunded_zatoshi ?? null,
  ].map(knownAmount);

/** A row for the whole, for each account and each label. */
export function statementCsv(statement: Statement): string {
  const rows = [
    ['part', 'name', ...COLUMNS.map((name) => `${name}_zec`)],
    ['total', '', ...columns(statement)],
    ...statement.accounts.map((one) => ['account', String(one.account), ...columns(one)]),
    ...statement.labels.map((one) => [
      'label',
      cell(one.label),
      '',
      zecColumn(one.received_zatoshi),
      ...Array(4).fill(''),
    ]),
    ...statement.missing_ranges.map((one) => [
      'missing',
      `${one.start_height}-${one.end_height}`,
      ...NO_AMOUNTS,
    ]),
    ...(statement.warning === undefined ? [] : [['warning', cell(statement.warning), ...NO_AMOUNTS]]),
  ];
  return rows.map((row) => `${row.join()}\r\n`).join('');
}

const ENTITIES: Readonly<Record<string, string>> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' };
export const escaped = (text: string): string =>
  visible(text).replaceAll(/[&<>"]/g, (found) => ENTITIES[found]!);

const STYLE =
  'body{font:11pt/1.4 system-ui,sans-serif;max-width:50em;margin:2em auto;padding:0 1em}table{border-collapse:collapse;width:100%;margin:1em 0}' +
  'th,td{border-bottom:1px solid #999;padding:.3em .5em;text-align:left;overflow-wrap:anywhere}td.n,th.n{text-align:right;font-variant-numeric:tabular-nums}td.n:not(.long){white-space:nowrap}' +
  'tr{break-inside:avoid}@media print{body{margin:0;max-width:none}}';

const LONGEST_UNBROKEN = 24;

/** The beginning of a page that loads nothing. */
export const head = (title: string): string =>
  [
    '<!doctype html>\n<html lang="en">\n<head><meta charset="utf-8">',
    `<meta http-equiv="Content-Security-Policy" content="default-src 'none'; style-src 'unsafe-inline'">`,
    `<title>${escaped(title)}</title><style>${STYLE}</style></head>\n<body>\n<h1>${escaped(title)}</h1>\n`,
  ].join('');

export const table = (heads: readonly string[], rows: readonly (readonly string[])[]): string => {
  // An amount or a day is never broken in two, a hash is.
  const kind = (text: string): string => (text.length > LONGEST_UNBROKEN ? ' class="n long"' : ' class="n"');
  const row = (tag: 'th' | 'td', cells: readonly string[]): string =>
    `<tr>${cells.map((text, i) => `<${tag}${i === 0 ? '' : kind(text)}>${escaped(text)}</${tag}>`).join('')}</tr>\n`;
  return `<table>\n${row('th', heads)}${rows.map((cells) => row('td', cells)).join('')}</table>\n`;
};

/** What the figures rest on, in words. */
function basis({ complete, missing_ranges: missing, scanned, warning }: Statement): string {
  const ranges = missing.map(({ start_height: start, end_height: end }) => `${start}-${end}`).join(', ');
  const alone = scanned.some(({ verified_with: verifier }) => verifier === null);
  const whole = complete
    ? 'Every block up to the end of the period was scanned, each linked to the one below it by its hash.'
    : `Not complete. These blocks were not scanned: ${ranges || 'all'}.`;
  return [
    whole,
    ...(alone ? ['Of some blocks a compact server alone says what is in them.'] : []),
    ...(warning === undefined ? [] : [warning]),
  ].join(' ');
}

export function statementHtml(statement: Statement): string {
  const { from, to, time_zone: zone, network, start_height, start_hash, end_height, end_hash } = statement;
  const local = (time: string | null, otherwise: string): string =>
    time === null ? otherwise : localTime(zone, time);
  const title = `Statement, ${local(from, 'the beginning')} to ${local(to, 'now')}`;
  return [
    head(title),
    `<p>${escaped(`Zcash, ${network} network; amounts in ZEC; days of ${zone}.`)}</p>\n`,
    table(
      ['Account', ...HEADS],
      [
        ...statement.accounts.map((one) => [String(one.account), ...columns(one)]),
        ['Total', ...columns(statement)],
      ],
    ),
    statement.labels.length === 0
      ? ''
      : table(
          ['Received at', 'received', 'notes'],
          statement.labels.map((one) => [one.label, zecColumn(one.received_zatoshi), String(one.note_count)]),
        ),
    `<h2>What this rests on</h2>\n<p>${escaped(basis(statement))}</p>\n`,
    table(
      ['Block', 'height', 'hash'],
      [
        ['First', String(start_height), start_hash ?? 'not known'],
        ['Last', String(end_height), end_hash ?? 'not known'],
      ],
    ),
    '</body>\n</html>\n',
  ].join('');
}
