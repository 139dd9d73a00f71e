// The journal and the rescan entries, as the note store keeps them. The journal numbers each receipt, spend and reversal that
// was ever reported about a note, for good. Rescan entries are journal entries about blocks that were forgotten and not
// scanned again yet.

import type { Height } from '@wallet-companion/base/values';
import type { TxIdHex } from '@wallet-companion/zcash/identifiers';
import type { StoredNote } from './storedNote.ts';

export type JournalKind = 'received' | 'memo' | 'confirmed' | 'spent' | 'unspent' | 'unreceived';

/** What names a note, and what is reported with it. */
export type JournalNote = Pick<
  StoredNote,
  'pool' | 'account' | 'scope' | 'txid' | 'outputIndex' | 'value' | 'diversifierIndex'
>;

export interface JournalEntry extends JournalNote {
  readonly kind: JournalKind;
  /** Height of the note's block; for a spend, of the spender's block. */
  readonly height: Height;
  /** Hexadecimal, display order; null where it is not known. */
  readonly blockHash: string | null;
  readonly spentBy: TxIdHex | null;
  /** Number of the entry that it reverses; null where it reverses none, or that entry is no longer kept. */
  readonly reverses: number | null;
}

/** The place after an entry. `proof` shows whether all entries before it are those of this journal. */
export interface JournalPlace {
  readonly sequence: number;
  /** 16 bytes. */
  readonly proof: Uint8Array;
}

export interface NumberedEntry extends JournalEntry {
  readonly sequence: number;
}

export interface JournalPage {
  /** 8 bytes that name the journal, in every store that continues it. */
  readonly id: Uint8Array;
  readonly entries: readonly NumberedEntry[];
  /** Where to continue. */
  readonly next: JournalPlace;
  readonly hasMore: boolean;
  /** Number of the first entry that is still kept. */
  readonly oldest: number;
}

export interface JournalKey {
  readonly kind: 'received' | 'spent';
  readonly note: Pick<JournalNote, 'pool' | 'txid' | 'outputIndex' | 'account'>;
}

/** A journal entry about a block that was forgotten since. */
export interface RescanEntry {
  readonly kind: 'received' | 'spent';
  readonly note: JournalNote;
  /** Height of the note's block; for a spend, of the spender's block. */
  readonly height: Height;
  readonly blockHash: string | null;
  readonly spentBy: TxIdHex | null;
  /** For a receipt: whether its confirmation was reported as well. */
  readonly confirmed: boolean;
  readonly memo: boolean;
  /** The note was found again; only its other entries are still open. */
  readonly found: boolean;
}

/** A page of rescan entries, grouped by height; an empty page does not exist. */
export interface RescanPage {
  readonly page: number;
  readonly rescanEntries: readonly RescanEntry[];
}
