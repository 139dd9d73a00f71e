// The order for a restored old phrase: the newest blocks first, then older ones downward. Blocks above a gap cost
// space, since their nullifiers are kept until the gap closes; when that is used up, the rest comes from below.

import { POOLS } from '@wallet-companion/zcash/pools';
import { blockCount, lowest, type SyncPlan, type SyncPosition } from '../../../protocol/syncRange.ts';
import type { NoteStore } from '../noteStore/noteStore.ts';
import type { HeightRange } from '../ports/noteDatabase.ts';

/**
 * So many outputs may be scanned above the lowest gap before gaps close from below. A kept nullifier takes 125 to 160
 * bytes on disk, and there are hardly more of them than outputs: under 100 MB. (The crowded years of the main network
 * would be gigabytes.)
 */
export const OUTPUTS_ABOVE_GAPS = 600_000;

export interface NewestFirstPosition extends SyncPosition {
  readonly maxBlocks: number;
  readonly outputsAboveGaps: number;
}

/** One range of at most `maxBlocks`: new blocks, the highest ones first, then one piece of what is missing. */
export function planNewestFirst(position: NewestFirstPosition): SyncPlan {
  const { lastScanHeight, missing, saplingActivation, tip, maxBlocks, outputsAboveGaps } = position;
  const next = Math.max(lastScanHeight + 1, saplingActivation);
  const above = next <= tip ? [{ start: next, end: tip }] : [];
  const wanted = [...missing.filter(({ start }) => start <= tip), ...above];
  const fromBelow = above.length === 0 && outputsAboveGaps >= OUTPUTS_ABOVE_GAPS;
  const piece = fromBelow ? wanted[0] : wanted.at(-1);
  const cut = fromBelow ? lowest : highest;
  const chosen = piece && cut(piece, maxBlocks);
  const ranges = chosen === undefined || maxBlocks <= 0 ? [] : [chosen];
  const rest = ranges.length === 0 ? undefined : restOf(piece!, ranges[0]!, fromBelow);
  return {
    start: ranges[0]?.start ?? next,
    ranges,
    coversRequest: blockCount(ranges) === blockCount(wanted),
    ...(rest && { next: cut(rest, maxBlocks) }),
  };
}

/** The highest blocks of a range. */
export const highest = ({ start, end }: HeightRange, count: number): HeightRange => ({
  start: Math.max(start, end - count + 1),
  end,
});

/** The rest of a piece after one end of it was scanned. */
function restOf(piece: HeightRange, scanned: HeightRange, fromBelow: boolean): HeightRange | undefined {
  const rest = fromBelow
    ? { start: scanned.end + 1, end: piece.end }
    : { start: piece.start, end: scanned.start - 1 };
  return rest.start <= rest.end ? rest : undefined;
}

/** The number of outputs in the scanned blocks above the lowest gap, from the sizes of the trees. */
export function outputsAboveGaps(noteStore: NoteStore): number {
  const gap = noteStore.missing()[0];
  if (gap === undefined) return 0;
  let outputs = 0;
  for (const stretch of noteStore.stretches) {
    const bottom = noteStore.block(stretch[0] ?? -1);
    const top = noteStore.block(stretch.at(-1) ?? -1);
    if (bottom === undefined || top === undefined || bottom.height < gap.start) continue;
    for (const pool of POOLS) outputs += top.treeSizes[pool] - bottom.treeSizes[pool];
  }
  return outputs;
}
