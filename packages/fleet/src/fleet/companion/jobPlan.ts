// Cuts ranges of blocks into jobs. By work, not by blocks: half a million blocks of the main network hold 97 % of its
// outputs, and every key is tried on each. The same range always gives the same jobs, so that jobs sent ahead are found
// again.

import type { Height } from '@wallet-companion/base/values';
import { ExpectedOutputs } from '@wallet-companion/zcash/blocks';
import type { ScanHeights } from '@wallet-companion/zcash/scan';
import type { Heights } from '../ports/blocks.ts';

/** Trials of a key on an output: half a second to a second of one core, which a worker that dies loses. */
const TRIALS_PER_JOB = 32_768;
/** Half a request. Empty blocks cost the queue more than the worker. */
const BLOCKS_PER_JOB = 500;
/** Used where the number of outputs is unknown. */
const UNKNOWN_BLOCKS_PER_JOB = 64;
/** The number of blocks over which the density is measured. */
const DENSITY_BLOCKS = 64;

export function cutJobs({ start, end }: Heights, heights: ScanHeights, keyCount: number): Heights[] {
  const expected = heights.network === 'main' ? new ExpectedOutputs('main', heights.sapling, []) : undefined;
  const jobs: Heights[] = [];
  for (let next = start; next <= end; ) {
    const blocks = expected === undefined ? UNKNOWN_BLOCKS_PER_JOB : blocksFrom(next, expected, keyCount);
    const job = { start: next, end: Math.min(end, next + blocks - 1) };
    jobs.push(job);
    next = job.end + 1;
  }
  return jobs;
}

function blocksFrom(start: Height, expected: ExpectedOutputs, keyCount: number): number {
  const outputs = expected.upTo(start + DENSITY_BLOCKS - 1) - expected.upTo(start - 1);
  // An output is of one of two protocols, and so is a key.
  const trialsPerBlock = (outputs / DENSITY_BLOCKS) * Math.max(1, keyCount / 2);
  return Math.max(1, Math.min(BLOCKS_PER_JOB, Math.floor(TRIALS_PER_JOB / Math.max(1, trialsPerBlock))));
}

export interface Course {
  /** The range being scanned, and the one before it in this session. */
  readonly now: Heights;
  readonly before: Heights | undefined;
  readonly tip: Height;
  readonly lowest: Height;
  /** How many blocks a request has at most. */
  readonly request: number;
}

/** The probable next ranges: a restore goes upwards, or from the tip downwards, a request at a time. */
export function* rangesAhead({ now, before, tip, lowest, request }: Course): Generator<Heights, void, void> {
  if (now.end - now.start + 1 < request) return;
  if (before !== undefined && now.end + 1 === before.start) {
    for (let end = now.start - 1; end >= lowest; end -= request)
      yield { start: Math.max(lowest, end - request + 1), end };
    return;
  }
  for (let start = now.end + 1; start <= tip; start += request)
    yield { start, end: Math.min(tip, start + request - 1) };
}
