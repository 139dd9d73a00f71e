// Computes a note commitment tree upwards from a row of neighbouring nodes: the siblings of positions below, and the
// row at the top. The caller gives the part left of the row as roots of full subtrees; the part to its right is empty.
// So no tree is stored: a tree state and the leaves after it are enough, and one climb serves all positions.

import { concatBytes } from '@wallet-companion/base/bytes';
import type { Height } from '@wallet-companion/base/values';
import { NODE_BYTES } from './levelHash.ts';
import { hasBit } from './treeState.ts';

/** `LevelHash` for callers that share a thread: the nodes of a level may be joined on another thread, or in slices. */
export interface PatientLevelHash {
  combineLevel(level: number, nodes: Uint8Array): Promise<Uint8Array> | Uint8Array;
  emptyRoot(height: Height): Promise<Uint8Array> | Uint8Array;
}

/** Neighbouring nodes of one level. */
export interface Row {
  /** Level above the leaves. */
  readonly level: number;
  /** Index of the first node among those of its level. */
  readonly first: number;
  /** Packed nodes; may be empty. */
  readonly nodes: Uint8Array;
}

export interface Climb {
  readonly from: Row;
  /** Roots of the full subtrees to the left, by level: of those where the index of the row's first node is odd. */
  readonly ommers: readonly (Uint8Array | undefined)[];
  /** The level of the top row, at most 32. */
  readonly to: number;
  /** Leaf indexes, in any order. */
  readonly positions: readonly number[];
}

export interface Climbed {
  readonly top: Row;
  /**
   * For each position its siblings from the row's level to below `to`; undefined where a sibling lies to the left of
   * the given nodes.
   */
  readonly siblings: readonly (readonly (Uint8Array | undefined)[])[];
}

/** Index of the node above a leaf. */
export const nodeAbove = (position: number, level: number): number => Math.floor(position / 2 ** level);

/**
 * Joins a row of nodes up to level `to`, with 32-byte roots on its left and nothing on its right: the top row, and the
 * siblings of each position. RangeError where a root to the left is missing.
 */
export async function climb(
  hash: PatientLevelHash,
  { from, ommers, to, positions }: Climb,
): Promise<Climbed> {
  const siblings = positions.map((): (Uint8Array | undefined)[] => []);
  let { level, first, nodes } = from;
  for (; level < to; level++) {
    if (first % 2 === 1) {
      const left = ommers[level];
      if (left === undefined) throw new RangeError(`the subtree to the left at level ${level} is missing`);
      nodes = concatBytes(left, nodes);
      first--;
    }
    const empty = await hash.emptyRoot(level);
    for (const [i, position] of positions.entries()) {
      siblings[i]!.push(siblingIn({ level, first, nodes }, position, empty));
    }
    if (nodes.length % (2 * NODE_BYTES) !== 0) nodes = concatBytes(nodes, empty);
    nodes = await hash.combineLevel(level, nodes);
    first /= 2;
  }
  return { top: { level, first, nodes }, siblings };
}

function siblingIn(
  { level, first, nodes }: Row,
  position: number,
  empty: Uint8Array,
): Uint8Array | undefined {
  const own = nodeAbove(position, level);
  const at = (own % 2 === 0 ? own + 1 : own - 1) - first;
  if (at < 0) return undefined;
  // A copy: a view would keep the level in memory.
  return at * NODE_BYTES < nodes.length ? nodes.slice(at * NODE_BYTES, (at + 1) * NODE_BYTES) : empty;
}

/** Whether a sibling is final in a tree of that size: all its leaves exist. */
export function isFinal(position: number, level: number, size: number): boolean {
  const own = nodeAbove(position, level);
  const sibling = own % 2 === 0 ? own + 1 : own - 1;
  return (sibling + 1) * 2 ** level <= size;
}

/** The roots that follow from many leaves and their whole paths. */
export async function rootsOfPaths(
  hash: PatientLevelHash,
  paths: readonly {
    readonly leaf: Uint8Array;
    readonly position: number;
    readonly siblings: readonly Uint8Array[];
  }[],
): Promise<Uint8Array[]> {
  const depth = paths[0]?.siblings.length ?? 0;
  let nodes: Uint8Array = concatBytes(...paths.map(({ leaf }) => leaf));
  for (let level = 0; level < depth; level++) {
    const pairs = paths.flatMap(({ position, siblings }, i) => {
      const own = nodes.subarray(i * NODE_BYTES, (i + 1) * NODE_BYTES);
      const sibling = siblings[level]!;
      return hasBit(position, level) ? [sibling, own] : [own, sibling];
    });
    nodes = await hash.combineLevel(level, concatBytes(...pairs));
  }
  return paths.map((_, i) => nodes.slice(i * NODE_BYTES, (i + 1) * NODE_BYTES));
}
