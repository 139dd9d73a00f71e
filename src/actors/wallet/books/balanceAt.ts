// The balance after an earlier scanned block: the notes made by then and not spent by then.

import type { Height } from '@wallet-companion/base/values';
import { POOLS, type Pool, perPool } from '@wallet-companion/zcash/pools';
import type { Output } from '../../../protocol/operations.ts';
import type { NoteStore } from '../noteStore/noteStore.ts';

type Held = Pick<
  Output<'balance.at'>,
  'total_zatoshi' | 'note_count' | 'pools' | 'as_of_height' | 'verified_with' | 'complete' | 'missing_ranges'
>;

export function fundsAt(noteStore: NoteStore, height: Height, account: number | undefined): Held {
  const pools = perPool(() => ({ total_zatoshi: 0, note_count: 0 }));
  for (const note of noteStore.notes) {
    if (account !== undefined && note.account !== account) continue;
    if (note.height > height || (note.spent !== null && note.spent.height <= height)) continue;
    pools[note.pool].total_zatoshi += note.value;
    pools[note.pool].note_count += 1;
  }
  const sum = (field: 'total_zatoshi' | 'note_count') =>
    POOLS.reduce((total, pool: Pool) => total + pools[pool][field], 0);
  const asOfHeight = noteStore.scannedTop(account) ?? null;
  const missing = missingUpTo(noteStore, height, account);
  return {
    total_zatoshi: sum('total_zatoshi'),
    note_count: sum('note_count'),
    pools,
    as_of_height: asOfHeight,
    verified_with: noteStore.verifiedWith(account),
    complete: missing.length === 0 && asOfHeight !== null,
    missing_ranges: missing,
  };
}

function missingUpTo(
  noteStore: NoteStore,
  height: Height,
  account: number | undefined,
): { start_height: number; end_height: number }[] {
  const { lastScanHeight } = noteStore;
  const known = noteStore
    .missing(account)
    .filter(({ start }) => start <= height)
    .map(({ start, end }) => ({ start_height: start, end_height: Math.min(end, height) }));
  if (height <= lastScanHeight) return known;
  const last = known.at(-1);
  // Ranges that touch become one.
  if (last?.end_height === lastScanHeight) return [...known.slice(0, -1), { ...last, end_height: height }];
  return [...known, { start_height: lastScanHeight + 1, end_height: height }];
}
