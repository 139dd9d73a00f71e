// A note of the chain counts once: where two accounts have it, because their keys share a part, it is the one with the lower number's.

import { chainKey } from '@wallet-companion/zcash/identifiers';
import type { NoteStoreChange } from '../../ports/noteDatabase.ts';
import { JournalDraft } from './journalDraft.ts';
import { type Committed, notesBefore } from './journalPart.ts';

/** What takes back the notes that an account with a lower number has too; undefined where there are none. */
export function withoutDoubles(committed: Committed): NoteStoreChange | undefined {
  const { memory } = committed;
  const owners = new Map<string, number>();
  for (const note of memory.notes.values()) {
    const key = chainKey(note);
    owners.set(key, Math.min(note.account, owners.get(key) ?? note.account));
  }
  const doubles = [...memory.notes.values()].filter((note) => note.account > owners.get(chainKey(note))!);
  if (doubles.length === 0) return undefined;
  const draft = new JournalDraft(notesBefore(committed));
  for (const note of doubles) draft.unreceived(note);
  return { state: memory.state, ...draft.finish(), deleteNotes: doubles };
}
