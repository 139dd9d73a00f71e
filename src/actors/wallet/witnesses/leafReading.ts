// Leaves of one tree, and the wallet's outputs among them, from the blocks of whole ranges, through the source of scans: blocks
// that link, are of the scanned chain, and fit the tree sizes that the server reports.

import { concatBytes } from '@wallet-companion/base/bytes';
import type { BlockRanges, ScannedBefore, Upstream } from '@wallet-companion/chain/ports';
import type { Pool } from '@wallet-companion/zcash/pools';
import type { LeafRange, PlacedOutput } from '@wallet-companion/zcash/scan';
import { NODE_BYTES } from '@wallet-companion/zcash/trees';
import type { NoteStore } from '../noteStore/noteStore.ts';
import type { HeightRange } from '../ports/noteDatabase.ts';
import type { ScanPool } from '../ports/scanPool.ts';
import { chainMoved, witnessMismatch } from './witnessFailures.ts';

export interface LeafSource {
  readonly chain: BlockRanges;
  readonly noteStore: NoteStore;
  readonly pool: ScanPool;
  readonly upstream: Upstream;
  readonly logFault: (where: string, fault: unknown) => void;
  /** Throws where the session has ended meanwhile. */
  readonly requireOpen: () => void;
}

export interface ReadLeaves {
  /** Exactly the leaves of the range, packed. */
  readonly leaves: Uint8Array;
  readonly outputs: readonly PlacedOutput[];
}

export async function readLeaves(
  source: LeafSource,
  tree: Pool,
  heights: HeightRange,
  range: LeafRange,
): Promise<ReadLeaves> {
  const { chain, noteStore, pool, upstream, logFault, requireOpen } = source;
  const pieces: Uint8Array[] = [];
  const outputs: PlacedOutput[] = [];
  let next = range.start;
  if (next < range.end && heights.start <= heights.end) {
    const before = scannedBefore(noteStore, heights.start);
    const { rangeId } = await chain.openRange({ ...upstream, ...heights, ...(before && { before }) });
    try {
      while (next < range.end) {
        const batch = await chain.nextBatch({ rangeId });
        requireOpen();
        if (batch === null) break;
        const start = batch.blocks[0]?.height ?? heights.start;
        if (!noteStore.fits(batch.blocks)) throw chainMoved(upstream.source, start);
        const found = await pool.leaves(batch, tree, { ...range, start: next });
        requireOpen();
        const { first, leaves } = found;
        if (leaves.byteLength === 0) continue;
        if (first !== next) {
          throw witnessMismatch(upstream.source, start, 'leaves are missing between blocks');
        }
        pieces.push(new Uint8Array(leaves));
        outputs.push(...found.outputs);
        next += leaves.byteLength / NODE_BYTES;
      }
    } finally {
      await chain.closeRange({ rangeId }).catch((error: unknown) => logFault('witness.close_range', error));
    }
  }
  if (next < range.end) {
    throw witnessMismatch(upstream.source, heights.end, 'its blocks hold fewer leaves than its tree');
  }
  return { leaves: concatBytes(...pieces), outputs };
}

function scannedBefore(noteStore: NoteStore, start: number): ScannedBefore | undefined {
  const block = noteStore.block(start - 1);
  return block && { hash: block.hash, treeSizes: block.treeSizes };
}
