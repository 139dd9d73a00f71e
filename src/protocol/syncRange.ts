// Turns a sync request into the ranges that it scans, at most 1,000 blocks in all. Pure, so that the wallet and the
// compact store plan in the same way.

export const MAX_BLOCKS_PER_SYNC = 1_000;
/** How far below the tip a new wallet begins: some 40 minutes at 25 s a block, deeper than everyday reorgs. */
export const BIRTHDAY_BELOW_TIP = 100;

/** Both ends are inclusive. */
interface Range {
  readonly start: number;
  readonly end: number;
}

export interface SyncRequest {
  readonly start?: number | undefined;
  readonly end?: number | undefined;
}

/** The state of the scan, and what there is to scan. */
export interface SyncPosition {
  readonly lastScanHeight: number;
  /** The skipped ranges up to `lastScanHeight`, ascending. */
  readonly missing: readonly Range[];
  /** Those of them that nobody skipped: accounts came later. Ascending. */
  readonly missingLater?: readonly Range[];
  readonly saplingActivation: number;
  readonly tip: number;
  /** Blocks that this request may still scan. */
  readonly maxBlocks?: number;
}

export interface SyncPlan {
  /** The start of the first range, or where it would start if there is none. */
  readonly start: number;
  /** The ranges that this request scans, ascending; none when there is nothing to do. */
  readonly ranges: readonly Range[];
  /** Whether scanning `ranges` completes the request: it was not cut, and does not end beyond the tip. */
  readonly coversRequest: boolean;
  /** Where the request was cut: the range to scan next. */
  readonly next?: Range;
}

/**
 * A range with a start is scanned as requested, also if it was scanned before. An end alone means all unscanned blocks
 * up to it, lowest first; no range at all means from the last scanned block up, then what accounts that came later lack.
 */
export function planSync(request: SyncRequest, position: SyncPosition): SyncPlan {
  const {
    lastScanHeight,
    missing,
    missingLater = [],
    saplingActivation,
    tip,
    maxBlocks = MAX_BLOCKS_PER_SYNC,
  } = position;
  const next = Math.max(lastScanHeight + 1, saplingActivation);
  // A start beyond the tip becomes the block after the tip, so that `next_start_height` is where to continue.
  const start =
    request.start === undefined ? next : Math.max(Math.min(request.start, tip + 1), saplingActivation);
  const end = Math.min(request.end ?? tip, tip);
  const wanted: Range[] = [{ start, end }];
  if (request.start === undefined) {
    if (request.end === undefined) wanted.push(...missingLater);
    else wanted.unshift(...missing);
  }
  const existing = wanted
    .map((range) => ({ start: range.start, end: Math.min(range.end, end) }))
    .filter((range) => range.start <= range.end);
  const { kept, next: following } = cutTo(maxBlocks, existing);
  // New blocks have their place first, but blocks are scanned from below.
  const ranges = kept.toSorted((a, b) => a.start - b.start);
  const exists = (request.start ?? 0) <= tip + 1 && (request.end ?? 0) <= tip;
  return {
    start: ranges[0]?.start ?? start,
    ranges,
    coversRequest: exists && blockCount(ranges) === blockCount(existing),
    ...(following && { next: following }),
  };
}

export const blockCount = (ranges: readonly Range[]): number =>
  ranges.reduce((sum, { start, end }) => sum + end - start + 1, 0);

function cutTo(maxBlocks: number, ranges: readonly Range[]): { kept: Range[]; next: Range | undefined } {
  const kept: Range[] = [];
  let left = maxBlocks;
  for (const range of ranges) {
    const cut = lowest(range, left);
    if (left > 0) kept.push(cut);
    left -= blockCount([cut]);
    const rest = { start: cut.end + 1, end: range.end };
    if (blockCount([rest]) > 0) return { kept, next: lowest(rest, MAX_BLOCKS_PER_SYNC) };
  }
  return { kept, next: undefined };
}

/** The lowest blocks of a range. */
export const lowest = ({ start, end }: Range, count: number): Range => ({
  start,
  end: Math.min(end, start + count - 1),
});
