// The blocks of a fleet's job, read from the worker's chain side and scanned by its pool.

import { mapInOrder } from '@wallet-companion/base/async';
import type { ChainService, Source } from '@wallet-companion/chain/ports';
import type { ScanRange } from '@wallet-companion/fleet/worker';
import type { BlockBatch, PlantedOutput } from '@wallet-companion/zcash/scan';
import type { ScanPool } from '../actors/wallet/ports/scanPool.ts';

export const jobBlocks = (chain: ChainService, source: Source, pool: ScanPool): ScanRange =>
  async function* (range, keys, planted) {
    const { rangeId } = await chain.openRange({ source, ...range });
    try {
      yield* mapInOrder(batchesOf(chain, rangeId), pool.concurrency + 1, async (batch) => ({
        sizesBefore: batch.blocks[0]!.treeSizes,
        blocks: await pool.scan({ ...batch, planted: planted.filter((one) => isIn(batch, one)) }, keys),
      }));
    } finally {
      pool.forget?.(keys);
      await chain.closeRange({ rangeId });
    }
  };

const isIn = ({ blocks }: BlockBatch, { height }: PlantedOutput): boolean =>
  height >= blocks[0]!.height && height <= blocks.at(-1)!.height;

async function* batchesOf(chain: ChainService, rangeId: number): AsyncGenerator<BlockBatch, void, void> {
  for (;;) {
    const batch = await chain.nextBatch({ rangeId });
    if (batch === null || batch.blocks.length === 0) return;
    yield batch;
  }
}
