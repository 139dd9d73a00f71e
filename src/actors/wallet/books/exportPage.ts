// The history of the wallet in pages, oldest first, each with the balance after every row. A cursor contains the number
// of transactions before it and a mark of them. If the past has changed since (a reorganisation, a gap that was
// closed), the pages would not fit together, and the cursor is refused.

import { CompanionError } from '../../../protocol/errors.ts';
import type { Input, Output } from '../../../protocol/operations.ts';
import type { NoteStore } from '../notes/noteStore.ts';
import type { NoteTables } from '../notes/noteTables.ts';
import { INCOMING_ONLY_WARNING, scanReach } from '../notes/scanReach.ts';
import type { StoredTransaction } from '../ports/storage.ts';
import { CSV_HEADER, csvLine } from './csv.ts';
import { changeOf, type LedgerRow, rowsOf } from './ledgerRows.ts';

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

export function exportPage(
  noteStore: NoteStore,
  input: Input<'transactions.export'>,
  seesSpends: boolean,
): Output<'transactions.export'> {
  const { format = 'csv', account, limit = DEFAULT_PAGE, cursor } = input;
  const { tables } = noteStore;
  const newestFirst = tables.transactions.sorted;
  let past = NOTHING;
  if (cursor !== undefined) {
    past = decodeCursor(cursor);
    if (!isGivenOut(newestFirst, account, past)) verify(past, newestFirst, tables, account);
  }
  const rows: LedgerRow[] = [];
  const end = Math.min(newestFirst.length, past.count + limit);
  while (past.count < end) {
    const transaction = newestFirst[newestFirst.length - 1 - past.count]!;
    rows.push(...rowsOf(tables, transaction, account, past.balance));
    past = withNext(past, transaction, rows.at(-1)?.balance_zatoshi ?? past.balance);
  }
  const { asOfHeight, complete, missing } = scanReach(noteStore, account);
  return {
    format,
    balance_zatoshi: past.balance,
    as_of_height: asOfHeight,
    complete,
    missing_ranges: missing,
    ...(seesSpends ? {} : { warning: INCOMING_ONLY_WARNING }),
    next_cursor: end < newestFirst.length ? giveOut(newestFirst, account, past) : null,
    ...(format === 'json'
      ? { rows }
      : { text: (cursor === undefined ? CSV_HEADER : '') + rows.map(csvLine).join('') }),
  };
}

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
  throw new CompanionError(
    'INVALID_REQUEST',
    'The history before this page has changed since (blocks were undone, or a gap was closed). Begin again without cursor.',
    { errors: [{ path: 'cursor', message: 'belongs to a history that has changed' }] },
  );
}

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
  throw new CompanionError('INVALID_REQUEST', 'cursor is not one this companion gave out.', {
    errors: [{ path: 'cursor', message: 'is not the `next_cursor` of a page before' }],
  });
}
