// What a compact server swapped is read again from the node before a payment fails for it: even an output between strangers,
// which no check of compact blocks sees, breaks the paths of all notes of its subtree. Without a node nothing is read, and the
// error names the blocks and where they come from.

import type { Height } from '@wallet-companion/base/values';
import { POOL } from '@wallet-companion/zcash/pools';
import { CompanionError, ERRORS } from '../../../protocol/errors.ts';
import { MAX_BLOCKS_PER_SYNC } from '../../../protocol/syncRange.ts';
import type { HeightRange } from '../ports/noteDatabase.ts';
import { falseStretch, type LeafChecking, READ_AT_ONCE } from './falseLeaves.ts';
import { WitnessMismatch } from './witnessFailures.ts';

/** Each time twice as many blocks are read: some 10,000 in all. */
const MOST_ROUNDS = 12;

export interface LeafMending {
  /** Scans the blocks once more, from the node: full blocks replace what a compact server gave. */
  readonly readAgain: (range: HeightRange) => Promise<void>;
  /** The address of the present one. */
  readonly compactServer: () => string;
}

/** Returns where the leaves are the chain's now. Throws `mismatch` where they are not the fault, or stay false. */
export async function mendLeaves(
  { readAgain, compactServer }: LeafMending,
  source: LeafChecking,
  anchorHeight: Height,
  mismatch: WitnessMismatch,
): Promise<void> {
  const fromNode: LeafChecking = { ...source, upstream: { source: 'node' }, mayUseKept: false };
  let readTo = -1;
  try {
    for (let round = 0; round < MOST_ROUNDS; round++) {
      const found = await falseStretch(fromNode, anchorHeight, 'asking');
      source.requireOpen();
      if (found === undefined && readTo >= 0) return;
      // The node's own blocks do not fit its trees.
      if (found === undefined || found.end <= readTo) break;
      const start = Math.max(found.start, readTo + 1);
      const blocks = Math.min(MAX_BLOCKS_PER_SYNC, READ_AT_ONCE << round);
      readTo = Math.min(start + blocks - 1, anchorHeight);
      await readAgain({ start, end: readTo });
      source.requireOpen();
    }
  } catch (error) {
    const isNodes =
      error instanceof CompanionError && ERRORS[error.code].exit === ERRORS.NODE_UNREACHABLE.exit;
    if (!isNodes || source.upstream.source === 'node') throw error;
    throw (await unreadable(source, anchorHeight, compactServer())) ?? mismatch;
  }
  throw mismatch;
}

/** Undefined where a node gave the blocks that do not fit. */
async function unreadable(
  source: LeafChecking,
  anchorHeight: Height,
  compactServer: string,
): Promise<WitnessMismatch | undefined> {
  const found = await falseStretch(source, anchorHeight, 'kept');
  if (found === undefined) return undefined;
  let { start, end } = found;
  while (start <= end && source.noteStore.isVerified(start)) start++;
  while (start <= end && source.noteStore.isVerified(end)) end--;
  if (start > end) return undefined;
  return new WitnessMismatch(
    'WITNESS_MISMATCH',
    `Among the outputs of blocks ${start} to ${end} is one that does not fit the ${POOL[found.pool].name} tree, so no path was handed out. They rest on the word of a compact server alone (now ${compactServer}). Set a node (config node-url) and try again: the blocks are then read from it. Without one, set another compact server, rescan (POST /api/wallet/rescan with from_height ${start}) and sync.`,
  );
}
