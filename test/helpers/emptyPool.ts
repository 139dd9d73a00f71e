import { type BlockSummary, summarizeCompactBlock, summarizeRawBlock } from '@wallet-companion/zcash/blocks';
import { copyOf } from '@wallet-companion/zcash/identifiers';
import type { BlockBatch, BlockRef, ScannedBlock } from '@wallet-companion/zcash/scan';
import { addLeaves } from '@wallet-companion/zcash/trees';
import type { ScanPool } from '../../src/actors/wallet/ports/scanPool.ts';
import { TREE_TASKS } from './treeTasks.ts';

function summaryOf({ buffer, format }: BlockBatch, { offset, length }: BlockRef): BlockSummary {
  const bytes = new Uint8Array(buffer, offset, length);
  return format === 'raw' ? summarizeRawBlock(bytes) : summarizeCompactBlock(bytes);
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
          hash: copyOf(block.hash),
          prevHash: copyOf(block.prevHash),
          // Ascends, and is in the past at every height.
          time: Math.floor(block.height / 2),
          treeSizes: addLeaves(block.treeSizes, summaryOf(batch, block).counts),
          outputCount: block.outputCount,
          notes: [],
          nullifiers: [],
        }),
      );
    },
    enhance: async () => ({ transactions: [] }),
    readUnmined: async ({ transactions }) => transactions.map(() => null),
    ...TREE_TASKS,
    close: async () => {},
  });
}
