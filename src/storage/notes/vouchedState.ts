// The state as it is sealed: with the row sums of all other tables and the head of the journal.

import { bytesToHex, hexToBytes } from '@wallet-companion/base/bytes';
import { EMPTY_ROW_SUM, type RowSum, type RowSumValue } from '@wallet-companion/disk/rows';
import type { NoteStoreState } from '../../actors/wallet/ports/noteDatabase.ts';
import type { JournalHead } from './journal.ts';

export interface VouchedState {
  readonly state: NoteStoreState;
  /** By table. */
  readonly rowSums: Readonly<Record<string, { readonly count: number; readonly sum: string }>>;
  readonly journal: JournalHead;
}

export const vouch = (
  state: NoteStoreState,
  rowSums: Readonly<Record<string, RowSum>>,
  journal: JournalHead,
): VouchedState => ({
  state,
  journal,
  rowSums: Object.fromEntries(
    Object.entries(rowSums).map(([name, rowSum]) => {
      const { count, sum } = rowSum.value();
      return [name, { count, sum: bytesToHex(sum) }];
    }),
  ),
});

/** A store that was never written to has no state, and no rows. */
export function rowSumIn(sealedState: VouchedState | undefined, table: string): RowSumValue {
  const found = sealedState?.rowSums[table];
  return found === undefined ? EMPTY_ROW_SUM : { count: found.count, sum: hexToBytes(found.sum) };
}
