// Deletes stored blocks in steps of some milliseconds: other work can run in between, also a scan that fills the store.
// Before each step the blocks are chosen again, because that scan may need some by then.

import { setImmediate as otherWork } from 'node:timers/promises';
import { queueOf } from '@wallet-companion/base/async';
import type { Height } from '@wallet-companion/base/values';
import type { CompactStore, PrunedBlocks, StoredRange } from '../ports/compactStore.ts';
import { storedRanges } from './compactStoring.ts';
import { gapsBetween } from './storedBlock.ts';

/** Free space in the file that the scan's next blocks will use: for less it is not worth moving pages. */
const ROOM_KEPT_BYTES = 128 * 2 ** 20;

/** The stored blocks below this height, without those in use. `held`: ascending. */
export const storedBelow = (store: CompactStore, end: Height, held: readonly StoredRange[]): StoredRange[] =>
  storedRanges(store).flatMap((stored) =>
    gapsBetween(held, { start: stored.start, end: Math.min(stored.end, end - 1) }),
  );

/** The same, without the blocks that the user requested. */
export function passingBelow(store: CompactStore, end: Height, held: readonly StoredRange[]): StoredRange[] {
  const asked = store.asked();
  return storedBelow(store, end, held).flatMap((range) => gapsBetween(asked, range));
}

export interface PruneOptions {
  /** The blocks to delete at this moment. */
  readonly wanted: () => readonly StoredRange[];
  readonly mayGoOn: () => boolean;
  /** Free space beyond this is returned to the disk. */
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
