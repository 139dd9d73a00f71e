// The chain data of scanned blocks in one buffer: in a message between threads with a thousand small arrays, the arrays
// are most of the cost. Code that keeps a part for longer copies it, or the whole stays in memory.

import { perPool } from '@wallet-companion/zcash/pools';
import type { FoundNote, ScannedBlock, TxNullifiers } from '@wallet-companion/zcash/scan';

export interface PackedBlocks {
  readonly blocks: ScannedBlock[];
  /** Hashes, leaves, ids and nullifiers are views of it, memos and outputs are not. */
  readonly buffer: ArrayBuffer;
}

export function packBlocks(blocks: readonly ScannedBlock[]): PackedBlocks {
  let size = 0;
  const count = <T extends Uint8Array>(part: T): T => {
    size += part.length;
    return part;
  };
  for (const block of blocks) withParts(block, count);
  const packed = new Uint8Array(size);
  let used = 0;
  const take = <T extends Uint8Array>(part: T): T => {
    packed.set(part, used);
    used += part.length;
    return packed.subarray(used - part.length, used) as Uint8Array as T;
  };
  return { blocks: blocks.map((block) => withParts(block, take)), buffer: packed.buffer };
}

type Each = <T extends Uint8Array>(part: T) => T;

const withParts = ({ leaves, ...block }: ScannedBlock, each: Each): ScannedBlock => ({
  ...block,
  hash: each(block.hash),
  prevHash: each(block.prevHash),
  ...(leaves && { leaves: perPool((pool) => each(leaves[pool])) }),
  notes: block.notes.map(
    (note): FoundNote => ({
      ...note,
      txid: each(note.txid),
      nullifier: note.nullifier && each(note.nullifier),
      diversifier: each(note.diversifier),
    }),
  ),
  nullifiers: block.nullifiers.map(
    (revealed): TxNullifiers => ({
      ...revealed,
      txid: each(revealed.txid),
      nullifiers: each(revealed.nullifiers),
    }),
  ),
});
