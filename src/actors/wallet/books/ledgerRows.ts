// The rows of one transaction in the books: the gain or loss of each account and pool. Change is netted out, so that the
// sum of all rows is the balance, and a payment of 1 ZEC from a note of 10 does not look like income.

import { blockTimeText, type Height, moneyFor, timeText } from '@wallet-companion/base/values';
import type { TxIdHex } from '@wallet-companion/zcash/identifiers';
import { POOLS, type Pool } from '@wallet-companion/zcash/pools';
import type { Output } from '../../../protocol/operations.ts';
import type { NoteTables } from '../noteStore/book/noteTables.ts';
import { type LabelOf, memoView } from '../noteViews/receivedView.ts';
import { isOf } from '../noteViews/scanReach.ts';
import type { InvoicePrice } from '../ports/invoice.ts';
import type { StoredSentOutput, StoredTransaction, Verifier } from '../ports/noteDatabase.ts';
import type { StoredNote } from '../ports/storedNote.ts';

export type LedgerRow = NonNullable<Output<'transactions.export'>['rows']>[number];

/** What moved in one account and pool. */
export interface Movement {
  readonly account: number;
  readonly pool: Pool;
  readonly made: StoredNote[];
  readonly spent: StoredNote[];
  /** Outputs to others. */
  readonly sent: StoredSentOutput[];
}

/** What one ZEC cost on a day of the owner's file. */
export interface DayRate {
  readonly currency: string;
  readonly rate: string;
  readonly day: string;
}

/** What a row says beside the amounts. */
export interface RowNames {
  readonly labelOf: LabelOf;
  readonly recipientOf: (output: StoredSentOutput) => string;
  /** The reference of the invoice that has the note's address. */
  readonly referenceOf: (note: StoredNote) => string | null;
  /** The rate that was kept with the invoice that has the note's address. */
  readonly priceOf: (note: StoredNote) => InvoicePrice | undefined;
  /** The rate of the day at an instant in Unix seconds. */
  readonly dayRateAt: (seconds: number) => DayRate | undefined;
  /** What the invoice is called that the transaction refunds. */
  readonly refundOf: (txid: TxIdHex) => string | undefined;
  readonly confirmations: (height: Height) => number;
  readonly verifiedAt: (height: Height) => Verifier;
  readonly isWanted: (movement: Movement) => boolean;
  readonly seesSpends: boolean;
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

/** Whether the transaction moved funds of the account, or of any. */
export const isMovedIn = (
  { notes }: NoteTables,
  { txid }: Pick<StoredTransaction, 'txid'>,
  account: number | undefined,
): boolean => [...notes.madeIn(txid), ...notes.spentIn(txid)].some((note) => isOf(account, note));

const sumOf = (notes: readonly StoredNote[]): number => notes.reduce((sum, { value }) => sum + value, 0);

export const changeIn = ({ made, spent }: Movement): number => sumOf(made) - sumOf(spent);

/** Empty where the transaction moved no funds of the account. `before`: the balance before it. */
export function rowsOf(
  tables: NoteTables,
  transaction: StoredTransaction,
  account: number | undefined,
  before: number,
  names: RowNames,
): LedgerRow[] {
  const { height, txid } = transaction;
  let balance = before;
  let fee = feeOf(transaction);
  let refunds = [names.refundOf(txid) ?? []].flat();
  const rows: LedgerRow[] = [];
  const transfers = transfersIn(tables, transaction);
  for (const movement of movementsOf(tables, transaction, account)) {
    const change = changeIn(movement);
    const pays = movement.spent.length > 0;
    balance += change;
    if (names.isWanted(movement)) {
      const own = transfers.get(movement.account);
      transfers.delete(movement.account);
      rows.push({
        time: blockTimeText(transaction.time),
        height,
        txid,
        account: movement.account,
        pool: movement.pool,
        received_zatoshi: Math.max(0, change),
        sent_zatoshi: names.seesSpends ? Math.max(0, -change) : null,
        fee_zatoshi: pays ? fee : null,
        memos: [...movement.made, ...movement.sent].flatMap(({ memo }) => memoView(memo) ?? []),
        labels: unique(movement.made.flatMap((note) => names.labelOf(note) ?? [])),
        counterparties: unique(movement.sent.map(names.recipientOf)),
        references: unique(movement.made.flatMap((note) => names.referenceOf(note) ?? [])),
        refunds: pays ? refunds : [],
        confirmations: names.confirmations(height),
        verified_with: names.verifiedAt(height),
        balance_zatoshi: names.seesSpends ? balance : null,
        ...(own !== undefined && { transfers: own }),
        ...fiatOf(movement, pays ? fee : null, rateOf(movement, transaction, names)),
      });
    }
    if (pays) [fee, refunds] = [null, []];
  }
  return rows;
}

type Rate = Pick<NonNullable<LedgerRow['fiat']>, 'currency' | 'price' | 'price_time' | 'price_source'>;

/** That of the orders that it paid, where these have one and the same; else that of its day, where there is one. */
function rateOf(
  { made }: Movement,
  { time }: StoredTransaction,
  { priceOf, dayRateAt }: RowNames,
): Rate | undefined {
  const [kept, ...others] = new Set(made.map(priceOf));
  if (kept !== undefined && others.length === 0) {
    const { currency, rate, rateTime, source } = kept;
    return { currency, price: rate, price_time: timeText(rateTime), price_source: source };
  }
  const ofDay = dayRateAt(time);
  if (ofDay === undefined) return undefined;
  const { currency, rate, day } = ofDay;
  return { currency, price: rate, price_time: day, price_source: 'rates_file' };
}

function fiatOf(
  movement: Movement,
  fee: number | null,
  rate: Rate | undefined,
): Pick<LedgerRow, 'fiat'> | undefined {
  if (rate === undefined) return undefined;
  const { currency, price, ...from } = rate;
  return {
    fiat: {
      currency,
      price,
      value: moneyFor(changeIn(movement), price, currency),
      fee: fee === null ? '' : moneyFor(fee, price, currency),
      ...from,
    },
  };
}

interface Transfer {
  readonly account: number;
  readonly zatoshi: number;
}

/** What accounts of the wallet gave each other, for each of them; what a payer has left after its fee pays the receivers in turn. */
function transfersIn({ notes }: NoteTables, transaction: StoredTransaction): Map<number, Transfer[]> {
  const changes = new Map<number, number>();
  const add = (account: number, zatoshi: number) =>
    changes.set(account, (changes.get(account) ?? 0) + zatoshi);
  for (const { account, value } of notes.madeIn(transaction.txid)) add(account, value);
  for (const { account, value } of notes.spentIn(transaction.txid)) add(account, -value);
  const accounts = [...changes.keys()].sort((a, b) => a - b);
  const transfers = new Map<number, Transfer[]>();
  const put = (of: number, account: number, zatoshi: number) =>
    transfers.set(of, [...(transfers.get(of) ?? []), { account, zatoshi }]);
  for (const payer of accounts) {
    let left = -changes.get(payer)! - (feeOf(transaction) ?? 0);
    for (const receiver of accounts) {
      const zatoshi = Math.min(left, changes.get(receiver)!);
      if (zatoshi <= 0) continue;
      left -= zatoshi;
      add(receiver, -zatoshi);
      put(payer, receiver, -zatoshi);
      put(receiver, payer, zatoshi);
    }
  }
  return transfers;
}

const unique = (texts: readonly string[]): string[] => [...new Set(texts)];

/** Ordered by account, then pool. */
function movementsOf(
  { notes, sentOutputs }: NoteTables,
  { txid }: StoredTransaction,
  account: number | undefined,
): Movement[] {
  const movements = new Map<string, Movement>();
  const movementOf = (of: number, pool: Pool): Movement => {
    const key = `${of}:${pool}`;
    const known = movements.get(key) ?? { account: of, pool, made: [], spent: [], sent: [] };
    movements.set(key, known);
    return known;
  };
  const toOurselves = new Set<string>();
  for (const note of notes.spentIn(txid))
    if (isOf(account, note)) movementOf(note.account, note.pool).spent.push(note);
  for (const note of notes.madeIn(txid)) {
    if (!isOf(account, note)) continue;
    movementOf(note.account, note.pool).made.push(note);
    toOurselves.add(`${note.pool}:${note.outputIndex}`);
  }
  for (const output of sentOutputs.sentIn(txid)) {
    if (!isOf(account, output) || toOurselves.has(`${output.pool}:${output.outputIndex}`)) continue;
    const paying = [...movements.values()].find(
      (known) => known.account === output.account && known.spent.length > 0,
    );
    (paying ?? movementOf(output.account, output.pool)).sent.push(output);
  }
  return [...movements.values()].sort(
    (a, b) => a.account - b.account || POOLS.indexOf(a.pool) - POOLS.indexOf(b.pool),
  );
}
