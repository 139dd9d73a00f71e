// Business days: opened, and closed with a report that is kept as it is. What changes afterwards for its invoices (a late payment, a
// reorganisation, a refund) is in the report of the next day, so the sums of all reports are what the chain has.

import { moneySum, timeText, timeTextOrNull } from '@wallet-companion/base/values';
import { dayCsv, dayHtml } from '../../../books/day.ts';
import { CompanionError } from '../../../protocol/errors.ts';
import type { FeatureHandlers, Output } from '../../../protocol/operations.ts';
import type { DayLine, DayReport, InvoiceStateName, StoredDay, StoredInvoice } from '../ports/invoice.ts';
import type { Session } from '../session/session.ts';
import type { InvoiceBook } from './invoiceBook.ts';
import type { InvoicesContext } from './invoices.ts';
import { type Evaluation, evaluate, type Snapshot } from './invoiceView.ts';
import { refundedIn } from './refunds.ts';

/** A report is one record of the file. */
const MOST_LINES = 2_000;
/** A till of ten years. */
const MOST_DAYS = 20_000;

type DayView = Output<'days.close'>;
type Handled = 'days.open' | 'days.close' | 'days.list' | 'days.get';

export function dayHandlers(context: InvoicesContext): Pick<FeatureHandlers<'invoices'>, Handled> {
  const { sessions, invoices } = context;
  const view = (session: Session, day: StoredDay): DayView =>
    dayView(day, day.report ?? reportOf(invoices.bookOf(session), day, invoices.snapshot(session)).report);
  return {
    'days.open': () => {
      const session = sessions.use();
      const book = invoices.bookOf(session);
      // Two tills that open one day are one opening.
      if (book.openDay !== undefined) return view(session, book.openDay);
      const number = book.days.length + 1;
      if (number > MOST_DAYS)
        throw new CompanionError(
          'DAY_STATE',
          `A wallet has room for ${MOST_DAYS} days; make another wallet.`,
        );
      const openedAt = context.environment.clock.now();
      const day = { number, openedAt, closedAt: null, sequence: book.days.at(-1)?.sequence ?? 0 };
      book.put([], book.sequence, day);
      return view(session, day);
    },
    'days.close': () => {
      const session = sessions.use();
      const book = invoices.bookOf(session);
      const { openDay } = book;
      if (openDay === undefined) throw new CompanionError('DAY_STATE', 'No day is open: open one first.');
      const { report, rows, isKnown } = reportOf(book, openDay, invoices.snapshot(session));
      if (session.noteStore.isUncertain || !isKnown)
        throw new CompanionError(
          'BUSY',
          'Blocks are being scanned again, so what came is not known now. Close the day when the sync is done.',
        );
      const closedAt = Math.max(openDay.openedAt, context.environment.clock.now());
      const closed = { ...openDay, closedAt, sequence: book.sequence, report };
      book.put(rows, book.sequence, closed);
      return dayView(closed, report);
    },
    'days.list': ({ limit = 100, before }, caller) => {
      const session = sessions.read(caller);
      const days = invoices.bookOf(session).days.slice(0, before === undefined ? undefined : before - 1);
      return {
        days: days
          .slice(-limit)
          .reverse()
          .map((day) => ({ ...view(session, day), lines: [] })),
      };
    },
    'days.get': ({ day_number: number, format = 'json' }, caller) => {
      const session = sessions.read(caller);
      const day = invoices.bookOf(session).days[number - 1];
      if (day === undefined) throw new CompanionError('NOT_FOUND', 'This wallet has no such day.');
      const shown = view(session, day);
      if (format === 'json') return { format, day: shown };
      return { format, text: (format === 'csv' ? dayCsv : dayHtml)(shown) };
    },
  };
}

const isPaid = ({ state: { state } }: Evaluation): boolean => state === 'paid' || state === 'confirmed';

/**
 * `rows`: with what the report has of each. `isKnown`: no block with a payment of them is scanned again. What a rescan finds as it
 * was is announced as no change, so a later report would never have it.
 */
function reportOf(
  book: InvoiceBook,
  { number, sequence }: StoredDay,
  snapshot: Snapshot,
): { report: DayReport; rows: StoredInvoice[]; isKnown: boolean } {
  const own = book.rows
    .filter(({ day }) => day === number)
    .toReversed()
    .map((row) => evaluate(row, snapshot));
  const changed = book
    .changedAfter(sequence)
    .filter(({ day, reported }) => day !== number && reported !== undefined)
    .map((row) => evaluate(row, snapshot));
  const earlier = changed
    .map((evaluation) => ({ evaluation, change: changeSince(evaluation) }))
    .filter(({ change }) => change.received !== 0 || change.refunded !== 0);
  const sum = (of: (one: Evaluation) => number): number => own.reduce((all, one) => all + of(one), 0);
  const states: Record<InvoiceStateName, number> = {
    new: 0,
    seen: 0,
    paid: 0,
    confirmed: 0,
    expired: 0,
    cancelled: 0,
  };
  for (const { state } of own) states[state.state] += 1;
  const difference = ({ row: { amount }, state: { received } }: Evaluation) =>
    received - (amount ?? received);
  const report = {
    invoices: own.length,
    states,
    asked: sum(({ row }) => row.amount ?? 0),
    received: sum(({ state }) => state.received),
    over: sum((one) => Math.max(0, difference(one))),
    under: sum((one) => (one.state.received === 0 ? 0 : Math.max(0, -difference(one)))),
    late: sum(({ state }) => (state.exception === 'late' ? state.received : 0)),
    refunded: sum(({ refunds }) => refundedIn(refunds)),
    money: moneyOf(own),
    since: {
      invoices: earlier.length,
      received: earlier.reduce((all, { change }) => all + change.received, 0),
      refunded: earlier.reduce((all, { change }) => all + change.refunded, 0),
    },
    lines: own.slice(0, MOST_LINES).map(lineOf),
  };
  const counted = [...own, ...earlier.map(({ evaluation }) => evaluation)];
  return {
    report,
    isKnown: [...own, ...changed].every((one) => one.isKnown),
    rows: counted.map(({ row, state: { received }, refunds }) => ({
      ...row,
      reported: { received, refunded: refundedIn(refunds) },
    })),
  };
}

const changeSince = ({ row: { reported }, state, refunds }: Evaluation) => ({
  received: state.received - (reported?.received ?? 0),
  refunded: refundedIn(refunds) - (reported?.refunded ?? 0),
});

function moneyOf(evaluations: readonly Evaluation[]): DayReport['money'] {
  const priced = evaluations.flatMap((one) =>
    one.row.price ? [{ price: one.row.price, isPaid: isPaid(one) }] : [],
  );
  return [...new Set(priced.map(({ price }) => price.currency))].sort().map((currency) => {
    const of = priced.filter(({ price }) => price.currency === currency);
    const values = (some: typeof of) =>
      moneySum(
        some.map(({ price }) => price.value),
        currency,
      );
    return {
      currency,
      invoices: of.length,
      asked: values(of),
      paid: values(of.filter(({ isPaid }) => isPaid)),
    };
  });
}

const lineOf = ({ row, state, refunds }: Evaluation): DayLine => ({
  id: row.id,
  reference: row.reference,
  createdAt: row.createdAt,
  state: state.state,
  exception: state.exception,
  amount: row.amount,
  received: state.received,
  refunded: refundedIn(refunds),
  currency: row.price?.currency ?? null,
  value: row.price?.value ?? null,
  rate: row.price?.rate ?? null,
  grant: row.grant ?? null,
});

const dayView = ({ number, openedAt, closedAt }: StoredDay, report: DayReport): DayView => ({
  day_number: number,
  opened_at: timeText(openedAt),
  closed_at: timeTextOrNull(closedAt),
  invoice_count: report.invoices,
  states: { ...report.states },
  asked_zatoshi: report.asked,
  received_zatoshi: report.received,
  over_zatoshi: report.over,
  under_zatoshi: report.under,
  late_zatoshi: report.late,
  refunded_zatoshi: report.refunded,
  money: report.money.map(({ invoices, ...sums }) => ({ ...sums, invoice_count: invoices })),
  earlier_days: {
    invoice_count: report.since.invoices,
    received_zatoshi: report.since.received,
    refunded_zatoshi: report.since.refunded,
  },
  lines: report.lines.map((line) => ({
    invoice_id: line.id,
    reference: line.reference,
    created_at: timeText(line.createdAt),
    state: line.state,
    exception: line.exception,
    amount_zatoshi: line.amount,
    received_zatoshi: line.received,
    refunded_zatoshi: line.refunded,
    currency: line.currency,
    value: line.value,
    rate: line.rate,
    grant_id: line.grant,
  })),
});
