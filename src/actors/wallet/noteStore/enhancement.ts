// What the full bytes of the wallet's transactions add to the result of a scan: memos, sent outputs, fees.

import type { Zatoshi } from '@wallet-companion/base/values';
import { noteKey } from '@wallet-companion/zcash/identifiers';
import { PackedMemo } from '@wallet-companion/zcash/notes';
import type { PaidByPools, SentOutput } from '@wallet-companion/zcash/scan';
import type { NoteStoreChange, StoredSentOutput, StoredTransaction } from '../ports/noteDatabase.ts';
import type { EnhancedTransaction } from '../ports/scanPool.ts';
import type { StoredNote } from '../ports/storedNote.ts';
import { storedSentOutput } from './book/storedForms.ts';
import { JournalDraft } from './journal/journalDraft.ts';
import { type Committed, notesBefore } from './journal/journalPart.ts';
import { recordMemo } from './journal/journalRecords.ts';

/** Transactions whose bytes may still add something, ascending. */
export const unenhancedTransactions = (transactions: Iterable<StoredTransaction>): StoredTransaction[] =>
  [...transactions]
    .filter((transaction) => !transaction.complete)
    .sort((a, b) => a.height - b.height || a.txIndex - b.txIndex);

/** `opened`: the notes whose memos were not known before. */
export function enhance(
  committed: Committed,
  enhanced: readonly EnhancedTransaction[],
): { readonly change: NoteStoreChange; readonly opened: readonly StoredNote[] } {
  const { memory } = committed;
  const putNotes: StoredNote[] = [];
  const opened: StoredNote[] = [];
  const putSentOutputs: StoredSentOutput[] = [];
  const putTransactions: StoredTransaction[] = [];
  const draft = new JournalDraft(notesBefore(committed));
  for (const { txid, time, memos, sent, paid } of enhanced) {
    const transaction = memory.transactions.get(txid);
    if (transaction === undefined) continue;
    const { notes } = memory.tables;
    const fee = feeOf(paid, notes.madeIn(txid), notes.spentIn(txid), sent);
    putTransactions.push({
      ...transaction,
      time: time ?? transaction.time,
      complete: true,
      ...(fee !== undefined && { fee }),
    });
    for (const { pool, account, outputIndex, memo } of memos) {
      const known = memory.notes.get(noteKey({ pool, account, outputIndex, txid }));
      if (known === undefined) continue;
      const note = { ...known, memo: new PackedMemo(memo) };
      putNotes.push(note);
      if (known.memo !== null) continue;
      opened.push(note);
      recordMemo(draft, known);
    }
    for (const output of sent) putSentOutputs.push(storedSentOutput(output, txid, transaction.height));
  }
  const change = { state: memory.state, putNotes, putSentOutputs, putTransactions, ...draft.finish() };
  return { change, opened };
}

// What a transaction cost the wallet. Where only shielded pools paid, the fee is what left them, less what transparent
// outputs got. The wallet paid it if all inputs are its own: by their number, or by their value.
export function feeOf(
  paid: PaidByPools | undefined,
  made: readonly StoredNote[],
  spent: readonly StoredNote[],
  sent: readonly SentOutput[],
): Zatoshi | undefined {
  if (paid === undefined || paid.fee < 0 || spent.length === 0) return undefined;
  const outputs = new Map<string, number>();
  for (const { pool, outputIndex, value } of [...made, ...sent]) outputs.set(`${pool}:${outputIndex}`, value);
  const sum = (values: Iterable<number>): number => [...values].reduce((total, value) => total + value, 0);
  const ours = sum(spent.map(({ value }) => value));
  // Actions are padded with inputs of value 0 that belong to no wallet.
  const isAllOurs = spent.length === paid.inputs || ours === sum(outputs.values()) + paid.leaving;
  return isAllOurs ? paid.fee : undefined;
}
