// Notes and transactions in the form that clients see. Pure functions.

import { hexToBytes } from '@wallet-companion/base/bytes';
import { blockTimeText, type Height, MAX_HEIGHT } from '@wallet-companion/base/values';
import { encodeReceiver } from '@wallet-companion/zcash/addresses';
import type { NetworkParameters } from '@wallet-companion/zcash/network';
import { POOLS } from '@wallet-companion/zcash/pools';
import type { Input, Output } from '../../../protocol/operations.ts';
import { NOTE_ORDER, pageOf, TRANSACTION_ORDER } from '../noteStore/book/chainOrder.ts';
import type { NoteStore } from '../noteStore/noteStore.ts';
import type { StoredSentOutput } from '../ports/noteDatabase.ts';
import type { StoredNote } from '../ports/storedNote.ts';
import { type LabelOf, memoView, type PaidAt, receivedView } from './receivedView.ts';
import { isOf } from './scanReach.ts';

/** Id of the payment that reserves the note. */
export type ReservedBy = (note: StoredNote) => string | undefined;

/** Newest first. */
export function notesView(
  noteStore: NoteStore,
  input: Input<'notes.list'>,
  labelOf: LabelOf = () => null,
  unminedSpendOf: (note: StoredNote) => string | undefined = () => undefined,
  reservedBy: ReservedBy = () => undefined,
  at?: PaidAt,
): Output<'notes.list'> {
  const isWanted = (note: StoredNote): boolean =>
    isOf(input.account, note) &&
    (input.pool === undefined || note.pool === input.pool) &&
    (input.unspent !== true || note.spent === null) &&
    (input.label === undefined || labelOf(note) === input.label) &&
    (at === undefined || at.isNote(note));
  const { page, nextCursor } = pageOf(noteStore.tables.notes.sorted, NOTE_ORDER, isWanted, input);
  const top = confirmationTop(noteStore);
  return {
    notes: page.map((note) => ({
      account: note.account,
      pool: note.pool,
      scope: note.scope,
      value_zatoshi: note.value,
      height: note.height,
      txid: note.txid,
      output_index: note.outputIndex,
      position: note.position,
      nullifier: note.nullifier,
      diversifier_index: note.diversifierIndex,
      label: labelOf(note),
      memo: memoView(note.memo),
      confirmations: confirmations(top, note.height),
      verified_with: noteStore.verifiedAt(note.height),
      spent: note.spent === null ? null : { txid: note.spent.txid, height: note.spent.height },
      spent_unconfirmed: unminedSpendView(unminedSpendOf(note)),
      reserved_by: note.spent === null ? (reservedBy(note) ?? null) : null,
    })),
    next_cursor: nextCursor,
  };
}

/** Newest first; with an account, the transactions that moved its funds. */
export function transactionsView(
  noteStore: NoteStore,
  input: Input<'transactions.list'>,
  params: NetworkParameters,
  labelOf: LabelOf = () => null,
  at?: PaidAt,
): Output<'transactions.list'> {
  const { notes, sentOutputs, transactions } = noteStore.tables;
  const top = confirmationTop(noteStore);
  const isOurs = (item: { readonly account: number }): boolean => isOf(input.account, item);
  const { since_height: since = 0, until_height: until = MAX_HEIGHT } = input;
  const { page, nextCursor } = pageOf(
    transactions.sorted,
    TRANSACTION_ORDER,
    ({ txid, height }) => {
      const [made, sent] = [notes.madeIn(txid).filter(isOurs), sentOutputs.sentIn(txid).filter(isOurs)];
      return (
        height >= since &&
        height <= until &&
        (at === undefined
          ? made.length + sent.length > 0 || notes.spentIn(txid).some(isOurs)
          : made.some(at.isNote) || sent.some(at.isOutput))
      );
    },
    input,
  );
  const sum = (moved: readonly StoredNote[]): number =>
    moved.filter(isOurs).reduce((total, note) => total + note.value, 0);
  return {
    transactions: page.map((transaction) => ({
      txid: transaction.txid,
      height: transaction.height,
      time: blockTimeText(transaction.time),
      block_hash: transaction.blockHash ?? null,
      confirmations: confirmations(top, transaction.height),
      verified_with: noteStore.verifiedAt(transaction.height),
      received_zatoshi: sum(notes.madeIn(transaction.txid)),
      spent_zatoshi: sum(notes.spentIn(transaction.txid)),
      fee_zatoshi: transaction.fee ?? null,
      received_outputs: notes
        .madeIn(transaction.txid)
        .filter(isOurs)
        .sort(byPoolAndIndex)
        .map((note) => receivedView(note, labelOf)),
      sent_outputs: sentOutputs
        .sentIn(transaction.txid)
        .filter(isOurs)
        .sort(byPoolAndIndex)
        .map((output) => ({
          account: output.account,
          pool: output.pool,
          scope: output.scope,
          output_index: output.outputIndex,
          value_zatoshi: output.value,
          recipient: encodeReceiver(output.pool, hexToBytes(output.recipient), params),
          memo: memoView(output.memo),
        })),
      complete: transaction.complete,
    })),
    next_cursor: nextCursor,
  };
}

const unminedSpendView = (txid: string | undefined) => (txid === undefined ? null : { txid });

/** Confirmations count from the highest scanned block: one that the user skipped to confirms nothing. */
export const confirmationTop = (noteStore: NoteStore): number =>
  noteStore.scannedTop() ?? noteStore.lastScanHeight;

/** When the highest scanned block was mined, in seconds since 1970; null where that is not known. */
export const scannedTime = (noteStore: NoteStore): number | null =>
  noteStore.block(confirmationTop(noteStore))?.time ?? null;

export const confirmations = (top: Height, height: Height): number => Math.max(0, top - height + 1);

type Placed = Pick<StoredSentOutput, 'pool' | 'outputIndex'>;

const byPoolAndIndex = (a: Placed, b: Placed): number =>
  POOLS.indexOf(a.pool) - POOLS.indexOf(b.pool) || a.outputIndex - b.outputIndex;
