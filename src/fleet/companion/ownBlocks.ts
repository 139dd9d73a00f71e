// Blocks that the companion reads from its own chain side: the last one of each job, to check the worker's answer, and
// those in which a worker reports opened outputs. One range after the other, since the chain side keeps few open at
// once.

import type { BlockBatch, BlockRef, ScannedBlock } from '@wallet-companion/shielded/scan';
import type { ChainService, Upstream } from '../../actors/chain/ports/types.ts';
import type { ScanKeys, ScanPool } from '../../actors/wallet/ports/scanPool.ts';
import { SerialQueue } from '../../async/serialQueue.ts';
import type { Heights } from './jobPlan.ts';

export type BlockRanges = Pick<ChainService, 'openRange' | 'nextBatch' | 'closeRange'>;

export class OwnBlocks {
  readonly #chain: BlockRanges;
  readonly #upstream: Upstream;
  readonly #reading = new SerialQueue();

  constructor(chain: BlockRanges, upstream: Upstream) {
    this.#chain = chain;
    this.#upstream = upstream;
  }

  /** The chain side's identity of one block; undefined where it has none. */
  async refOf(height: number): Promise<BlockRef | undefined> {
    const batches = await this.#read({ start: height, end: height });
    return batches[0]?.blocks[0];
  }

  /** The blocks, scanned here. */
  async scan(heights: Heights, pool: ScanPool, keys: ScanKeys): Promise<ScannedBlock[]> {
    const batches = await this.#read(heights);
    const scanned = await Promise.all(batches.map((batch) => pool.scan(batch, keys)));
    return scanned.flat();
  }

  #read(heights: Heights): Promise<BlockBatch[]> {
    return this.#reading.run(async () => {
      const { rangeId } = await this.#chain.openRange({ ...this.#upstream, ...heights });
      try {
        const batches: BlockBatch[] = [];
        for (;;) {
          const batch = await this.#chain.nextBatch({ rangeId });
          if (batch === null || batch.blocks.length === 0) return batches;
          batches.push(batch);
        }
      } finally {
        await this.#chain.closeRange({ rangeId });
      }
    });
  }
}
