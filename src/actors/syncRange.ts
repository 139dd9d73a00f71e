// Turns a sync request into one range of at most 1,000 blocks (the specification's rules, spec §4).

const MAX_BLOCKS_PER_SYNC = 1_000;

export interface SyncPlan {
  /** What this request scans; `end < start` when there is nothing to do. */
  readonly range: { readonly start: number; readonly end: number };
  /** The last height asked for that exists: reaching it makes the range complete. */
  readonly wantedEnd: number;
}

/** A start beyond the tip becomes the block after it, so that `next_start_height` is where to go on. */
export function planSync(
  request: { readonly start?: number | undefined; readonly end?: number | undefined },
  lastScanHeight: number,
  saplingActivation: number,
  tip: number,
): SyncPlan {
  const asked = request.start === undefined ? lastScanHeight + 1 : Math.min(request.start, tip + 1);
  const start = Math.max(asked, saplingActivation);
  const wantedEnd = Math.min(request.end ?? tip, tip);
  const end = Math.min(wantedEnd, start + MAX_BLOCKS_PER_SYNC - 1);
  return { range: { start, end: Math.max(end, start - 1) }, wantedEnd };
}
