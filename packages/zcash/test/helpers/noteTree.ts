// A small note commitment tree with the paths of some of its leaves, by the definition: level by level.
import { POOL, type Pool } from '../../src/zcash/pools.ts';
import type { MerklePath } from '../../src/zcash/trees/merklePath.ts';
import { TREE_DEPTH, TREE_HASH } from '../../src/zcash/trees/noteCommitmentTree.ts';

export interface SmallTree {
  readonly root: Uint8Array;
  pathOf(position: number): MerklePath;
}

export function smallTree(pool: Pool, leaves: readonly Uint8Array[]): SmallTree {
  const hash = TREE_HASH[POOL[pool].protocol];
  const levels: (readonly Uint8Array[])[] = [leaves];
  const nodeAt = (level: number, index: number): Uint8Array => levels[level]![index] ?? hash.emptyRoot(level);
  for (let level = 0; level < TREE_DEPTH; level++) {
    const parents = Math.ceil(levels[level]!.length / 2);
    levels.push(
      Array.from({ length: parents }, (_, i) =>
        hash.combine(level, nodeAt(level, 2 * i), nodeAt(level, 2 * i + 1)),
      ),
    );
  }
  return {
    root: nodeAt(TREE_DEPTH, 0),
    pathOf: (position) => ({
      position,
      siblings: Array.from({ length: TREE_DEPTH }, (_, level) =>
        nodeAt(level, Math.floor(position / 2 ** level) ^ 1),
      ),
    }),
  };
}
