// Packs consecutive blocks back to back into transferable buffers, the unit of one scan task.

import type { BlockSummary } from '../../../shielded/encoding/blockSummary.ts';
import { copyOf } from '../../../shielded/identifiers.ts';
import type { TreeSizes } from '../../../shielded/pools.ts';
import type { BlockBatch, BlockRef } from '../../../shielded/scan/types.ts';
import { leafCount } from '../../../shielded/treeSizes.ts';

/**
 * A batch ends at whichever comes first. Blocks: how long the scan waits for blocks that come one by one. Bytes: what crosses threads at once
 * and waits in memory. Outputs: a few times the kernel's best batch, some 10 to 50 ms of work, so that stopping is
 * quick and the pool stays evenly busy.
 */
export const BATCH_LIMITS = { blocks: 64, bytes: 4 * 2 ** 20, outputs: 4096 } as const;

export interface BatchLimits {
  readonly blocks: number;
  readonly bytes: number;
  readonly outputs: number;
}

interface PendingBlock {
  readonly bytes: Uint8Array;
  readonly ref: BlockRef;
}

export class BlockPacker {
  readonly #format: BlockBatch['format'];
  readonly #limits: BatchLimits;
  #pending: PendingBlock[] = [];
  #bytes = 0;
  #outputs = 0;

  constructor(format: BlockBatch['format'], limits: BatchLimits = BATCH_LIMITS) {
    this.#format = format;
    this.#limits = limits;
  }

  /** Adds one block; returns the batch that had to end before it, if any. Sizes are those before the block. */
  add(bytes: Uint8Array, summary: BlockSummary, treeSizes: TreeSizes): BlockBatch | null {
    const outputCount = leafCount(summary.counts);
    const ended = this.#fits(bytes.length, outputCount) ? null : this.take();
    this.#pending.push({
      bytes,
      ref: {
        height: summary.height,
        // Copies: a view would drag its whole buffer through the structured clone.
        hash: copyOf(summary.hash),
        prevHash: copyOf(summary.prevHash),
        offset: this.#bytes,
        length: bytes.length,
        treeSizes,
        outputCount,
      },
    });
    this.#bytes += bytes.length;
    this.#outputs += outputCount;
    return ended;
  }

  /** What is pending as one batch, null when there is nothing. */
  take(): BlockBatch | null {
    if (this.#pending.length === 0) return null;
    const packed = Buffer.allocUnsafeSlow(this.#bytes);
    for (const { bytes, ref } of this.#pending) packed.set(bytes, ref.offset);
    const blocks = this.#pending.map(({ ref }) => ref);
    this.#pending = [];
    this.#bytes = 0;
    this.#outputs = 0;
    return { format: this.#format, buffer: packed.buffer, blocks };
  }

  #fits(bytes: number, outputs: number): boolean {
    if (this.#pending.length === 0) return true;
    return (
      this.#pending.length < this.#limits.blocks &&
      this.#bytes + bytes <= this.#limits.bytes &&
      this.#outputs + outputs <= this.#limits.outputs
    );
  }
}
