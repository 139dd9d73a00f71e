// What one commit adds to the journal. The journal never contradicts itself: a note that it reports as received is in
// the note store, or a rescan entry is about it, and every entry leads from one such state to the next. So a block applied
// twice adds nothing, a reorganisation reverses what it undid, and entries that a rescan forgot are reversed only when
// their block was scanned again and differs.

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
import type { HeightRange } from '../../ports/noteDatabase.ts';
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

type SpentNote = StoredNote & { readonly spent: NonNullable<StoredNote['spent']> };
const isSpent = (note: StoredNote): note is SpentNote => note.spent !== null;

/** The position of an entry within its commit. */
interface Placed {
  readonly height: Height;
  readonly txIndex: number;
  readonly rank: number;
  readonly entry: JournalEntry;
}

const entryNote = ({
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

// ---------------------------------------------------------------------------------------------------------------------

/** One note that a commit changes. */
export interface ChangedNote {
  readonly before: StoredNote | undefined;
  readonly after: StoredNote | undefined;
}

export interface AppliedChange {
  readonly notes: readonly ChangedNote[];
  /** The heights of the applied blocks. */
  readonly range: HeightRange;
  /** Notes as they are after the commit. */
  readonly noteAt: (key: string) => StoredNote | undefined;
  readonly isScanned: (account: number, height: Height) => boolean;
  /** Notes up to here are confirmed now. */
  readonly confirmedTo: Height;
  /** Keys of stored notes that were not confirmed. */
  readonly unconfirmed: Iterable<string>;
}

/** Blocks were scanned. */
export function recordApplied(draft: JournalDraft, before: NotesBefore, change: AppliedChange): void {
  const { noteAt } = change;
  const found = { fresh: new Set<string>(), confirmed: new Set<string>() };
  for (const { before: old, after } of change.notes) {
    if (after !== undefined) recordNote(draft, before, old, after, change.confirmedTo, found);
    else if (old !== undefined) draft.unreceived(old);
  }
  const rescanEntries = before.rescanEntries.within(change.range);
  for (const rescanEntry of rescanEntries) {
    if (
      rescanEntry.kind === 'received' &&
      !rescanEntry.found &&
      draft.rescanEntry('received', rescanEntry.note) === rescanEntry
    )
      draft.takeBack(rescanEntry);
  }
  const keys = [
    ...rescanEntries.map(({ note }) => noteKey(note)),
    ...change.notes.flatMap(({ after }) => (after === undefined ? [] : [noteKey(after)])),
  ];
  for (const key of new Set(keys)) {
    const note = noteAt(key);
    const spend = note === undefined ? undefined : draft.rescanEntry('spent', note);
    if (note?.spent !== null || spend === undefined) continue;
    if (change.isScanned(note.account, spend.height)) draft.takeBack(spend);
  }
  recordConfirmed(draft, change, found);
}

/** Notes that were not stored before, and those among them that the journal already reports as confirmed. */
interface Found {
  readonly fresh: Set<string>;
  readonly confirmed: Set<string>;
}

function recordNote(
  draft: JournalDraft,
  { hashAt }: NotesBefore,
  old: StoredNote | undefined,
  after: StoredNote,
  confirmedTo: Height,
  found: Found,
): void {
  const isOther = old !== undefined && (old.height !== after.height || old.value !== after.value);
  if (isOther) draft.unreceived(old);
  const known = isOther ? undefined : old;
  const rescanEntry = draft.rescanEntry('received', after);
  if (known === undefined) {
    found.fresh.add(noteKey(after));
    if (rescanEntry !== undefined && !rescanEntry.found && isTheSame(rescanEntry, after, hashAt)) {
      if (rescanEntry.confirmed) found.confirmed.add(noteKey(after));
      if (!rescanEntry.memo && after.memo !== null) draft.memo(after);
      settle(
        draft,
        { ...rescanEntry, found: true },
        {
          confirmed: rescanEntry.confirmed && after.height > confirmedTo,
          memo: rescanEntry.memo && after.memo === null,
        },
      );
    } else {
      if (rescanEntry !== undefined) draft.takeBack(rescanEntry);
      draft.received(after);
    }
  } else if (known.memo === null && after.memo !== null) recordMemo(draft, after);
  recordSpend(draft, known, after);
}

function recordSpend(draft: JournalDraft, known: StoredNote | undefined, after: StoredNote): void {
  const rescanEntry = draft.rescanEntry('spent', after);
  const before = known !== undefined && isSpent(known) ? known : undefined;
  const spentBefore =
    before?.spent ?? (rescanEntry && { txid: rescanEntry.spentBy, height: rescanEntry.height });
  // A spend that only a rescan entry reports waits until the spender's block was scanned again.
  if (!isSpent(after)) {
    if (before !== undefined) draft.undoSpend(before);
    return;
  }
  if (spentBefore?.txid === after.spent.txid && spentBefore.height === after.spent.height) {
    if (rescanEntry !== undefined) draft.drop(rescanEntry);
    return;
  }
  if (before !== undefined) draft.undoSpend(before);
  if (rescanEntry !== undefined) draft.takeBack(rescanEntry);
  draft.spent(after);
}

/** The memo of a stored note has become known. */
export function recordMemo(draft: JournalDraft, note: StoredNote): void {
  const rescanEntry = draft.rescanEntry('received', note);
  if (rescanEntry?.memo !== true) draft.memo(note);
  else settle(draft, rescanEntry, { confirmed: rescanEntry.confirmed, memo: false });
}

function isTheSame(rescanEntry: RescanEntry, note: StoredNote, hashAt: HashAt): boolean {
  const hash = hashAt(note.height);
  const isSameBlock = rescanEntry.blockHash === null || hash === null || rescanEntry.blockHash === hash;
  return rescanEntry.height === note.height && rescanEntry.note.value === note.value && isSameBlock;
}

function recordConfirmed(draft: JournalDraft, change: AppliedChange, found: Found): void {
  for (const key of new Set([...change.unconfirmed, ...found.fresh])) {
    const note = change.noteAt(key);
    if (note === undefined || note.height > change.confirmedTo) continue;
    const rescanEntry = draft.rescanEntry('received', note);
    if (!found.confirmed.has(key) && rescanEntry?.confirmed !== true) draft.confirmed(note);
    if (rescanEntry !== undefined) settle(draft, rescanEntry, { confirmed: false, memo: rescanEntry.memo });
  }
}

/** The remaining entries for a note that was found again. */
function settle(
  draft: JournalDraft,
  rescanEntry: RescanEntry,
  open: { readonly confirmed: boolean; readonly memo: boolean },
): void {
  if (open.confirmed || open.memo) draft.put({ ...rescanEntry, ...open });
  else draft.drop(rescanEntry);
}

/** Everything above `height` was undone, because the chain has other blocks there. */
export function recordUndone(
  draft: JournalDraft,
  { rescanEntries }: NotesBefore,
  notes: Iterable<StoredNote>,
  height: Height,
): void {
  for (const note of notes) {
    if (note.height > height) draft.unreceived(note);
    else if (isSpent(note) && note.spent.height > height) draft.undoSpend(note);
  }
  for (const rescanEntry of rescanEntries.within({ start: height + 1, end: Number.MAX_SAFE_INTEGER })) {
    if (draft.rescanEntry(rescanEntry.kind, rescanEntry.note) === rescanEntry) draft.takeBack(rescanEntry);
  }
}

/** Everything above `height` is forgotten, to be scanned again: its entries stay valid until then. */
export function keepReported(
  draft: JournalDraft,
  { hashAt }: NotesBefore,
  notes: Iterable<StoredNote>,
  height: Height,
  confirmedUpTo: Height,
): void {
  for (const note of notes) {
    if (note.height > height) {
      const open = draft.rescanEntry('received', note);
      draft.put({
        kind: 'received',
        note: entryNote(note),
        height: note.height,
        blockHash: hashAt(note.height),
        spentBy: null,
        confirmed: note.height <= confirmedUpTo || open?.confirmed === true,
        memo: note.memo !== null || open?.memo === true,
        found: false,
      });
    }
    if (isSpent(note) && note.spent.height > height) {
      draft.put({
        kind: 'spent',
        note: entryNote(note),
        height: note.spent.height,
        blockHash: hashAt(note.spent.height),
        spentBy: note.spent.txid,
        confirmed: false,
        memo: false,
        found: false,
      });
    }
  }
}

/** Notes of these heights were reported as confirmed and no longer are: their confirmation is not reported again. */
export function keepConfirmed(
  draft: JournalDraft,
  notes: Iterable<StoredNote>,
  { start, end }: HeightRange,
): void {
  for (const note of notes) {
    if (note.height < start || note.height > end) continue;
    const open = draft.rescanEntry('received', note);
    draft.put({
      kind: 'received',
      note: entryNote(note),
      height: note.height,
      blockHash: null,
      spentBy: null,
      confirmed: true,
      memo: open?.memo === true,
      found: true,
    });
  }
}
