// The state as it is sealed: with the tallies of all other tables and the head of the journal.

import { bytesToHex, hexToBytes } from '@wallet-companion/shielded/bytes';
import type { NoteStoreState } from '../../actors/wallet/ports/storage.ts';
import type { JournalHead } from './journal.ts';
import { EMPTY_TALLY, type Tally, type TallyValue } from './tally.ts';

export interface VouchedState {
  readonly state: NoteStoreState;
  /** By table. */
  readonly tallies: Readonly<Record<string, { readonly count: number; readonly sum: string }>>;
  readonly journal: JournalHead;
}

export const vouched = (
  state: NoteStoreState,
  tallies: Readonly<Record<string, Tally>>,
  journal: JournalHead,
): VouchedState => ({
  state,
  journal,
  tallies: Object.fromEntries(
    Object.entries(tallies).map(([name, tally]) => {
      const { count, sum } = tally.value();
      return [name, { count, sum: bytesToHex(sum) }];
    }),
  ),
});

/** A store that was never written to has no state, and no rows. */
export function tallyIn(sealedState: VouchedState | undefined, table: string): TallyValue {
  const found = sealedState?.tallies[table];
  return found === undefined ? EMPTY_TALLY : { count: found.count, sum: hexToBytes(found.sum) };
}
