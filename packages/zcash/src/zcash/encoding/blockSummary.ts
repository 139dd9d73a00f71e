// The chain actor's summary of every block: its identity, its parent, and how many leaves it adds to each tree. The
// whole block is walked but only the header is hashed: no txids, digests or curve points.

import { FormatError } from '@wallet-companion/base/bytes';
import type { Height } from '@wallet-companion/base/values';
import { asBlockHash, type BlockHash } from '../identifiers.ts';
import { ACTION_POOLS, type Pool, type TreeSizes } from '../pools.ts';
import { EMPTY_TREES } from '../treeSizes.ts';
import { walkBlock } from './block.ts';
import { coinbaseHeight } from './coinbaseHeight.ts';
import { checkedHeight, decodeChainMetadata } from './compactBlock.ts';
import { type CompactItemSink, walkCompactTransaction } from './compactItems.ts';
import { ProtobufReader } from './protobuf.ts';

export interface BlockSummary {
  readonly hash: BlockHash;
  readonly prevHash: BlockHash;
  /** Seconds since 1970. */
  readonly time: number;
  readonly height: Height;
  /** Outputs and actions: the leaves added to each tree. */
  readonly counts: TreeSizes;
  /** Transactions in the block (raw) or listed in the message (compact). */
  readonly txCount: number;
}

export interface CompactBlockSummary extends BlockSummary {
  /** Tree sizes after the block; undefined when the server sends none. */
  readonly chainMetadata: TreeSizes | undefined;
}

/** Walks a full block; FormatError when anything in it is malformed. */
export function summarizeRawBlock(bytes: Uint8Array): BlockSummary {
  const counts: Record<Pool, number> = { ...EMPTY_TREES };
  let txCount = 0;
  let height = 0;
  const header = walkBlock(bytes, (transaction, index) => {
    if (index === 0) height = coinbaseHeight(transaction);
    counts.sapling += transaction.sapling.outputs.count;
    for (const pool of ACTION_POOLS) counts[pool] += transaction[pool].actions.count;
    txCount++;
  });
  const { hash, prevHash, time } = header;
  return { hash, prevHash, time, height, counts, txCount };
}

/** Walks a CompactBlock message down to the last item; FormatError when anything in it is malformed. */
export function summarizeCompactBlock(bytes: Uint8Array): CompactBlockSummary {
  const reader = new ProtobufReader(bytes);
  const counter = new LeafCounter();
  let height = 0;
  let hash: BlockHash | undefined;
  let prevHash = asBlockHash(new Uint8Array(32));
  let time = 0;
  let txCount = 0;
  let chainMetadata: TreeSizes | undefined;
  for (let field = reader.next(); field !== 0; field = reader.next()) {
    if (field === 2) height = checkedHeight(reader.uint());
    else if (field === 3) hash = asBlockHash(reader.fixedBytes(32, 'block hash'));
    else if (field === 4) prevHash = asBlockHash(reader.fixedBytes(32, 'previous block hash'));
    else if (field === 5) time = reader.uint32();
    else if (field === 8) chainMetadata = decodeChainMetadata(reader.bytes(), chainMetadata);
    else if (field === 7) {
      walkCompactTransaction(reader, bytes, counter);
      txCount++;
    } else reader.skipValue();
  }
  if (!hash) throw new FormatError('a compact block without a hash');
  const { counts } = counter;
  return { hash, prevHash, time, height, counts, txCount, chainMetadata };
}

class LeafCounter implements CompactItemSink {
  readonly counts: Record<Pool, number> = { ...EMPTY_TREES };

  addSaplingSpend(): void {
    // Spends add no leaf.
  }

  addOutput(pool: Pool): void {
    this.counts[pool]++;
  }
}
