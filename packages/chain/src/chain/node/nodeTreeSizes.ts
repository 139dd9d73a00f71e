// Tree sizes before a block, from the data that the node offers: Sapling note positions (and so nullifiers) count from
// there. Never guessed, and never different from those that an earlier scan of the block before has counted: a wrong
// size would hide spends.

import { equalBytes } from '@wallet-companion/base/bytes';
import type { Height } from '@wallet-companion/base/values';
import { CompanionError } from '@wallet-companion/client/contract';
import type { BlockSummary } from '@wallet-companion/zcash/blocks';
import type { BlockHash } from '@wallet-companion/zcash/identifiers';
import type { TreeSizes } from '@wallet-companion/zcash/pools';
import { EMPTY_TREES, equalSizes } from '@wallet-companion/zcash/trees';
import type { ScannedBefore } from '../ports/types.ts';
import { removeLeaves } from '../source/treeSizes.ts';
import type { NodeRpc, NodeTreeSizes } from './nodeRpc.ts';

/** `scanned`: the block before, as scanned earlier; also the result for a node that reports nothing. */
export async function nodeTreeSizesBefore(
  rpc: NodeRpc,
  first: BlockSummary,
  scanned: ScannedBefore | undefined,
  saplingActivation: number,
  signal: AbortSignal,
): Promise<TreeSizes> {
  if (first.height <= saplingActivation) return EMPTY_TREES;
  const reported = await reportedSizesBefore(rpc, first, signal);
  const counted =
    scanned !== undefined && equalBytes(scanned.hash, first.prevHash) ? scanned.treeSizes : undefined;
  if (reported !== undefined && counted !== undefined && !equalSizes(reported, counted)) {
    throw new CompanionError(
      'NODE_BAD_RESPONSE',
      `The chain node at ${rpc.host} tells other note commitment tree sizes before block ${first.height} than were counted up to there. Use another node; if others say the same, rescan.`,
    );
  }
  const known = reported ?? counted;
  if (known !== undefined) return known;
  throw new CompanionError(
    'NODE_BAD_RESPONSE',
    `The chain node at ${rpc.host} does not tell the note commitment tree sizes before block ${first.height}.`,
  );
}

/**
 * Requested for the block before, then derived from the block itself; for each by `getblock` first, which costs the
 * node less than `z_gettreestate`. Answers for a block of another branch are skipped.
 */
async function reportedSizesBefore(
  rpc: NodeRpc,
  first: BlockSummary,
  signal: AbortSignal,
): Promise<TreeSizes | undefined> {
  const before = await sizesAfter(rpc, first.height - 1, first.prevHash, signal);
  if (before !== undefined) return before;
  const after = await sizesAfter(rpc, first.height, first.hash, signal);
  return after === undefined ? undefined : removeLeaves(after, first.counts);
}

async function sizesAfter(
  rpc: NodeRpc,
  height: Height,
  hash: BlockHash,
  signal: AbortSignal,
): Promise<TreeSizes | undefined> {
  const ofThisBlock = (answer: NodeTreeSizes | null): answer is NodeTreeSizes =>
    answer !== null && (answer.hash === undefined || equalBytes(answer.hash, hash));
  const summary = await rpc.blockTreeSizes(height, signal);
  if (ofThisBlock(summary)) return summary.sizes;
  const state = await rpc.treeStateSizes(height, signal);
  return ofThisBlock(state) ? state.sizes : undefined;
}
