// What a commit changes in the journal. The journal never contradicts itself: a note that it reports as received is in
// the note store, or a rescan entry is about it, and every entry leads from one such state to the next. So a block applied
// twice adds nothing, a reorganisation reverses what it undid, and entries that a rescan forgot are reversed only when
// their block was scanned again and differs.

import type { Height } from '@wallet-companion/base/values';
import { noteKey } from '@wallet-companion/zcash/identifiers';
import type { RescanEntry } from '../../ports/journal.ts';
import type { HeightRange } from '../../ports/noteDatabase.ts';
import type { StoredNote } from '../../ports/storedNote.ts';
import { entryNote, type HashAt, isSpent, type JournalDraft, type NotesBefore } from './journalDraft.ts';

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
  const found: Found = { fresh: new Set(), confirmed: new Set() };
  for (const { before: old, after } of change.notes) {
    if (after !== undefined) recordNote(draft, before, old, after, change.confirmedTo, found);
    else if (old !== undefined) draft.unreceived(old);
  }
  const rescanEntries = before.rescanEntries.within(change.range);
  takeBackLostNotes(draft, rescanEntries);
  takeBackLostSpends(draft, rescanEntries, change);
  recordConfirmed(draft, change, found);
}

/** Notes that a rescan was to find in the scanned blocks, and that are not there. */
function takeBackLostNotes(draft: JournalDraft, rescanEntries: readonly RescanEntry[]): void {
  for (const rescanEntry of rescanEntries) {
    const isAwaited = rescanEntry.kind === 'received' && !rescanEntry.found;
    if (isAwaited && draft.rescanEntry('received', rescanEntry.note) === rescanEntry)
      draft.takeBack(rescanEntry);
  }
}

/** Spends that a rescan was to find in scanned blocks, of notes that are unspent now. */
function takeBackLostSpends(
  draft: JournalDraft,
  rescanEntries: readonly RescanEntry[],
  { notes, noteAt, isScanned }: AppliedChange,
): void {
  const keys = [
    ...rescanEntries.map(({ note }) => noteKey(note)),
    ...notes.flatMap(({ after }) => (after === undefined ? [] : [noteKey(after)])),
  ];
  for (const key of new Set(keys)) {
    const note = noteAt(key);
    const spend = note === undefined ? undefined : draft.rescanEntry('spent', note);
    if (note?.spent !== null || spend === undefined) continue;
    if (isScanned(note.account, spend.height)) draft.takeBack(spend);
  }
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
  if (known === undefined) recordFreshNote(draft, hashAt, after, confirmedTo, found);
  else if (known.memo === null && after.memo !== null) recordMemo(draft, after);
  recordSpend(draft, known, after);
}

/** A note that was not stored: new, or the one that a rescan was to find again. */
function recordFreshNote(
  draft: JournalDraft,
  hashAt: HashAt,
  note: StoredNote,
  confirmedTo: Height,
  found: Found,
): void {
  found.fresh.add(noteKey(note));
  const reported = draft.rescanEntry('received', note);
  if (reported === undefined || reported.found || !isTheSame(reported, note, hashAt)) {
    if (reported !== undefined) draft.takeBack(reported);
    draft.received(note);
    return;
  }
  if (reported.confirmed) found.confirmed.add(noteKey(note));
  if (!reported.memo && note.memo !== null) draft.memo(note);
  const confirmed = reported.confirmed && note.height > confirmedTo;
  settle(draft, { ...reported, found: true }, { confirmed, memo: reported.memo && note.memo === null });
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
