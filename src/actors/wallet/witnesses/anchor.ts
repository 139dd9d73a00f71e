// The roots of all trees at the height of the witnesses' anchor, and their checks: the block is the one that was scanned,
// the sizes are those that were counted, and the root is not believed but computed here from the server's tree state.

import { equalBytes } from '@wallet-companion/base/bytes';
import type { Height } from '@wallet-companion/base/values';
import type { BlockHash } from '@wallet-companion/zcash/identifiers';
import { isActionPool, type PerPool, POOL, POOLS, type Pool } from '@wallet-companion/zcash/pools';
import {
  lastSubtree,
  type PatientLevelHash,
  type Row,
  rootOfState,
  type TreeState,
} from '@wallet-companion/zcash/trees';
import type { ScanPool } from '../ports/scanPool.ts';
import { poolHash } from './poolHash.ts';
import { checkedTrees, parseTreeState, type TreeStateSource } from './treeStates.ts';
import { witnessMismatch } from './witnessFailures.ts';

export interface AnchorTree {
  readonly state: TreeState;
  /** The root of its last subtree, full or not, at the height of subtrees. */
  readonly last: Row;
  readonly root: Uint8Array;
  readonly hash: PatientLevelHash;
}

export interface Anchor {
  readonly height: Height;
  readonly blockHash: BlockHash;
  readonly trees: PerPool<AnchorTree>;
  /** Serialised. */
  readonly states: PerPool<Uint8Array>;
}

export async function readAnchor(
  source: TreeStateSource & { readonly pool: ScanPool },
  height: Height,
): Promise<Anchor> {
  const reported = await checkedTrees(source, height);
  const trees = {} as Record<Pool, AnchorTree>;
  for (const pool of POOLS) {
    const hash = poolHash(source.pool, POOL[pool].protocol);
    const state = parseTreeState(source.upstream, height, reported.states[pool]);
    const last = await lastSubtree(hash, state);
    const root = await rootOfState(hash, state, last);
    if (!isReportedRoot(pool, root, reported.roots[pool])) {
      throw witnessMismatch(source.upstream.source, height, `its ${POOL[pool].name} tree has another root`);
    }
    trees[pool] = { state, last, root, hash };
  }
  return { height, blockHash: reported.hash, trees, states: reported.states };
}

/** Nodes show the Sapling root reversed, as block headers had it. */
function isReportedRoot(pool: Pool, root: Uint8Array, reported: Uint8Array | null): boolean {
  if (reported === null || equalBytes(root, reported)) return true;
  return !isActionPool(pool) && equalBytes(root, Uint8Array.from(reported).reverse());
}
