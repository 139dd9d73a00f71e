import type { ScanPool } from '../../src/actors/wallet/scanPool.ts';
import type { ScannedBlock } from '../../src/shielded/scan/types.ts';

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
          treeSizes: block.treeSizes,
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
