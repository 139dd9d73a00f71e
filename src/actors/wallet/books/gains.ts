// Lots and gains of a period, from the lines of the books: the lots that are left add up to what the wallet holds, or there is no report.

import { blockTimeText, fromMinorUnits } from '@wallet-companion/base/values';
import { type Disposal, FIFO_RULE, gainOf, gainsOf } from '../../../books/gains.ts';
import { gainsCsv, gainsHtml } from '../../../books/gainsReport.ts';
import { movementsOf } from '../../../books/ledger.ts';
import { badField, CompanionError } from '../../../protocol/errors.ts';
import type { Input, Output } from '../../../protocol/operations.ts';
import { caveatOf, seesSpends } from '../session/caveats.ts';
import type { WalletContext } from '../wallet/walletContext.ts';
import { fundsAt } from './balanceAt.ts';
import { BlockTimes, type Span } from './blockTimes.ts';
import { doesNotAddUp } from './exportPage.ts';
import { type Period, periodOf } from './instant.ts';
import { rowsOf } from './ledgerRows.ts';
import { AMOUNTS } from './statement.ts';
import { dayRatesOf, valuesWarning, worthBy } from './worth.ts';

type Report = NonNullable<Output<'statement.gains'>['gains']>;

/** Some 15 MB of text. */
const MAX_LINES = 50_000;

export async function gainsIn(
  context: WalletContext,
  input: Input<'statement.gains'>,
): Promise<Output<'statement.gains'>> {
  const period = periodOf(input);
  const { format = 'json' } = input;
  const times = new BlockTimes(context, context.sessions.use(undefined).noteStore);
  const span = await times.spanOf(period);
  const rates = await dayRatesOf(context.environment);
  const currency = input.currency ?? rates.days?.currency;
  if (currency === undefined) throw badField('currency', 'is needed: no rates_file names one');
  const gains = gainsAt(context, { ...period, ...span }, rates, currency);
  if (format === 'json') return { format, gains };
  return { format, text: format === 'csv' ? gainsCsv(gains) : gainsHtml(gains) };
}

function gainsAt(
  context: WalletContext,
  { zone, from, to, start, end }: Period & Span,
  rates: Awaited<ReturnType<typeof dayRatesOf>>,
  currency: string,
): Report {
  const session = context.sessions.use(undefined);
  if (!seesSpends(session))
    throw new CompanionError(
      'INVALID_REQUEST',
      'An incoming viewing key sees no spends, so there is no telling what was gained.',
    );
  const { noteStore } = session;
  const { tables } = noteStore;
  const invoices = context.invoices.readable(session);
  const names = { ...AMOUNTS, ...worthBy(invoices, rates, currency, zone), seesSpends: true };
  const lines = tables.transactions.sorted
    .toReversed()
    .filter(({ height }) => height <= end)
    .flatMap((transaction) => rowsOf(tables, transaction, undefined, 0, names));
  const { disposals, lots, missing } = gainsOf(movementsOf(lines), currency);
  const shown = disposals.filter(({ height }) => height >= start);
  if (shown.length + lots.length > MAX_LINES)
    throw badField(
      'from',
      `to there has more than the ${MAX_LINES} lines of a report: take a shorter period`,
    );
  const closing = lots.reduce((sum, { zatoshi }) => sum + zatoshi, 0) - missing;
  const { total_zatoshi: held, complete, missing_ranges } = fundsAt(noteStore, end, undefined);
  if (held !== closing) throw doesNotAddUp(closing, held);
  const text = (units: bigint | null) => (units === null ? null : fromMinorUnits(units, currency));
  const warning = [caveatOf(session) ?? [], valuesWarning(invoices, rates) ?? []].flat().join(' ');
  return {
    rule: FIFO_RULE,
    currency,
    time_zone: zone,
    from: from === undefined ? null : blockTimeText(from),
    to: to === undefined ? null : blockTimeText(to),
    disposals: shown.map((one) => ({
      kind: one.kind,
      time: one.time,
      txid: one.txid,
      amount_zatoshi: one.zatoshi,
      proceeds: text(one.proceeds),
      cost: text(one.lot.cost),
      gain: text(gainOf(one)),
      lot_time: one.lot.time,
      lot_txid: one.lot.txid,
    })),
    ...totalsOf(shown, currency),
    lots: lots.map(({ time, txid, zatoshi, cost }) => ({
      time,
      txid,
      amount_zatoshi: zatoshi,
      cost: text(cost),
    })),
    closing_zatoshi: closing,
    complete,
    missing_ranges,
    ...(warning !== '' && { warning }),
  };
}

/** A sum of what is known would pass for one of everything: what has no gain is counted apart. */
function totalsOf(disposals: readonly Disposal[], currency: string) {
  const priced = disposals.filter((one) => gainOf(one) !== null);
  const sum = (unitsOf: (one: Disposal) => bigint | null): string =>
    fromMinorUnits(
      priced.reduce((all, one) => all + (unitsOf(one) ?? 0n), 0n),
      currency,
    );
  const zatoshi = (of: readonly Disposal[]): number => of.reduce((all, one) => all + one.zatoshi, 0);
  return {
    total: {
      amount_zatoshi: zatoshi(priced),
      proceeds: sum(({ proceeds }) => proceeds),
      cost: sum(({ lot }) => lot.cost),
      gain: sum(gainOf),
    },
    unpriced_zatoshi: zatoshi(disposals) - zatoshi(priced),
  };
}
