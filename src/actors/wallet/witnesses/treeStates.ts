// Tree states at rounded heights. They are kept during scans, one request every few thousand blocks; a missing one is
// fetched at the same rounded heights, so that the server never learns which block matters to the wallet.

import { equalBytes, FormatError } from '@wallet-companion/base/bytes';
import type { Height } from '@wallet-companion/base/values';
import type { BlockTreeStates, ChainService, Upstream } from '@wallet-companion/chain/ports';
import { type PerPool, POOLS, type Pool } from '@wallet-companion/zcash/pools';
import { EMPTY_TREE_STATE, readTreeState, type TreeState } from '@wallet-companion/zcash/trees';
import type { NoteStore } from '../noteStore/noteStore.ts';
import type { WitnessPart } from '../ports/witnessPart.ts';
import { hasTrees, keptTrees, lastAnchorHeight, lastAnchorTrees, treesPart } from './keptParts.ts';
import { badAnswer, chainMoved } from './witnessFailures.ts';

/** A multiple of the spacing at which block hashes stay known for good. */
export const TREE_STATE_SPACING = 5_000;

/** The highest rounded height that is not above. */
export const roundDown = (height: Height): number =>
  Math.floor(height / TREE_STATE_SPACING) * TREE_STATE_SPACING;

/** Where tree states come from, and where they are kept. */
export interface TreeStateSource {
  readonly chain: Pick<ChainService, 'treeStates'>;
  readonly noteStore: NoteStore;
  readonly upstream: Upstream;
  readonly saplingActivation: Height;
  /** If false, everything is fetched: a kept part has not proved right. */
  readonly mayUseKept: boolean;
  /** For parts that could not be kept. */
  readonly logFault: (where: string, fault: unknown) => void;
}

/** A state of the pool's tree to continue from, and its block. */
export interface StateBefore {
  readonly height: Height;
  readonly state: TreeState;
}

/**
 * States up to `height` to continue from, the highest first, without a request. The empty tree is the last one: the subtree
 * with all its leaves needs nothing before it.
 */
export function* keptStatesBefore(
  source: TreeStateSource,
  height: Height,
  pool: Pool,
): IterableIterator<StateBefore> {
  const rounded = roundDown(height);
  const last = anchorState(source, pool);
  if (last !== undefined && last.height <= height && last.height > rounded) yield last;
  const state = keptStateAt(source, rounded, pool);
  if (state !== undefined) yield { height: rounded, state };
  yield { height: 0, state: EMPTY_TREE_STATE };
}

/** The state of the highest block up to `height` that is kept or may be requested. */
export async function stateBefore(source: TreeStateSource, height: Height, pool: Pool): Promise<StateBefore> {
  const rounded = roundDown(height);
  const last = anchorState(source, pool);
  if (last !== undefined && last.height <= height && last.height > rounded) return last;
  return { height: rounded, state: await stateAt(source, rounded, pool) };
}

function anchorState(
  { noteStore, mayUseKept, upstream }: TreeStateSource,
  pool: Pool,
): StateBefore | undefined {
  const height = mayUseKept ? lastAnchorHeight(noteStore) : undefined;
  const block = height === undefined ? undefined : noteStore.block(height);
  const trees = block && lastAnchorTrees(noteStore, block.hash);
  return trees && { height: block.height, state: parseTreeState(upstream, block.height, trees[pool]) };
}

/** Kept, or requested: call it with no height that only a note gives. */
export async function stateAt(source: TreeStateSource, height: Height, pool: Pool): Promise<TreeState> {
  const kept = keptStateAt(source, height, pool);
  return kept ?? parseTreeState(source.upstream, height, (await fetchedTrees(source, height))[pool]);
}

export function keptStateAt(
  { noteStore, upstream, saplingActivation, mayUseKept }: TreeStateSource,
  height: Height,
  pool: Pool,
): TreeState | undefined {
  if (height < saplingActivation) return EMPTY_TREE_STATE;
  const kept = mayUseKept ? keptTrees(noteStore, height, noteStore.block(height)?.hash) : undefined;
  return kept && parseTreeState(upstream, height, kept[pool]);
}

/** Keeps the states of the heights that are not kept yet. */
export async function keepRounded(source: TreeStateSource, start: Height, end: Height): Promise<void> {
  const first = roundDown(start + TREE_STATE_SPACING - 1);
  for (let height = first; height <= end; height += TREE_STATE_SPACING) {
    await keepState(source, height);
  }
}

/** Keeps the state after the block, if it is not kept yet. */
export async function keepState(source: TreeStateSource, height: Height): Promise<void> {
  if (height >= source.saplingActivation && !hasTrees(source.noteStore, height))
    await fetchedTrees(source, height);
}

/** A failure only costs time later. */
export function keepParts(
  { noteStore, logFault }: Pick<TreeStateSource, 'noteStore' | 'logFault'>,
  parts: readonly WitnessPart[],
): void {
  try {
    if (parts.length > 0) noteStore.keepWitnessParts(parts);
  } catch (error) {
    logFault('witness.keep', error);
  }
}

/** Checked against what was scanned, and kept. */
async function fetchedTrees(source: TreeStateSource, height: Height): Promise<PerPool<Uint8Array>> {
  const { hash, states } = await checkedTrees(source, height);
  keepParts(source, [treesPart({ height, hash, states })]);
  return states;
}

/** The server's states of the block that was scanned at this height, with the sizes that were counted. */
export async function checkedTrees(
  { chain, noteStore, upstream }: TreeStateSource,
  height: Height,
): Promise<BlockTreeStates> {
  const reported = await chain.treeStates({ ...upstream, height });
  if (reported === null) throw chainMoved(upstream.source, height);
  const block = noteStore.block(height);
  if (block === undefined) return reported;
  if (!equalBytes(reported.hash, block.hash)) throw chainMoved(upstream.source, height);
  for (const pool of POOLS) {
    if (parseTreeState(upstream, height, reported.states[pool]).size === block.treeSizes[pool]) continue;
    throw badAnswer(
      upstream.source,
      `The trees after block ${height} are of other sizes than those that were counted by scanning. Use another node or server; rescan if others say the same.`,
    );
  }
  return reported;
}

export function parseTreeState({ source }: Upstream, height: Height, state: Uint8Array): TreeState {
  try {
    return readTreeState(state);
  } catch (error) {
    if (!(error instanceof FormatError)) throw error;
    throw badAnswer(source, `The tree state after block ${height} is malformed. Use another node or server.`);
  }
}
