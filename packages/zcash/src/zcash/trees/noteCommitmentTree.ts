// Node hashes and empty roots of the note commitment trees (protocol specification §5.4.1.3, §5.3): Sapling with
// Pedersen hashes, Orchard and Ironwood with Sinsemilla.

import type { Height } from '@wallet-companion/base/values';
import { encodeInteger32 } from '../curves/integers.ts';
import { joinBits } from '../hashes/bitString.ts';
import { pedersenHash } from '../hashes/pedersen.ts';
import { MERKLE_CRH_ORCHARD } from '../hashes/sinsemilla.ts';
import type { ShieldedProtocol } from '../pools.ts';

export const TREE_DEPTH = 32;

/** Bits of a node in the hashed message. */
const NODE_BITS = 255;

/** How one pool hashes its tree. Nodes are 32 bytes, little-endian field elements. */
export interface TreeHash {
  /** `level`: height of the children above the leaves, below 32. */
  combine(level: number, left: Uint8Array, right: Uint8Array): Uint8Array;
  /** Root of an empty subtree of that height; height 0 is the uncommitted leaf. */
  emptyRoot(height: Height): Uint8Array;
}

export const SAPLING_TREE: TreeHash = withEmptyRoots(1n, (level, left, right) =>
  encodeInteger32(pedersenHash(joinBits([Uint8Array.of(level), 6], [left, NODE_BITS], [right, NODE_BITS]))),
);

/** Also Ironwood's. */
export const ORCHARD_TREE: TreeHash = withEmptyRoots(2n, (level, left, right) => {
  const layer = Uint8Array.of(level, 0);
  // A failed hash counts as 0.
  return encodeInteger32(
    MERKLE_CRH_ORCHARD.hash(joinBits([layer, 10], [left, NODE_BITS], [right, NODE_BITS])) ?? 0n,
  );
});

export const TREE_HASH: Readonly<Record<ShieldedProtocol, TreeHash>> = {
  sapling: SAPLING_TREE,
  orchard: ORCHARD_TREE,
};

function withEmptyRoots(uncommitted: bigint, combine: TreeHash['combine']): TreeHash {
  const roots = [encodeInteger32(uncommitted)];
  return {
    combine,
    emptyRoot: (height) => {
      for (let i = roots.length; i <= height; i++) roots.push(combine(i - 1, roots[i - 1]!, roots[i - 1]!));
      return roots[height]!;
    },
  };
}
