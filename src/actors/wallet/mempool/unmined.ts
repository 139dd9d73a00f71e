// An unmined transaction of the wallet, and its notes. Whether it is mined, and which of the wallet's notes it spends, is
// read from the note store each time: nothing here has to be undone when the chain changes.

import type { Height } from '@wallet-companion/base/values';
import type { TxIdHex } from '@wallet-companion/zcash/identifiers';
import type { ReadUnmined, TxNullifiers } from '@wallet-companion/zcash/scan';
import { storedNote } from '../noteStore/book/storedForms.ts';
import type { NoteStore } from '../noteStore/noteStore.ts';
import type { StoredNote } from '../ports/storedNote.ts';

/** Its height, place and nullifier are known once it is mined. */
export type UnminedNote = Pick<
  StoredNote,
  'account' | 'pool' | 'scope' | 'outputIndex' | 'value' | 'diversifierIndex' | 'memo'
>;

export interface UnminedTransaction {
  readonly txid: TxIdHex;
  /** Milliseconds since 1970. */
  readonly firstSeenAt: number;
  /** The server's tip at that time. */
  readonly seenAtTip: Height;
  /** 0: never. */
  readonly expiryHeight: Height;
  readonly notes: readonly UnminedNote[];
  readonly nullifiers: readonly TxNullifiers[];
  /** The tip of the first look without it. */
  absentSince: Height | null;
}

export type VanishReason = 'expired' | 'conflicted' | 'dropped';

export function unminedTransaction(
  txid: TxIdHex,
  { expiryHeight, notes, nullifiers }: ReadUnmined,
  firstSeenAt: number,
  seenAtTip: Height,
): UnminedTransaction {
  const kept = notes.map((found): UnminedNote => {
    const { account, pool, scope, outputIndex, value, diversifierIndex, memo } = storedNote(found);
    return { account, pool, scope, outputIndex, value, diversifierIndex, memo };
  });
  return { txid, firstSeenAt, seenAtTip, expiryHeight, notes: kept, nullifiers, absentSince: null };
}

export const nullifierCount = ({ nullifiers }: Pick<UnminedTransaction, 'nullifiers'>): number =>
  nullifiers.reduce((sum, of) => sum + of.nullifiers.length / 32, 0);

export const isMined = ({ tables }: NoteStore, txid: TxIdHex): boolean =>
  tables.notes.madeIn(txid).length > 0 || tables.notes.spentIn(txid).length > 0;

/** The wallet's mined notes that it spends, marked spent or not. */
export function notesSpentBy(
  noteStore: NoteStore,
  { nullifiers }: Pick<UnminedTransaction, 'nullifiers'>,
): StoredNote[] {
  const spent: StoredNote[] = [];
  for (const { pool, nullifiers: packed } of nullifiers) {
    for (let offset = 0; offset + 32 <= packed.length; offset += 32) {
      const note = noteStore.byNullifier(pool, packed, offset);
      if (note !== undefined) spent.push(note);
    }
  }
  return spent;
}
