// Node hashes of the note commitment trees: MerkleCRH^Sapling and MerkleCRH^Orchard (protocol specification §5.4.1.3).
// Ironwood's tree is hashed like Orchard's.
import { bigintToLeBytes } from '../shielded/bytes.ts';
import { joinBits } from '../shielded/hashes/bitString.ts';
import { pedersenHash } from '../shielded/hashes/pedersen.ts';
import { MERKLE_CRH_ORCHARD } from '../shielded/hashes/sinsemilla.ts';
import type { NodeHash } from './noteTree.ts';

/** Bits of a node in the hashed message. */
const NODE_BITS = 255;

function withEmptyRoots(uncommitted: bigint, combine: NodeHash['combine']): NodeHash {
  const roots = [bigintToLeBytes(uncommitted, 32)];
  return {
    combine,
    emptyRoot: (height) => {
      for (let i = roots.length; i <= height; i++) roots.push(combine(i - 1, roots[i - 1]!, roots[i - 1]!));
      return roots[height]!;
    },
  };
}

export const SAPLING_TREE_HASH = withEmptyRoots(1n, (level, left, right) =>
  bigintToLeBytes(
    pedersenHash(joinBits([Uint8Array.of(level), 6], [left, NODE_BITS], [right, NODE_BITS])),
    32,
  ),
);

export const ORCHARD_TREE_HASH = withEmptyRoots(2n, (level, left, right) => {
  const layer = Uint8Array.of(level, 0);
  // A hash that fails counts as 0.
  const node = MERKLE_CRH_ORCHARD.hash(joinBits([layer, 10], [left, NODE_BITS], [right, NODE_BITS])) ?? 0n;
  return bigintToLeBytes(node, 32);
});
