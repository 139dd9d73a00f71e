// A compact block read back from the store, and the server it came from.

import { FormatError } from '@wallet-companion/base/bytes';
import type { Height } from '@wallet-companion/base/values';
import { type CompactBlockSummary, summarizeCompactBlock } from '@wallet-companion/zcash/blocks';
import type { CompactStore } from '../ports/compactStore.ts';
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
