// Finds blocks whose kept leaves are not the chain's, by halving: a compact block proves none of its outputs, and one false leaf
// anywhere in a subtree breaks every path in it. All kept leaves of all pools are compared, so that what is asked depends neither
// on the notes that are spent nor on how many outputs are false.

import { equalBytes } from '@wallet-companion/base/bytes';
import type { Height } from '@wallet-companion/base/values';
import { POOLS, type Pool } from '@wallet-companion/zcash/pools';
import {
  climb,
  EMPTY_TREE_STATE,
  lastSubtree,
  NODE_BYTES,
  type PatientLevelHash,
  SUBTREE_HEIGHT,
  SUBTREE_LEAVES,
  type TreeState,
} from '@wallet-companion/zcash/trees';
import { endOf, keptLeaves, leafRuns } from '../noteStore/leaves/scannedLeaves.ts';
import type { ScanPool } from '../ports/scanPool.ts';
import { readAnchor } from './anchor.ts';
import { rowAfter, type WitnessSource } from './subtreePaths.ts';
import { fullSubtrees } from './subtreeRoots.ts';
import {
  checkedTrees,
  keptStateAt,
  parseTreeState,
  type StateBefore,
  stateAt,
  TREE_STATE_SPACING,
} from './treeStates.ts';

/** Blocks that are read at once rather than halved further. */
export const READ_AT_ONCE = 128;

export type LeafChecking = WitnessSource & { readonly pool: ScanPool };

/** A first false leaf of the pool is in a block from `start` to `end`. */
export interface FalseStretch {
  readonly pool: Pool;
  readonly start: Height;
  readonly end: Height;
}

/** `asking`: tree states of blocks between are requested. `kept`: those that scans have kept narrow it down. */
export async function falseStretch(
  source: LeafChecking,
  anchorHeight: Height,
  states: 'asking' | 'kept',
): Promise<FalseStretch | undefined> {
  const { noteStore } = source;
  const anchor = await readAnchor(source, anchorHeight);
  for (const pool of POOLS) {
    const full = Math.floor(anchor.trees[pool].state.size / SUBTREE_LEAVES);
    const roots = await fullSubtrees(source, pool, full, anchorHeight);
    for (const { first, subtree, after } of leafRuns(noteStore).filter((run) => run.pool === pool)) {
      const end = Math.min(anchor.trees[pool].state.size, endOf(subtree));
      const leaves = first < end ? keptLeaves(noteStore, pool, first, end) : undefined;
      if (leaves === undefined) continue;
      const begin = subtree * SUBTREE_LEAVES;
      const state = first === begin ? EMPTY_TREE_STATE : await stateAt(source, after, pool);
      if (first !== begin && state.size !== first) continue;
      const { root = anchor.trees[pool].last.nodes, endHeight = anchorHeight } = roots[subtree] ?? {};
      const run = new Run(anchor.trees[pool].hash, begin, { first, leaves }, { height: after, state });
      if (equalBytes(await run.rootAt(end), root)) continue;
      const { low, high } = await halved(
        source,
        run,
        pool,
        endHeight,
        states === 'asking' ? middle : keptMiddle(source, pool),
      );
      return { pool, start: low + 1, end: high };
    }
  }
  return undefined;
}

/** Blocks up to `low` have the chain's leaves, the one at `high` or one between has not. */
async function halved(
  source: LeafChecking,
  run: Run,
  pool: Pool,
  end: Height,
  between: (low: Height, high: Height) => Height | undefined,
): Promise<{ readonly low: Height; readonly high: Height }> {
  let high = end;
  for (;;) {
    const height = between(run.height, high);
    if (height === undefined) return { low: run.height, high };
    // Not kept: these heights are nobody else's.
    const state =
      keptStateAt(source, height, pool) ??
      parseTreeState(source.upstream, height, (await checkedTrees(source, height)).states[pool]);
    if (!(await run.agrees(height, state))) high = height;
  }
}

const middle = (low: Height, high: Height): Height | undefined =>
  high - low > READ_AT_ONCE ? Math.floor((low + high) / 2) : undefined;

const keptMiddle =
  (source: LeafChecking, pool: Pool) =>
  (low: Height, high: Height): Height | undefined => {
    const kept: Height[] = [];
    const lowest = (Math.floor(low / TREE_STATE_SPACING) + 1) * TREE_STATE_SPACING;
    for (let height = lowest; height < high; height += TREE_STATE_SPACING)
      if (keptStateAt(source, height, pool) !== undefined) kept.push(height);
    return kept[kept.length >> 1];
  };

/** The leaves of one subtree from `first` on. */
interface KeptRun {
  readonly first: number;
  readonly leaves: Uint8Array;
}

/** Kept leaves of one subtree, after a tree that has proved right. */
class Run {
  readonly #hash: PatientLevelHash;
  readonly #begin: number;
  readonly #kept: KeptRun;
  #right: StateBefore;

  constructor(hash: PatientLevelHash, begin: number, kept: KeptRun, right: StateBefore) {
    this.#hash = hash;
    this.#begin = begin;
    this.#kept = kept;
    this.#right = right;
  }

  get height(): Height {
    return this.#right.height;
  }

  /** Whether the leaves up to the block are those of its tree; it is the next to start from then. */
  async agrees(height: Height, state: TreeState): Promise<boolean> {
    const agrees =
      state.size <= this.#kept.first ||
      equalBytes(await this.rootAt(state.size), (await lastSubtree(this.#hash, state)).nodes);
    if (agrees) this.#right = { height, state: state.size > this.#kept.first ? state : this.#right.state };
    return agrees;
  }

  /** The root of the subtree with the leaves before `end`. */
  async rootAt(end: number): Promise<Uint8Array> {
    const { state } = this.#right;
    const { first, leaves } = this.#kept;
    const next = Math.max(state.size, this.#begin);
    const more = leaves.subarray((next - first) * NODE_BYTES, (end - first) * NODE_BYTES);
    const from = rowAfter(state, this.#begin, more);
    return (await climb(this.#hash, { from, ommers: state.ommers, to: SUBTREE_HEIGHT, positions: [] })).top
      .nodes;
  }
}
