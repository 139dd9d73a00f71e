// Packs blocks into batches as the chain side does, and adds up what a scan found as the wallet side does.
import { bytesToHex, concatBytes } from '@wallet-companion/base/bytes';
import { summarizeCompactBlock, summarizeRawBlock } from '../../src/zcash/encoding/blockSummary.ts';
import type { Pool, TreeSizes } from '../../src/zcash/pools.ts';
import { perPool } from '../../src/zcash/pools.ts';
import type { BlockBatch, BlockRef, ScannedBlock } from '../../src/zcash/scan/types.ts';
import { addLeaves, leafCount } from '../../src/zcash/treeSizes.ts';

/** One batch of consecutive blocks; `before`: tree sizes before the first one. */
export function packBatch(
  format: 'raw' | 'compact',
  blocks: readonly Uint8Array[],
  before: TreeSizes,
): BlockBatch {
  let offset = 0;
  let treeSizes = before;
  const refs: BlockRef[] = blocks.map((block) => {
    const { hash, prevHash, height, counts } =
      format === 'raw' ? summarizeRawBlock(block) : summarizeCompactBlock(block);
    const ref: BlockRef = {
      height,
      hash,
      prevHash,
      offset,
      length: block.length,
      treeSizes,
      outputCount: leafCount(counts),
    };
    offset += block.length;
    treeSizes = addLeaves(treeSizes, counts);
    return ref;
  });
  return { format, buffer: concatBytes(...blocks).buffer as ArrayBuffer, blocks: refs };
}

export interface Spend {
  readonly height: number;
  /** Wire order. */
  readonly txid: Uint8Array;
}

/** Every revealed nullifier, keyed `pool:hex`. */
export function spendsOf(blocks: readonly ScannedBlock[]): Map<string, Spend> {
  const spends = new Map<string, Spend>();
  for (const { height, nullifiers } of blocks) {
    for (const { pool, txid, nullifiers: packed } of nullifiers) {
      for (let offset = 0; offset < packed.length; offset += 32) {
        spends.set(`${pool}:${bytesToHex(packed.subarray(offset, offset + 32))}`, { height, txid });
      }
    }
  }
  return spends;
}

/** Unspent notes of one account after the block at `height`, in zatoshi. */
export function balanceAfter(
  blocks: readonly ScannedBlock[],
  height: number,
  account: number,
): Record<Pool, number> & { unspentNotes: number } {
  const seen = blocks.filter((block) => block.height <= height);
  const spends = spendsOf(seen);
  const balance = { ...perPool(() => 0), unspentNotes: 0 };
  for (const note of seen.flatMap((block) => block.notes)) {
    if (note.account !== account || spends.has(`${note.pool}:${bytesToHex(note.nullifier!)}`)) continue;
    balance[note.pool] += note.value;
    balance.unspentNotes++;
  }
  return balance;
}
