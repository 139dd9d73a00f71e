// A full block as a peer gave it, held against what is known of it: the hash and height of its header on the chain of most work.
// Whatever is wrong with it is its sender's fault.

import { equalBytes, FormatError } from '@wallet-companion/base/bytes';
import type { Height } from '@wallet-companion/base/values';
import { type Block, checkMerkleRoot, parseBlock, summarizeRawBlock } from '@wallet-companion/zcash/blocks';
import type { BlockHash, TxId } from '@wallet-companion/zcash/identifiers';
import type { ActivationHeights } from '@wallet-companion/zcash/network';
import { authDigest, txid } from '@wallet-companion/zcash/transactions';
import { authDataRoot, isCommitted } from '@wallet-companion/zcash/work';
import type { FullBlock } from '../source/fullBlockPacking.ts';

/** A place on the chain of most work. */
export interface WantedBlock {
  readonly height: Height;
  readonly hash: BlockHash;
}

/** One that was held against its header. */
export interface CheckedBlock extends FullBlock {
  readonly txids: readonly TxId[];
}

/** What the blocks before have, which the header commits to as well; proofs and signatures can be checked only with it. */
export interface KnownBefore {
  readonly activation: ActivationHeights;
  /** `HistoryTree.root` over them. */
  readonly history: Uint8Array | undefined;
  /** The root of the Sapling tree after the block. */
  readonly saplingRoot: Uint8Array;
}

/**
 * Everything that a wallet reads is under the txids, and so under the merkle root: notes, nullifiers, memos, values. Throws
 * `FormatError` with the reason.
 */
export function checkedBlock(
  bytes: Uint8Array,
  { height, hash }: WantedBlock,
  before?: KnownBefore,
): CheckedBlock {
  const block = parseBlock(bytes);
  if (!equalBytes(block.header.hash, hash)) throw new FormatError(`it is another block than block ${height}`);
  const txids = block.transactions.map((one) => txid(one));
  checkMerkleRoot(txids, block.header.merkleRoot, height);
  const summary = summarizeRawBlock(bytes);
  if (summary.height !== height)
    throw new FormatError(`block ${height} says of itself that it is block ${summary.height}`);
  if (before !== undefined && !isCommittedTo(block, height, before))
    throw new FormatError(`block ${height} has other proofs, signatures or trees than its header commits to`);
  return { bytes, summary, txids };
}

function isCommittedTo(
  { header, transactions }: Block,
  height: Height,
  { activation, history, saplingRoot }: KnownBefore,
): boolean {
  const authData = authDataRoot(transactions.map(authDigest));
  return isCommitted(activation, { height, header, history, saplingRoot, authData });
}
