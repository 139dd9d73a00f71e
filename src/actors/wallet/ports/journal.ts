// What the note store keeps of everything that was ever said about notes: the journal, in which each receipt, spend and
// reversal has a number for good; and the claims, what the journal says of blocks that were forgotten and not scanned
// again yet.

import type { TxIdHex } from '@wallet-companion/shielded/identifiers';
import type { Height } from '@wallet-companion/shielded/values';
import type { StoredNote } from './storedNote.ts';

export type JournalKind = 'received' | 'memo' | 'confirmed' | 'spent' | 'unspent' | 'unreceived';

/** What names a note, and what is said with it. */
export type JournalNote = Pick<
  StoredNote,
  'pool' | 'account' | 'scope' | 'txid' | 'outputIndex' | 'value' | 'diversifierIndex'
>;

export interface JournalEntry extends JournalNote {
  readonly kind: JournalKind;
  /** Of the note's block; of the spender's where it is about a spend. */
  readonly height: Height;
  /** Hexadecimal, display order; null where it is not known. */
  readonly blockHash: string | null;
  readonly spentBy: TxIdHex | null;
  /** Number of the entry that it takes back; null where it takes none back, or that one is not kept. */
  readonly reverses: number | null;
}

/** The place after an entry. `proof` tells whether all entries before it are those of this journal. */
export interface JournalPlace {
  readonly sequence: number;
  /** 16 bytes. */
  readonly proof: Uint8Array;
}

export interface NumberedEntry extends JournalEntry {
  readonly sequence: number;
}

export interface JournalPage {
  /** 8 bytes that name the journal, in every store that goes on with it. */
  readonly id: Uint8Array;
  readonly entries: readonly NumberedEntry[];
  /** Where to go on. */
  readonly next: JournalPlace;
  readonly hasMore: boolean;
  /** Number of the first entry that is kept. */
  readonly oldest: number;
}

export interface SaidOf {
  readonly kind: 'received' | 'spent';
  readonly note: Pick<JournalNote, 'pool' | 'txid' | 'outputIndex' | 'account'>;
}

/** Said in the journal of a block that was forgotten since. */
export interface Claim {
  readonly kind: 'received' | 'spent';
  readonly note: JournalNote;
  /** Of the note's block; of the spender's where it is about a spend. */
  readonly height: Height;
  readonly blockHash: string | null;
  readonly spentBy: TxIdHex | null;
  /** Of a receipt: whether these were said as well. */
  readonly confirmed: boolean;
  readonly memo: boolean;
  /** The note was found again, and only what else was said of it is still open. */
  readonly found: boolean;
}

/** Claims lie together by height; a page without any is none. */
export interface ClaimPage {
  readonly page: number;
  readonly claims: readonly Claim[];
}
