// Node hashes and empty roots of the note commitment trees (protocol specification §5.4.1.3, §5.3): Sapling with Pedersen
// hashes, Orchard and Ironwood with Sinsemilla.
//
// Exports: TREE_DEPTH, TreeHash, SAPLING_TREE, ORCHARD_TREE, emptyRoot, rootOfLeaves.
import { encodeInteger32 } from '../curves/integers.ts';
import { joinBits } from '../hashes/bitString.ts';
import { pedersenHash } from '../hashes/pedersen.ts';
import { MERKLE_CRH_ORCHARD } from '../hashes/sinsemilla.ts';

export const TREE_DEPTH = 32;
const FIELD_BITS = 255;

/** Nodes are 32 bytes, little-endian field elements. */
export interface TreeHash {
  readonly emptyLeaf: Uint8Array;
  /** `level` is the height of the children above the leaves. */
  combine(level: number, left: Uint8Array, right: Uint8Array): Uint8Array;
}

export const SAPLING_TREE: TreeHash = {
  emptyLeaf: encodeInteger32(1n),
  combine: (level, left, right) =>
    encodeInteger32(
      pedersenHash(joinBits([Uint8Array.of(level), 6], [left, FIELD_BITS], [right, FIELD_BITS])),
    ),
};

/** Ironwood's too. */
export const ORCHARD_TREE: TreeHash = {
  emptyLeaf: encodeInteger32(2n),
  // A failed hash counts as 0.
  combine: (level, left, right) =>
    encodeInteger32(
      MERKLE_CRH_ORCHARD.hash(
        joinBits([Uint8Array.of(level & 0xff, level >>> 8), 10], [left, FIELD_BITS], [right, FIELD_BITS]),
      ) ?? 0n,
    ),
};

/** Root of a tree of that height without leaves. */
export function emptyRoot(tree: TreeHash, height: number): Uint8Array {
  let node = tree.emptyLeaf;
  for (let level = 0; level < height; level++) node = tree.combine(level, node, node);
  return node;
}

/** Root of a tree of `height` whose first leaves are given; at most 2^height of them. */
export function rootOfLeaves(tree: TreeHash, height: number, leaves: readonly Uint8Array[]): Uint8Array {
  let nodes = [...leaves];
  let empty = tree.emptyLeaf;
  for (let level = 0; level < height; level++) {
    const parents: Uint8Array[] = [];
    for (let i = 0; i < nodes.length; i += 2)
      parents.push(tree.combine(level, nodes[i]!, nodes[i + 1] ?? empty));
    empty = tree.combine(level, empty, empty);
    nodes = parents;
  }
  return nodes[0] ?? empty;
}
