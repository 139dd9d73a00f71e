// Appends leaves to a tree state, for a reader of blocks alone: no peer serves the state of a tree.

import { concatBytes } from '@wallet-companion/base/bytes';
import type { PatientLevelHash } from './climb.ts';
import { NODE_BYTES } from './levelHash.ts';
import type { TreeState } from './treeState.ts';

/** `leaves`: packed, in their order. Each is hashed once, level by level. */
export async function appendLeaves(
  hash: PatientLevelHash,
  state: TreeState,
  leaves: Uint8Array,
): Promise<TreeState> {
  if (leaves.length === 0) return state;
  const all = concatBytes(state.leaves, leaves);
  const size = state.first + all.length / NODE_BYTES;
  // The last one or two leaves stay as they are.
  const first = size - (size % 2 === 0 ? 2 : 1);
  const kept = (first - state.first) * NODE_BYTES;
  const ommers = [...state.ommers];
  let nodes: Uint8Array = all.subarray(0, kept);
  let index = state.first;
  for (let level = 0; nodes.length > 0; level++) {
    const left = ommers[level];
    if (index % 2 === 1) {
      nodes = concatBytes(left!, nodes);
      index--;
    }
    const odd = nodes.length % (2 * NODE_BYTES);
    ommers[level] = odd === 0 ? undefined : nodes.slice(-NODE_BYTES);
    nodes = await hash.combineLevel(level, nodes.subarray(0, nodes.length - odd));
    index /= 2;
  }
  return { size, first, ommers, leaves: all.slice(kept) };
}
