// Compact blocks in the store: one read back, the server it came from, and the heights that are not there.

import { FormatError } from '@wallet-companion/base/bytes';
import type { Height } from '@wallet-companion/base/values';
import { type CompactBlockSummary, summarizeCompactBlock } from '@wallet-companion/zcash/blocks';
import type { CompactStore, StoredRange } from '../ports/compactStore.ts';
import { serverAt, UnfitBlocks } from './compactFailure.ts';

/** The store may be older than the present checks of blocks. Errors: `UnfitBlocks` with `STORAGE_FAILED`. */
export function summarizeStored(data: Uint8Array, height: Height): CompactBlockSummary {
  try {
    const summary = summarizeCompactBlock(data);
    if (summary.height === height) return summary;
  } catch (error) {
    if (!(error instanceof FormatError)) throw error;
  }
  throw new UnfitBlocks(
    'STORAGE_FAILED',
    `The compact store holds a damaged block at height ${height}; a scan of it fetches it again once the compact server can be reached.`,
  );
}

/** Undefined where the server is not known. */
export const serverOf = (store: CompactStore, height: Height): string | undefined =>
  store.origins({ start: height, end: height })[0]?.server;

/** The source of a stored block, for error texts. */
export function giverOf(store: CompactStore, height: Height): string {
  const server = serverOf(store, height);
  return server === undefined ? 'The compact store' : serverAt(server);
}

// The heights of a range that a set of ranges leaves open.

/** `ranges`: ascending. */
export function gapsBetween(ranges: readonly StoredRange[], range: StoredRange): StoredRange[] {
  const gaps: StoredRange[] = [];
  let next = range.start;
  for (const { start, end } of ranges) {
    if (end < next) continue;
    if (start > range.end) break;
    if (start > next) gaps.push({ start: next, end: start - 1 });
    next = end + 1;
  }
  if (next <= range.end) gaps.push({ start: next, end: range.end });
  return gaps;
}
