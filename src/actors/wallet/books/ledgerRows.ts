// The rows of one transaction in the books: the gain or loss of each account and pool. Change is netted out, so that the
// sum of all rows is the balance, and a payment of 1 ZEC from a note of 10 does not look like income.

import { POOLS, type Pool } from '@wallet-companion/shielded/pools';
import { blockTimeText } from '../../../protocol/timeText.ts';
import { type MemoView, memoView } from '../notes/memoView.ts';
import type { NoteTables } from '../notes/noteTables.ts';
import { isOf } from '../notes/ofAccount.ts';
import type { StoredTransaction } from '../ports/storage.ts';

export interface LedgerRow {
  readonly time: string;
  readonly height: number;
  readonly txid: string;
  readonly account: number;
  readonly pool: Pool;
  readonly received_zatoshi: number;
  readonly sent_zatoshi: number;
  readonly fee_zatoshi: number | null;
  readonly memos: readonly MemoView[];
  readonly balance_zatoshi: number;
}

interface Movement {
  readonly account: number;
  readonly pool: Pool;
  made: number;
  spent: number;
  /** Whether a note was spent, even one of value 0. */
  pays: boolean;
  readonly memos: MemoView[];
}

/** Null where it is not known. */
export const feeOf = ({ fee }: StoredTransaction): number | null => fee ?? null;

/** How the transaction changes the balance of an account, or of all. */
export function changeOf(
  { notes }: NoteTables,
  { txid }: Pick<StoredTransaction, 'txid'>,
  account: number | undefined,
): number {
  let change = 0;
  for (const note of notes.madeIn(txid)) if (isOf(account, note)) change += note.value;
  for (const note of notes.spentIn(txid)) if (isOf(account, note)) change -= note.value;
  return change;
}

/** Empty where the transaction moved no funds of the account. `before`: the balance before it. */
export function rowsOf(
  tables: NoteTables,
  transaction: StoredTransaction,
  account: number | undefined,
  before: number,
): LedgerRow[] {
  const { height, txid } = transaction;
  let balance = before;
  let fee = feeOf(transaction);
  return movementsOf(tables, transaction, account).map(({ account: of, pool, made, spent, pays, memos }) => {
    balance += made - spent;
    const row = {
      time: blockTimeText(transaction.time),
      height,
      txid,
      account: of,
      pool,
      received_zatoshi: Math.max(0, made - spent),
      sent_zatoshi: Math.max(0, spent - made),
      fee_zatoshi: pays ? fee : null,
      memos,
      balance_zatoshi: balance,
    };
    if (pays) fee = null;
    return row;
  });
}

/** Ordered by account, then pool. */
function movementsOf(
  { notes, sentOutputs }: NoteTables,
  { txid }: StoredTransaction,
  account: number | undefined,
): Movement[] {
  const movements = new Map<string, Movement>();
  const movementOf = (of: number, pool: Pool): Movement => {
    const key = `${of}:${pool}`;
    const known = movements.get(key) ?? { account: of, pool, made: 0, spent: 0, pays: false, memos: [] };
    movements.set(key, known);
    return known;
  };
  const toOurselves = new Set<string>();
  for (const note of notes.spentIn(txid)) {
    if (!isOf(account, note)) continue;
    const movement = movementOf(note.account, note.pool);
    movement.spent += note.value;
    movement.pays = true;
  }
  for (const note of notes.madeIn(txid)) {
    if (!isOf(account, note)) continue;
    const movement = movementOf(note.account, note.pool);
    movement.made += note.value;
    toOurselves.add(`${note.pool}:${note.outputIndex}`);
    const memo = memoView(note.memo);
    if (memo !== null) movement.memos.push(memo);
  }
  for (const output of sentOutputs.sentIn(txid)) {
    if (!isOf(account, output) || toOurselves.has(`${output.pool}:${output.outputIndex}`)) continue;
    const paying = [...movements.values()].find((known) => known.account === output.account && known.pays);
    const movement = paying ?? movementOf(output.account, output.pool);
    const memo = memoView(output.memo);
    if (memo !== null) movement.memos.push(memo);
  }
  return [...movements.values()].sort(
    (a, b) => a.account - b.account || POOLS.indexOf(a.pool) - POOLS.indexOf(b.pool),
  );
}
