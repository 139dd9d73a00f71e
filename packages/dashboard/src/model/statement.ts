// The statement of a year, a month, or of everything: what is asked for, and its list of transactions.

import type { Client, Input, Output } from '@wallet-companion/client';

export type Statement = NonNullable<Output<'statement.get'>['statement']>;
type Period = Pick<Input<'statement.get'>, 'from' | 'to' | 'year'>;
export type Asked = Omit<Input<'transactions.export'>, 'format' | 'cursor' | 'limit'>;
export type Row = NonNullable<Output<'transactions.export'>['rows']>[number];

/** Sapling began in it: nothing shielded is older. */
const FIRST_YEAR = 2018;
const TWO_DIGITS = 2;

/** The newest first. `oldest`: the time of the first known transaction; undefined where older ones may be there. */
export function yearsOf(oldest: string | undefined, nowMs: number): readonly number[] {
  const last = new Date(nowMs).getFullYear();
  const first = Math.min(last, oldest === undefined ? FIRST_YEAR : new Date(oldest).getFullYear());
  return Array.from({ length: last - first + 1 }, (_, index) => last - index);
}

/** `year` and `month` (from 1) as texts; empty: everything, or the whole year. */
export function periodOf(year: string, month: string): Period {
  if (year === '') return {};
  if (month === '') return { year: Number(year) };
  const start = `${year}-${month.padStart(TWO_DIGITS, '0')}`;
  // The day before the first of the next month.
  const days = new Date(Date.UTC(Number(year), Number(month), 0)).getUTCDate();
  return { from: `${start}-01`, to: `${start}-${days}` };
}

/** Everything of the period, as the companion's pages have it. */
export async function readExport(
  call: Client['call'],
  asked: Asked,
  format: 'csv' | 'json',
): Promise<{ readonly rows: readonly Row[]; readonly text: string }> {
  const rows: Row[] = [];
  let text = '';
  for (let from: { cursor?: string } | undefined = {}; from; ) {
    const page: Output<'transactions.export'> = await call('transactions.export', {
      ...asked,
      format,
      ...from,
    });
    rows.push(...(page.rows ?? []));
    text += page.text ?? '';
    from = page.next_cursor === null ? undefined : { cursor: page.next_cursor };
  }
  return { rows, text };
}

/** Who paid or was paid, and what for. */
export const whatOf = ({ counterparties, labels, references, refunds, memos }: Row): string =>
  [
    ...counterparties,
    ...labels,
    ...references,
    ...refunds,
    ...memos.flatMap((memo) => (memo?.text === undefined ? [] : [memo.text])),
  ].join(' · ');
