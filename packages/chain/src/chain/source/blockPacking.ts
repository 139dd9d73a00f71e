// Packs consecutive blocks back to back into transferable buffers, the unit of one scan task.

import { prefetch } from '@wallet-companion/base/async';
import { CompanionError } from '@wallet-companion/client/contract';
import type { BlockSummary } from '@wallet-companion/zcash/blocks';
import { asBlockHash, type BlockHash } from '@wallet-companion/zcash/identifiers';
import type { TreeSizes } from '@wallet-companion/zcash/pools';
import type { BlockBatch, BlockRef } from '@wallet-companion/zcash/scan';
import { leafCount } from '@wallet-companion/zcash/trees';
import type { BlockStream } from '../ports/chainSource.ts';

/**
 * A batch ends at whichever comes first. Blocks: how long the scan waits for blocks that come one by one. Bytes: what crosses
 * threads at once and waits in memory. Outputs: a few times the kernel's best batch, some 10 to 50 ms of work, so that stopping
 * is quick and the pool stays evenly busy.
 */
export const BATCH_LIMITS = { blocks: 64, bytes: 4 * 2 ** 20, outputs: 4096 } as const;

const HASH_SIZE = 32;

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
        hash: summary.hash,
        prevHash: summary.prevHash,
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

  /** The pending blocks as one batch, null when there are none. */
  take(): BlockBatch | null {
    if (this.#pending.length === 0) return null;
    const packed = Buffer.allocUnsafeSlow(this.#bytes);
    for (const { bytes, ref } of this.#pending) packed.set(bytes, ref.offset);
    const blocks = withHashesTogether(this.#pending.map(({ ref }) => ref));
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

/** Views of one common buffer: in the structured clone each buffer costs as much as the rest of a block. */
function withHashesTogether(refs: readonly BlockRef[]): BlockRef[] {
  const hashes = new Uint8Array(2 * HASH_SIZE * refs.length);
  let used = 0;
  const placed = (hash: BlockHash): BlockHash => {
    hashes.set(hash, used);
    used += HASH_SIZE;
    return asBlockHash(hashes.subarray(used - HASH_SIZE, used));
  };
  return refs.map((ref) => ({ ...ref, hash: placed(ref.hash), prevHash: placed(ref.prevHash) }));
}

// A range of blocks as both sources open it: packed ahead of the scan, and no wait continues after it is closed.

/** Batches packed ahead of the scan (at most 4 MiB each). */
const BATCHES_AHEAD = 2;

export function openBatchStream(batches: (signal: AbortSignal) => AsyncIterable<BlockBatch>): BlockStream {
  const abort = new AbortController();
  return prefetch(batches(abort.signal), {
    capacity: BATCHES_AHEAD,
    onClose: () => abort.abort(new CompanionError('BUSY', 'The block range was closed.')),
  });
}
