// Unmined transactions in the form that clients see. Amounts are null, never 0, before the first look.

import { timeText, timeTextOrNull } from '@wallet-companion/base/values';
import { noteKey } from '@wallet-companion/zcash/identifiers';
import type { Output } from '../../../protocol/operations.ts';
import { receivedView } from '../noteViews/receivedView.ts';
import { isOf } from '../noteViews/scanReach.ts';
import type { StoredNote } from '../ports/storedNote.ts';
import type { Session } from '../session/session.ts';
import { boundedSum, expiryOf, type MempoolState, type MempoolTrouble } from './mempoolWatch.ts';
import { notesSpentBy, type UnminedTransaction } from './unmined.ts';

type View = Output<'mempool.list'>;

export interface UnminedSums {
  readonly unconfirmed_zatoshi: number | null;
  readonly spent_unconfirmed_zatoshi: number | null;
  readonly unconfirmed_as_of: string | null;
}

export function unminedSums(
  session: Session,
  { book, lookedAt }: MempoolState,
  account: number | undefined,
): UnminedSums {
  if (lookedAt === null)
    return { unconfirmed_zatoshi: null, spent_unconfirmed_zatoshi: null, unconfirmed_as_of: null };
  const { unmined } = book;
  const incoming = unmined.flatMap(({ notes }) => notes.filter((note) => isOf(account, note)));
  const outgoing = [...spentUnmined(session, unmined).values()].filter(({ note }) => isOf(account, note));
  return {
    unconfirmed_zatoshi: boundedSum(incoming.map(({ value }) => value)),
    spent_unconfirmed_zatoshi: boundedSum(outgoing.map(({ note }) => note.value)),
    unconfirmed_as_of: timeText(lookedAt),
  };
}

interface UnminedSpend {
  readonly note: StoredNote;
  readonly txid: string;
}

/** The wallet's unspent notes that an unmined transaction spends, by their key. */
export function spentUnmined(
  { noteStore }: Session,
  unmined: readonly UnminedTransaction[],
): Map<string, UnminedSpend> {
  const spends = new Map<string, UnminedSpend>();
  for (const transaction of unmined) {
    for (const note of notesSpentBy(noteStore, transaction))
      if (note.spent === null) spends.set(noteKey(note), { note, txid: transaction.txid });
  }
  return spends;
}

export function mempoolView(session: Session, state: MempoolState, account: number | undefined): View {
  const { book, source, lookedAt, isComplete, trouble, vanished } = state;
  return {
    source,
    looked_at: timeTextOrNull(lookedAt),
    complete: lookedAt !== null && isComplete,
    trouble: trouble === null ? null : troubleView(trouble),
    ...unminedSums(session, state, account),
    transactions: book.unmined
      .map((transaction) => transactionView(session, transaction, account))
      .filter(({ notes, spends }) => notes.length > 0 || spends.length > 0),
    vanished: vanished.map(({ transaction: { txid, notes }, reason, spent, at }) => ({
      txid,
      reason,
      at: timeText(at),
      received_zatoshi: boundedSum(notes.map(({ value }) => value)),
      spent_zatoshi: spent,
    })),
  };
}

function transactionView(
  session: Session,
  transaction: UnminedTransaction,
  account: number | undefined,
): View['transactions'][number] {
  const { txid, firstSeenAt, expiryHeight, notes } = transaction;
  return {
    txid,
    first_seen_at: timeText(firstSeenAt),
    expiry_height: expiryOf(expiryHeight),
    notes: notes
      .filter((note) => isOf(account, note))
      .map((note) => receivedView(note, (paid) => session.labelOf(paid))),
    spends: [...spentUnmined(session, [transaction]).values()]
      .filter(({ note }) => isOf(account, note))
      .map(({ note }) => ({
        account: note.account,
        pool: note.pool,
        txid: note.txid,
        output_index: note.outputIndex,
        value_zatoshi: note.value,
      })),
  };
}

const TROUBLE = {
  'not offered': 'It does not tell its mempool: what is unmined is not known. Another server may.',
  'too much': 'It has more in its mempool than is read of one: what is unmined is not known.',
} as const;

function troubleView(trouble: MempoolTrouble): NonNullable<View['trouble']> {
  if (typeof trouble === 'string')
    return { code: trouble === 'not offered' ? 'NOT_OFFERED' : 'TOO_MUCH', detail: TROUBLE[trouble] };
  return { code: trouble.code, detail: trouble.detail };
}
