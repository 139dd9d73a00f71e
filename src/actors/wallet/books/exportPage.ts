// The history of the wallet in pages, oldest first, each with the balance after every row. A cursor contains the number
// of transactions before it and a mark of them. If the past has changed since (a reorganisation, a gap that was
// closed), the pages would not fit together, and the cursor is refused.

import { type Height, MAX_HEIGHT } from '@wallet-companion/base/values';
import { datevBytes, isLeftOut, MAX_DATEV_TRANSACTIONS } from '../../../books/datev.ts';
import type { DatevFrame } from '../../../books/format.ts';
import { FORMATS, type FormatName } from '../../../books/write.ts';
import { badField, CompanionError } from '../../../protocol/errors.ts';
import type { Input, Output } from '../../../protocol/operations.ts';
import type { NoteTables } from '../noteStore/book/noteTables.ts';
import type { NoteStore } from '../noteStore/noteStore.ts';
import { scanReach } from '../noteViews/scanReach.ts';
import type { StoredTransaction } from '../ports/noteDatabase.ts';
import { fundsAt } from './balanceAt.ts';
import type { Span } from './blockTimes.ts';
import type { Period } from './instant.ts';
import { changeOf, isMovedIn, type LedgerRow, type RowNames, rowsOf } from './ledgerRows.ts';

/** Some milliseconds of work, and with memos some hundred kilobytes. */
const DEFAULT_PAGE = 200;

/** The rows before a page. */
interface Past {
  readonly count: number;
  readonly balance: number;
  /** A mark of the transactions and their blocks. */
  readonly mark: number;
}

const NOTHING: Past = { count: 0, balance: 0, mark: 0 };

/** What a page is made from. */
export interface Books {
  readonly noteStore: NoteStore;
  readonly names: RowNames;
  readonly caveat?: string | undefined;
  /** Where the format is DATEV's. */
  readonly datev?: DatevFrame | undefined;
}

/** Throws `WALLET_CORRUPT` where opening and lines do not add up to closing. */
export function exportPage(
  { noteStore, names, caveat, datev }: Books,
  input: Input<'transactions.export'>,
  period: Pick<Period, 'zone' | 'from' | 'to'> & Span,
  nowMs: number,
): Output<'transactions.export'> {
  const { format = 'csv', account, limit = DEFAULT_PAGE, cursor } = input;
  const { tables } = noteStore;
  const { seesSpends } = names;
  const newestFirst = tables.transactions.sorted;
  const oldest = (index: number): StoredTransaction => newestFirst[newestFirst.length - 1 - index]!;
  const { start, stop } = placesOf(newestFirst, period);
  let past = NOTHING;
  const isFirst = !newestFirst
    .slice(newestFirst.length - start)
    .some((one) => isMovedIn(tables, one, account));
  while (past.count < start)
    past = withNext(past, oldest(past.count), past.balance + changeOf(tables, oldest(past.count), account));
  const opening = past.balance;
  const first = past.count;
  if (cursor === undefined) requireHeld(noteStore, heightBefore(newestFirst, start), account, opening);
  else {
    past = decodeCursor(cursor);
    if (!isGivenOut(newestFirst, account, past)) verify(past, newestFirst, tables, account);
    if (past.count < first || past.count > stop) throw otherHistory();
  }
  const rows: LedgerRow[] = [];
  const end = Math.min(stop, past.count + limit);
  while (past.count < end) {
    const transaction = oldest(past.count);
    rows.push(...rowsOf(tables, transaction, account, past.balance, names));
    past = withNext(past, transaction, past.balance + changeOf(tables, transaction, account));
  }
  const isLast = end >= stop;
  if (isLast) requireHeld(noteStore, heightBefore(newestFirst, stop), account, past.balance);
  const { asOfHeight, complete, missing, verifiedWith } = scanReach(noteStore, account);
  const { label, address, direction } = input;
  const frame = {
    account,
    zone: period.zone,
    from: period.from,
    isSelection: [label, address, direction].some((selected) => selected !== undefined) || !seesSpends,
    caveat,
    datev,
  };
  if (datev !== undefined && stop - first > MAX_DATEV_TRANSACTIONS)
    throw badField(
      'year',
      `has more than the ${MAX_DATEV_TRANSACTIONS} transactions of a file: export it by months, with from and to`,
    );
  // The last transaction need not have the latest time.
  const through = newestFirst
    .slice(newestFirst.length - stop, newestFirst.length - start)
    .reduce(
      (latest, { time }) => Math.max(latest, time),
      Math.min(period.to ?? Number.POSITIVE_INFINITY, Math.floor(nowMs / 1000)),
    );
  const text = (name: FormatName): string => {
    const { head, body, foot } = FORMATS[name];
    const beginning = isFirst ? 'first' : input.opening === 'post' ? 'posted' : 'asserted';
    const before = cursor === undefined ? head({ ...frame, opening, beginning }) : '';
    const { balance: closing } = past;
    return before + body(rows, frame) + (isLast ? foot({ ...frame, closing, through, to: period.to }) : '');
  };
  return {
    format,
    opening_zatoshi: seesSpends || period.from === undefined ? opening : null,
    balance_zatoshi: seesSpends ? past.balance : null,
    as_of_height: asOfHeight,
    verified_with: verifiedWith,
    complete,
    missing_ranges: missing,
    next_cursor: isLast ? null : giveOut(newestFirst, account, past),
    ...(format === 'json'
      ? { rows }
      : datev === undefined
        ? { text: text(format) }
        : datevFile(rows, text('datev'), datev)),
  };
}

const datevFile = (rows: readonly LedgerRow[], text: string, { settings }: DatevFrame) => ({
  file: datevBytes(text).toString('base64'),
  left_out: [...new Set(rows.filter((row) => isLeftOut(row, settings)).map(({ txid }) => txid))],
});

/** The period as transactions, counted from the oldest. */
function placesOf(newestFirst: readonly StoredTransaction[], { start, end }: Span) {
  const countBelow = (border: Height): number =>
    newestFirst.length - 1 - newestFirst.findLastIndex(({ height }) => height >= border);
  const first = countBelow(start);
  return { start: first, stop: Math.max(first, countBelow(end + 1)) };
}

/** The last block that has none of the transactions from `count` on. */
const heightBefore = (newestFirst: readonly StoredTransaction[], count: number): Height =>
  count === newestFirst.length ? MAX_HEIGHT : newestFirst[newestFirst.length - 1 - count]!.height - 1;

/** The notes themselves are the second count of what the lines add up to. */
function requireHeld(
  noteStore: NoteStore,
  height: Height,
  account: number | undefined,
  balance: number,
): void {
  const held = fundsAt(noteStore, height, account).total_zatoshi;
  if (held === balance) return;
  throw doesNotAddUp(balance, held);
}

export const doesNotAddUp = (balance: number, held: number): CompanionError =>
  new CompanionError(
    'WALLET_CORRUPT',
    `The history adds up to ${balance} zatoshi, and the notes to ${held}, so no books are written. Run a rescan, and report this if it happens again.`,
  );

const withNext = ({ count, mark }: Past, transaction: StoredTransaction, balance: number): Past => ({
  count: count + 1,
  balance,
  mark: nextMark(mark, transaction),
});

/** Not a defence: it only distinguishes histories of this wallet. */
function nextMark(mark: number, { height, txIndex, txid }: StoredTransaction): number {
  const digits = Number.parseInt(txid.slice(0, 8), 16);
  return (Math.imul(Math.imul(mark, 31) + height, 31) + Math.imul(txIndex, 7919) + digits) >>> 0;
}

/**
 * The cursors returned for each state of the history: while the history does not change, the rows before a page need
 * not be added up again for every page. Every change makes a new list.
 */
const givenOut = new WeakMap<readonly StoredTransaction[], Set<string>>();
const MOST_GIVEN_OUT = 1_000;

const nameOf = (account: number | undefined, past: Past): string =>
  `${account ?? 'all'} ${encodeCursor(past)}`;

const isGivenOut = (
  history: readonly StoredTransaction[],
  account: number | undefined,
  past: Past,
): boolean => givenOut.get(history)?.has(nameOf(account, past)) === true;

function giveOut(history: readonly StoredTransaction[], account: number | undefined, past: Past): string {
  const known = givenOut.get(history) ?? new Set<string>();
  if (known.size >= MOST_GIVEN_OUT) known.clear();
  givenOut.set(history, known.add(nameOf(account, past)));
  return encodeCursor(past);
}

/** Throws `INVALID_REQUEST` where the history does not begin with this past. */
function verify(
  past: Past,
  newestFirst: readonly StoredTransaction[],
  tables: NoteTables,
  account: number | undefined,
): void {
  let { balance, mark } = NOTHING;
  for (let done = 0; done < Math.min(past.count, newestFirst.length); done++) {
    const transaction = newestFirst[newestFirst.length - 1 - done]!;
    balance += changeOf(tables, transaction, account);
    mark = nextMark(mark, transaction);
  }
  if (past.count <= newestFirst.length && balance === past.balance && mark === past.mark) return;
  throw otherHistory();
}

const otherHistory = (): CompanionError =>
  badField(
    'cursor',
    'belongs to a history that has changed',
    'The history before this page has changed since (blocks were undone, or a gap was closed). Begin again without cursor.',
  );

const encodeCursor = ({ count, balance, mark }: Past): string =>
  Buffer.from(`${count}.${balance}.${mark}`).toString('base64url');

/** Bad input is reported before the state of the wallet: call it before asking for a session. */
export function refuseOtherExportCursor({ cursor }: { readonly cursor?: string | undefined }): void {
  if (cursor !== undefined) decodeCursor(cursor);
}

function decodeCursor(cursor: string): Past {
  const text = Buffer.from(cursor, 'base64url').toString('latin1');
  const [, count, balance, mark] = /^(\d{1,15})\.(-?\d{1,16})\.(\d{1,10})$/.exec(text) ?? [];
  if (count !== undefined) return { count: Number(count), balance: Number(balance), mark: Number(mark) };
  throw badField(
    'cursor',
    'is not the `next_cursor` of a page before',
    'cursor is not one this companion gave out.',
  );
}
