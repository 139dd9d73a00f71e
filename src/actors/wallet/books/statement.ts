// A statement of some blocks, from the lines of the books: each account's opening, what moved and closing add up, or there is none.

import { blockTimeText, type Height } from '@wallet-companion/base/values';
import { blockHashToHex } from '@wallet-companion/zcash/identifiers';
import { imbalance, movementsOf } from '../../../books/ledger.ts';
import { statementCsv, statementHtml } from '../../../books/statement.ts';
import { CompanionError } from '../../../protocol/errors.ts';
import type { Input, Output } from '../../../protocol/operations.ts';
import type { RefundNames } from '../invoices/invoices.ts';
import { isOf } from '../noteViews/scanReach.ts';
import { caveatOf, seesSpends } from '../session/caveats.ts';
import type { Session } from '../session/session.ts';
import type { WalletContext } from '../wallet/walletContext.ts';
import { fundsAt } from './balanceAt.ts';
import { BlockTimes } from './blockTimes.ts';
import { doesNotAddUp } from './exportPage.ts';
import { type Period, periodOf } from './instant.ts';
import { type LedgerRow, type RowNames, rowsOf } from './ledgerRows.ts';

type Statement = NonNullable<Output<'statement.get'>['statement']>;

interface Blocks {
  readonly start: Height;
  readonly end: Height;
  /** Whether there may be later blocks by that time, which nobody could be asked about. */
  readonly isOpen?: boolean;
}

/** For rows of which only the amounts count. */
export const AMOUNTS: Omit<RowNames, 'seesSpends'> = {
  labelOf: () => null,
  recipientOf: () => '',
  referenceOf: () => null,
  priceOf: () => undefined,
  dayRateAt: () => undefined,
  refundOf: () => undefined,
  confirmations: () => 0,
  verifiedAt: () => null,
  isWanted: () => true,
};

export async function statementOf(
  context: WalletContext,
  input: Input<'statement.get'>,
): Promise<Output<'statement.get'>> {
  const period = periodOf(input);
  const { format = 'json', account } = input;
  const { noteStore } = context.sessions.use(account);
  const times = new BlockTimes(context, noteStore);
  times.requireBegun(period);
  const blocks = await blocksOf(context, period, times, account);
  const statement = await statementAt(context, account, blocks, period);
  if (format === 'json') return { format, statement };
  return { format, text: format === 'csv' ? statementCsv(statement) : statementHtml(statement) };
}

async function blocksOf(
  { params, sessions }: WalletContext,
  period: Period,
  times: BlockTimes,
  account: number | undefined,
): Promise<Blocks> {
  const { noteStore, header } = sessions.use(account);
  if (period.to === undefined && noteStore.scannedTop(account) === undefined)
    throw new CompanionError(
      'INVALID_REQUEST',
      'Nothing has been scanned yet, so there is nothing to state. Sync first.',
    );
  const { height: end, isCertain } = await times.endOf(period, 'heights');
  const lowest = Math.max(header.birthdayHeight, params.activation.sapling);
  const start = await times.startOf(period, 'heights', lowest);
  return { start: Math.min(start, end + 1), end, isOpen: !isCertain };
}

async function statementAt(
  context: WalletContext,
  account: number | undefined,
  { start, end, isOpen = false }: Blocks,
  { zone, from, to }: Pick<Period, 'zone' | 'from' | 'to'>,
): Promise<Statement> {
  const { sessions } = context;
  const times = new BlockTimes(context, sessions.use(account).noteStore);
  const [first, last] = [await times.at(start), await times.at(end)];
  // The session may have ended during the requests to the source.
  const session = sessions.use(account);
  const { noteStore } = session;
  const caveat = caveatOf(session);
  const refunds = context.invoices.refunds(session);
  const rows = rowsIn(session, account, { start, end }, refunds);
  const chosen = session.accounts.filter(({ index }) => isOf(account, { account: index }));
  const accounts = chosen.map(({ index }) => ({
    account: index,
    ...amountsOf(
      session,
      index,
      rows.filter((row) => row.account === index),
      { start, end },
    ),
  }));
  const { complete, missing_ranges } = fundsAt(noteStore, end, account);
  return {
    network: session.header.network,
    account: account ?? null,
    time_zone: zone,
    from: from === undefined ? null : blockTimeText(from),
    to: to === undefined ? null : blockTimeText(to),
    start_height: start,
    start_hash: first === null ? null : blockHashToHex(first.hash),
    end_height: end,
    end_hash: last === null ? null : blockHashToHex(last.hash),
    ...amountsOf(session, account, rows, { start, end }),
    accounts,
    labels: labelsIn(session, account, { start, end }),
    complete: complete && !isOpen,
    missing_ranges,
    scanned: chosen.flatMap(({ index }) =>
      noteStore
        .verifiedStretches(index)
        .filter((stretch) => stretch.start <= end && stretch.end >= start)
        .map((stretch) => ({
          account: index,
          start_height: Math.max(stretch.start, start),
          end_height: Math.min(stretch.end, end),
          verified_with: stretch.verifiedWith,
        })),
    ),
    ...(caveat !== undefined && { warning: caveat }),
  };
}

function rowsIn(
  session: Session,
  account: number | undefined,
  { start, end }: Blocks,
  refunds: RefundNames,
): LedgerRow[] {
  const { tables } = session.noteStore;
  const names: RowNames = {
    ...AMOUNTS,
    seesSpends: seesSpends(session),
    refundOf: (txid) => refunds.get(txid),
  };
  return tables.transactions.sorted
    .filter(({ height }) => height >= start && height <= end)
    .flatMap((transaction) => rowsOf(tables, transaction, account, 0, names));
}

function amountsOf(
  session: Session,
  account: number | undefined,
  lines: readonly LedgerRow[],
  { start, end }: Blocks,
) {
  const { noteStore, header } = session;
  const opening = fundsAt(noteStore, start - 1, account).total_zatoshi;
  const closing = fundsAt(noteStore, end, account).total_zatoshi;
  const difference = imbalance({ opening, lines, closing });
  if (difference !== 0) throw doesNotAddUp(closing + difference, closing);
  const moved = movementsOf(lines);
  const sum = (field: 'received' | 'sent' | 'fee') => moved.reduce((total, one) => total + one[field], 0);
  if (!seesSpends(session))
    return {
      opening_zatoshi: start <= header.birthdayHeight ? opening : null,
      received_zatoshi: sum('received'),
      sent_zatoshi: null,
      refunded_zatoshi: null,
      fee_zatoshi: null,
      closing_zatoshi: null,
    };
  return {
    opening_zatoshi: opening,
    received_zatoshi: sum('received'),
    sent_zatoshi: sum('sent'),
    refunded_zatoshi: moved.reduce((total, { sent, refund }) => total + (refund === '' ? 0 : sent), 0),
    fee_zatoshi: sum('fee'),
    closing_zatoshi: closing,
  };
}

function labelsIn(
  session: Session,
  account: number | undefined,
  { start, end }: Blocks,
): Statement['labels'] {
  const labels = new Map<string, { zatoshi: number; count: number }>();
  for (const note of session.noteStore.notes) {
    const label = session.labelOf(note);
    if (label === null || !isOf(account, note) || note.height < start || note.height > end) continue;
    const { zatoshi, count } = labels.get(label) ?? { zatoshi: 0, count: 0 };
    labels.set(label, { zatoshi: zatoshi + note.value, count: count + 1 });
  }
  return [...labels].map(([label, { zatoshi, count }]) => ({
    label,
    received_zatoshi: zatoshi,
    note_count: count,
  }));
}

/** What a viewing key alone can find again. */
const COMPARED = [
  'network',
  'start_hash',
  'end_hash',
  'opening_zatoshi',
  'received_zatoshi',
  'sent_zatoshi',
  'fee_zatoshi',
  'closing_zatoshi',
] as const;

/** The stated period is of blocks, so this computes the same blocks. */
export async function statementCheck(
  context: WalletContext,
  stated: Statement,
  account: number | undefined,
): Promise<Output<'statement.check'>> {
  const blocks = { start: stated.start_height, end: stated.end_height };
  const found = await statementAt(context, account, blocks, { zone: stated.time_zone });
  const differences = COMPARED.filter((field) => stated[field] !== found[field]).map((field) => ({
    field,
    stated: String(stated[field]),
    found: String(found[field]),
  }));
  return {
    equal: differences.length === 0 && found.complete,
    differences,
    complete: found.complete,
    missing_ranges: found.missing_ranges,
  };
}
