// Tree sizes before the first compact block of a range: from the sizes that the block carries, which old servers leave
// out, else from what was scanned before it, the server's tree state or other stored blocks. Never guessed: a wrong
// size would hide spends.

import { queueOf } from '@wallet-companion/base/async';
import { equalBytes } from '@wallet-companion/base/bytes';
import { CompanionError } from '@wallet-companion/client/contract';
import type { CompactBlockSummary } from '@wallet-companion/zcash/blocks';
import type { TreeSizes } from '@wallet-companion/zcash/pools';
import { EMPTY_TREES, equalSizes, leafCount } from '@wallet-companion/zcash/trees';
import type { CompactStore } from '../ports/compactStore.ts';
import type { ScannedBefore } from '../ports/types.ts';
import { carriedSizes, removeLeaves } from '../source/treeSizes.ts';
import type { CompactClient } from './compactClient.ts';
import { badAnswer, isAway, unfitBlocks } from './compactFailure.ts';
import { giverOf } from './storedBlock.ts';
import { storedTreeSizesBefore } from './storedTreeSizes.ts';

/** The possible sources of the sizes. */
export interface SizeWitnesses {
  readonly server: CompactClient;
  /** The server is away, so it is asked last. */
  readonly offline: boolean;
  readonly store: CompactStore;
  readonly before: ScannedBefore | undefined;
  readonly saplingActivation: number;
}

/** `running`: sizes after the block before, undefined for the first of a range. */
export async function compactTreeSizesBefore(
  witnesses: SizeWitnesses,
  block: CompactBlockSummary,
  running: TreeSizes | undefined,
  signal: AbortSignal,
): Promise<TreeSizes> {
  const after = carriedSizes(block);
  const derived = after && removeLeaves(after, block.counts);
  const counted = running ?? scannedSizes(witnesses.before, block);
  if (counted !== undefined) {
    if (derived === undefined || equalSizes(derived, counted)) return counted;
    throw unfitBlocks(
      giverOf(witnesses.store, block.height),
      `gave tree sizes in block ${block.height} that do not fit the blocks before it; use another server, or rescan if others say the same`,
    );
  }
  const known = derived ?? (await fromElsewhere(witnesses, block, signal));
  if (known !== undefined) return known;
  throw badAnswer(
    witnesses.server.host,
    `does not tell the note commitment tree sizes before block ${block.height}, and stored blocks do not either; scan from the node, or use a newer server with another compact store`,
  );
}

/** Sizes from the scanned block right before this one. */
export const scannedSizes = (
  before: ScannedBefore | undefined,
  { prevHash }: Pick<CompactBlockSummary, 'prevHash'>,
): TreeSizes | undefined =>
  before !== undefined && equalBytes(before.hash, prevHash) ? before.treeSizes : undefined;

async function fromElsewhere(
  { server, offline, store, saplingActivation }: SizeWitnesses,
  block: CompactBlockSummary,
  signal: AbortSignal,
): Promise<TreeSizes | undefined> {
  const { height, hash, prevHash, chainMetadata, counts } = block;
  if (height <= saplingActivation) return EMPTY_TREES;
  const ofStore = () =>
    queueOf(store).run(async () => {
      const stored = store.hashAt(height);
      if (stored === undefined || !equalBytes(stored, hash)) return undefined;
      return storedTreeSizesBefore(store, height, saplingActivation, signal);
    });
  const ofServer = async () => (await server.treeSizesAfter(height - 1, prevHash)) ?? undefined;
  let away: CompanionError | undefined;
  for (const ask of offline ? [ofStore, ofServer] : [ofServer, ofStore]) {
    try {
      const reported = await ask();
      if (reported !== undefined) return reported;
    } catch (error) {
      if (!isAway(error)) throw error;
      away = error;
    }
  }
  // Nothing contradicts sizes of 0, as on a young chain.
  if (chainMetadata !== undefined && leafCount(counts) === 0) return EMPTY_TREES;
  if (away === undefined) return undefined;
  throw new CompanionError(
    away.code,
    `${away.message} Without it block ${height} cannot be scanned from the store, where nothing tells the note commitment tree sizes before it; scan from the node, or sync when the server is back.`,
  );
}
