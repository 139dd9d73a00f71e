import type { ScanPool } from '../../src/actors/wallet/ports/scanPool.ts';
import { type BlockSkim, skimCompactBlock, skimRawBlock } from '../../src/shielded/encoding/skim.ts';
import type { BlockBatch, BlockRef, ScannedBlock } from '../../src/shielded/scan/types.ts';
import { addLeaves } from '../../src/shielded/treeSizes.ts';

function skimOf({ buffer, format }: BlockBatch, { offset, length }: BlockRef): BlockSkim {
  const bytes = new Uint8Array(buffer, offset, length);
  return format === 'raw' ? skimRawBlock(bytes) : skimCompactBlock(bytes);
}

/** Scans nothing: for tests about the course of a sync, not about notes. */
export function emptyPool(onScan: () => void | Promise<void> = () => {}): () => ScanPool {
  return () => ({
    concurrency: 1,
    scan: async (batch) => {
      await onScan();
      return batch.blocks.map(
        (block): ScannedBlock => ({
          height: block.height,
          hash: block.hash.slice(),
          prevHash: block.prevHash.slice(),
          time: 0,
          treeSizes: addLeaves(block.treeSizes, skimOf(batch, block).counts),
          outputCount: block.outputCount,
          notes: [],
          nullifiers: [],
        }),
      );
    },
    complete: async () => [],
    close: async () => {},
  });
}
