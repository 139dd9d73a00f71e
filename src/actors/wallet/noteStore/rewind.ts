// What a rewind undoes, and what is forgotten to be scanned again: both delete the same rows, but the journal reverses
// only the former.

import type { Height } from '@wallet-companion/base/values';
import type { NoteStoreChange } from '../ports/noteDatabase.ts';
import { rewoundState } from './book/scannedRanges.ts';
import { JournalDraft } from './journal/journalDraft.ts';
import { type Committed, confirmedHeight, keepLowered, notesBefore } from './journal/journalPart.ts';
import { keepReported, recordUndone } from './journal/journalRecords.ts';

/** The chain has other blocks above `height`. */
export function undoneAbove(committed: Committed, height: Height): NoteStoreChange {
  const before = notesBefore(committed);
  const draft = new JournalDraft(before);
  recordUndone(draft, before, committed.memory.notes.values(), height);
  const change = withoutAbove(committed, height);
  keepLowered(committed, draft, change.state, height);
  return { ...change, ...draft.finish() };
}

/** The blocks above `height` are to be scanned again: until then the journal reverses nothing. */
export function forgottenAbove(committed: Committed, height: Height): NoteStoreChange {
  const { notes, state } = committed.memory;
  const change = withoutAbove(committed, height);
  const before = notesBefore(committed);
  const draft = new JournalDraft(before);
  keepReported(draft, before, notes.values(), height, state.confirmedUpTo);
  keepLowered(committed, draft, change.state, height);
  return { ...change, ...draft.finish() };
}

function withoutAbove(committed: Committed, height: Height): NoteStoreChange {
  const { memory } = committed;
  const notes = [...memory.notes.values()];
  const state = rewoundState(memory.state, height);
  return {
    state: { ...state, confirmedUpTo: confirmedHeight(committed, state) },
    putNotes: notes
      .filter((note) => note.height <= height && note.spent !== null && note.spent.height > height)
      .map((note) => ({ ...note, spent: null })),
    deleteNotes: notes.filter((note) => note.height > height),
    deleteSentOutputs: [...memory.sent.values()].filter((output) => output.height > height),
    deleteTransactions: [...memory.transactions.values()].filter((entry) => entry.height > height),
    deleteBlocksAbove: height,
    deleteNullifiers: [{ start: height + 1, end: Number.MAX_SAFE_INTEGER }],
  };
}
