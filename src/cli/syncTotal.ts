// Sums the results of many requests, as if they were one.

import type { Output } from '../protocol/operations.ts';

type Summary = Output<'sync.run'>;

export function addSummaries(before: Summary | undefined, next: Summary): Summary {
  if (before === undefined) return next;
  const ranges = [before, next].filter(({ start_height: start, end_height: end }) => start <= end);
  const both = (count: (summary: Summary) => number): number => count(before) + count(next);
  return {
    ...next,
    start_height: Math.min(...(ranges.length === 0 ? [next] : ranges).map((range) => range.start_height)),
    end_height: Math.max(...(ranges.length === 0 ? [next] : ranges).map((range) => range.end_height)),
    blocks_scanned: both((summary) => summary.blocks_scanned),
    outputs_scanned: both((summary) => summary.outputs_scanned),
    notes_found: both((summary) => summary.notes_found),
    notes_new: both((summary) => summary.notes_new),
    notes_spent: both((summary) => summary.notes_spent),
    elapsed_ms: both((summary) => summary.elapsed_ms),
    reorg: next.reorg ?? before.reorg,
    // Gaps lie below the scanned height: one request would continue above all of it.
    next_start_height:
      next.reorg === null
        ? Math.max(before.next_start_height, next.next_start_height)
        : next.next_start_height,
    verified_with: next.verified_with ?? before.verified_with,
  };
}
