// The journal's part of every change of the note store: which hashes it may name, and up to where notes are confirmed
// before and after.

import type { Height } from '@wallet-companion/base/values';
import { blockHashToHex } from '@wallet-companion/zcash/identifiers';
import type { ScannedBlock } from '@wallet-companion/zcash/scan';
import type { NoteDatabase, NoteStoreState } from '../../ports/noteDatabase.ts';
import type { NoteMemory } from '../book/noteMemory.ts';
import { everScanned, type NoteStoreAccount } from '../book/scannedRanges.ts';
import type { HashAt, JournalDraft, NotesBefore } from './journalDraft.ts';
import { keepConfirmed } from './journalRecords.ts';

/** The state before a change. */
export interface Committed {
  readonly memory: NoteMemory;
  readonly store: Pick<NoteDatabase, 'findReported' | 'findSightings'>;
  readonly accounts: readonly NoteStoreAccount[];
  /** How deep a note must lie for the journal to call it confirmed. */
  readonly minConfirmations: () => number;
}

/** The state before the change, with the hashes of the blocks that it makes known. */
export function notesBefore({ memory, store }: Committed, blocks: readonly ScannedBlock[] = []): NotesBefore {
  const scanned = new Map(blocks.map(({ height, hash }) => [height, hash]));
  const hashAt: HashAt = (height) => {
    const hash = scanned.get(height) ?? memory.blocks.get(height)?.hash;
    return hash === undefined ? null : blockHashToHex(hash);
  };
  return {
    rescanEntries: memory.rescanEntries,
    hashAt,
    findReported: (wanted) => store.findReported(wanted),
  };
}

/** The highest confirmed height once the store is in this state. */
export const confirmedHeight = ({ minConfirmations }: Committed, state: NoteStoreState): Height =>
  (everScanned(state).at(-1)?.end ?? -1) - minConfirmations() + 1;

/** Where the confirmed part now ends lower, keeps what was reported of the notes between, up to `height`. */
export function keepLowered(
  { memory }: Committed,
  draft: JournalDraft,
  { confirmedUpTo }: NoteStoreState,
  height: Height,
): void {
  const end = Math.min(height, memory.state.confirmedUpTo);
  if (confirmedUpTo < end) keepConfirmed(draft, memory.notes.values(), { start: confirmedUpTo + 1, end });
}
