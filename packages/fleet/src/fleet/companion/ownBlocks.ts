// Blocks that the companion reads from its own chain side: the last one of each job, to check the worker's answer, those in
// which a worker reports opened outputs, and all of a job that no two workers agree on. One range after the other, since
// the chain side keeps few open at once.

import type { TreeSizes } from '@wallet-companion/zcash/pools';
import type { BlockBatch, BlockRef, ScanKeys, ScannedBlock } from '@wallet-companion/zcash/scan';
import type { Heights, LocalPool, OwnChain } from '../ports/blocks.ts';

export interface OwnScan {
  readonly sizesBefore: TreeSizes;
  readonly blocks: readonly ScannedBlock[];
}

export class OwnBlocks {
  readonly #chain: OwnChain;
  /** When the last read ends, but not what it read: batches would stay in memory. */
  #lastEnded: Promise<void> = Promise.resolve();

  constructor(chain: OwnChain) {
    this.#chain = chain;
  }

  /** The chain side's identity of one block; undefined where it has none. */
  async refOf(height: number): Promise<BlockRef | undefined> {
    const batches = await this.#read({ start: height, end: height });
    return batches[0]?.blocks[0];
  }

  /** The blocks, scanned here. */
  async scan(heights: Heights, pool: LocalPool, keys: ScanKeys): Promise<readonly ScannedBlock[]> {
    return (await this.scanFrom(heights, pool, keys))?.blocks ?? [];
  }

  /** With the sizes of the trees before them; undefined where the chain side has none of them. */
  async scanFrom(heights: Heights, pool: LocalPool, keys: ScanKeys): Promise<OwnScan | undefined> {
    const batches = await this.#read(heights);
    const sizesBefore = batches[0]?.blocks[0]?.treeSizes;
    const scanned = await Promise.all(batches.map((batch) => pool.scan(batch, keys)));
    return sizesBefore && { sizesBefore, blocks: scanned.flat() };
  }

  #read(heights: Heights): Promise<BlockBatch[]> {
    const turn = this.#lastEnded.then(() => this.#batches(heights));
    this.#lastEnded = turn.then(ended, ended);
    return turn;
  }

  async #batches(heights: Heights): Promise<BlockBatch[]> {
    const { rangeId } = await this.#chain.openRange(heights);
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
  }
}

const ended = (): void => undefined;
