// Deletes stored blocks in steps of some milliseconds: between two of them others get their turn, a scan that fills the
// store among them. What is deleted is decided anew before each step, because that scan may need it by then.

import { setImmediate as otherWork } from 'node:timers/promises';
import type { Height } from '@wallet-companion/shielded/values';
import { queueOf } from '../../../async/queueOf.ts';
import type { CompactStore, PrunedBlocks, StoredRange } from '../ports/compactStore.ts';
import { storedRanges } from './compactStoring.ts';
import { gapsBetween } from './heightGaps.ts';

/** Room in the file that the scan's next blocks will use: it is not worth moving pages about for less. */
const ROOM_KEPT_BYTES = 128 * 2 ** 20;

/** What is stored below this height, but for what is in use. `held`: ascending. */
export const storedBelow = (store: CompactStore, end: Height, held: readonly StoredRange[]): StoredRange[] =>
  storedRanges(store).flatMap((stored) =>
    gapsBetween(held, { start: stored.start, end: Math.min(stored.end, end - 1) }),
  );

/** The same, but for what somebody asked to have. */
export function passingBelow(store: CompactStore, end: Height, held: readonly StoredRange[]): StoredRange[] {
  const asked = store.asked();
  return storedBelow(store, end, held).flatMap((range) => gapsBetween(asked, range));
}

export interface PruneOptions {
  /** What is to go, as things stand. */
  readonly wanted: () => readonly StoredRange[];
  readonly mayGoOn: () => boolean;
  /** Room beyond this is given back to the disk. */
  readonly keepRoom?: number;
}

export async function prune(
  store: CompactStore,
  { wanted, mayGoOn, keepRoom = ROOM_KEPT_BYTES }: PruneOptions,
): Promise<PrunedBlocks> {
  let blocks = 0;
  let bytes = 0;
  const deletes = (): boolean => {
    const range = wanted()[0];
    if (range === undefined) return false;
    const pruned = store.prune(range);
    blocks += pruned.blocks;
    bytes += pruned.bytes;
    return true;
  };
  const givesBack = (): boolean => store.giveBack(keepRoom);
  for (const step of [deletes, givesBack]) {
    while (mayGoOn() && (await queueOf(store).run(step))) await otherWork();
  }
  return { blocks, bytes };
}
