// The entries that one commit adds to the journal, in their order, and the rescan entries that it changes. Which ones these are
// journalRecords.ts decides.

import type { Height } from '@wallet-companion/base/values';
import { noteKey, type TxIdHex } from '@wallet-companion/zcash/identifiers';
import { POOLS } from '@wallet-companion/zcash/pools';
import type {
  JournalEntry,
  JournalKey,
  JournalKind,
  JournalNote,
  RescanEntry,
  RescanPage,
} from '../../ports/journal.ts';
import type { StoredNote } from '../../ports/storedNote.ts';
import { type RescanJournal, rescanEntryKey } from '../book/rescanJournal.ts';

/** Hash of the block at a height, in display order; null where it is not known. */
export type HashAt = (height: Height) => string | null;

export interface NotesBefore {
  readonly rescanEntries: RescanJournal;
  readonly hashAt: HashAt;
  /** Numbers of the entries to reverse. */
  readonly findReported: (wanted: readonly JournalKey[]) => (number | null)[];
}

export interface JournalChange {
  readonly journal: readonly JournalEntry[];
  readonly putRescanPages: readonly RescanPage[];
}

export type SpentNote = StoredNote & { readonly spent: NonNullable<StoredNote['spent']> };
export const isSpent = (note: StoredNote): note is SpentNote => note.spent !== null;

/** The position of an entry within its commit. */
interface Placed {
  readonly height: Height;
  readonly txIndex: number;
  readonly rank: number;
  readonly entry: JournalEntry;
}

/** The members of a note that an entry has. */
export const entryNote = ({
  pool,
  account,
  scope,
  txid,
  outputIndex,
  value,
  diversifierIndex,
}: JournalNote): JournalNote => ({
  pool,
  account,
  scope,
  txid,
  outputIndex,
  value,
  diversifierIndex,
});

const entry = (
  kind: JournalKind,
  note: JournalNote,
  height: Height,
  blockHash: string | null,
  spentBy: TxIdHex | null = null,
): JournalEntry => ({ kind, ...entryNote(note), height, blockHash, spentBy, reverses: null });

export class JournalDraft {
  readonly #before: NotesBefore;
  readonly #undone: JournalEntry[] = [];
  readonly #done: Placed[] = [];
  readonly #gone = new Map<string, RescanEntry>();
  readonly #put = new Map<string, RescanEntry>();

  constructor(before: NotesBefore) {
    this.#before = before;
  }

  rescanEntry(kind: RescanEntry['kind'], note: StoredNote | JournalNote): RescanEntry | undefined {
    const key = rescanEntryKey(kind, noteKey(note));
    if (this.#gone.has(key)) return undefined;
    return this.#put.get(key) ?? this.#before.rescanEntries.get(kind, noteKey(note));
  }

  drop(rescanEntry: RescanEntry): void {
    const key = rescanEntryKey(rescanEntry.kind, noteKey(rescanEntry.note));
    this.#put.delete(key);
    this.#gone.set(key, rescanEntry);
  }

  put(rescanEntry: RescanEntry): void {
    const key = rescanEntryKey(rescanEntry.kind, noteKey(rescanEntry.note));
    this.#gone.delete(key);
    this.#put.set(key, rescanEntry);
  }

  received(note: StoredNote): void {
    this.#add('received', note, 0);
  }

  confirmed(note: StoredNote): void {
    this.#add('confirmed', note, 3);
  }

  memo(note: StoredNote): void {
    this.#add('memo', note, 1);
  }

  spent(note: SpentNote): void {
    const { height, txIndex, txid } = note.spent;
    const isLater = height > note.height || (height === note.height && txIndex >= note.txIndex);
    // A server may name the wrong transaction: even so the note's receipt comes before its spend.
    const place = isLater ? { height, txIndex } : note;
    const reported = entry('spent', note, height, this.#before.hashAt(height), txid);
    this.#done.push({ height: place.height, txIndex: place.txIndex, rank: 2, entry: reported });
  }

  unspent(note: JournalNote, height: Height, blockHash: string | null, spentBy: TxIdHex | null): void {
    this.#undone.push(entry('unspent', note, height, blockHash, spentBy));
  }

  /** For a stored note: reverses its spend as well, and its rescan entry. */
  unreceived(note: StoredNote): void {
    if (isSpent(note)) this.undoSpend(note);
    this.#withoutRescanEntries(note);
    this.#undone.push(entry('unreceived', note, note.height, this.#before.hashAt(note.height)));
  }

  undoSpend(note: SpentNote): void {
    const { height, txid } = note.spent;
    this.unspent(note, height, this.#before.hashAt(height), txid);
  }

  /** Reverses the entries of the rescan entry. */
  takeBack(rescanEntry: RescanEntry): void {
    this.drop(rescanEntry);
    if (rescanEntry.found) return;
    if (rescanEntry.kind === 'spent') {
      this.unspent(rescanEntry.note, rescanEntry.height, rescanEntry.blockHash, rescanEntry.spentBy);
      return;
    }
    const spend = this.rescanEntry('spent', rescanEntry.note);
    if (spend !== undefined) this.takeBack(spend);
    this.#undone.push(entry('unreceived', rescanEntry.note, rescanEntry.height, rescanEntry.blockHash));
  }

  /** Reversals first, then new entries in the order of the chain, then the confirmations that follow. */
  finish(): JournalChange {
    const done = this.#done
      .sort(
        (a, b) =>
          Number(a.rank === 3) - Number(b.rank === 3) ||
          a.height - b.height ||
          a.txIndex - b.txIndex ||
          a.rank - b.rank ||
          POOLS.indexOf(a.entry.pool) - POOLS.indexOf(b.entry.pool) ||
          a.entry.outputIndex - b.entry.outputIndex ||
          a.entry.account - b.entry.account,
      )
      .map((placed) => placed.entry);
    const putRescanPages =
      this.#gone.size + this.#put.size === 0
        ? []
        : this.#before.rescanEntries.changed([...this.#gone.values()], [...this.#put.values()]);
    return { journal: [...this.#reversals(), ...done], putRescanPages };
  }

  #reversals(): JournalEntry[] {
    // Spends of reversed notes go first; the newest first among each kind.
    const undone = [...this.#undone].sort(
      (a, b) => Number(a.kind === 'unreceived') - Number(b.kind === 'unreceived') || b.height - a.height,
    );
    if (undone.length === 0) return [];
    const numbers = this.#before.findReported(
      undone.map((reported) => ({
        kind: reported.kind === 'unspent' ? 'spent' : 'received',
        note: reported,
      })),
    );
    return undone.map((reported, i) => ({ ...reported, reverses: numbers[i] ?? null }));
  }

  #withoutRescanEntries(note: StoredNote): void {
    const received = this.rescanEntry('received', note);
    if (received !== undefined) this.drop(received);
    const spend = this.rescanEntry('spent', note);
    if (spend !== undefined) this.takeBack(spend);
  }

  #add(kind: JournalKind, note: StoredNote, rank: number): void {
    const { height, txIndex } = note;
    const reported = entry(kind, note, height, this.#before.hashAt(height));
    this.#done.push({ height, txIndex, rank, entry: reported });
  }
}
