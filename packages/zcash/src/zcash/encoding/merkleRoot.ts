// Merkle tree of a block's txids (as in Bitcoin: SHA256d, and the last element of an odd level is repeated).

import { concatBytes, equalBytes, FormatError } from '@wallet-companion/base/bytes';
import type { Height } from '@wallet-companion/base/values';
import { doubleSha256 } from '../hashes/sha256.ts';
import type { TxId } from '../identifiers.ts';

/** The 32 bytes that a block's header has over its txids (SHA-256d), of which there is at least one. */
export const merkleRoot = (txids: readonly TxId[]): Uint8Array => foldTree(txids).root;

/**
 * FormatError unless these are the txids that the header of the block at `height` commits to. A list whose end is
 * repeated has the same root as the list without the repetition (CVE-2012-2459), so such lists are refused, as nodes
 * refuse them.
 */
export function checkMerkleRoot(txids: readonly TxId[], root: Uint8Array, height: Height): void {
  const tree = foldTree(txids);
  if (equalBytes(tree.root, root) && !tree.hasTwins) return;
  throw new FormatError(`the transactions of block ${height} are not those that its header commits to`);
}

/** `hasTwins`: two neighbouring elements are equal for another reason than the rule for odd levels. */
function foldTree(txids: readonly TxId[]): { readonly root: Uint8Array; readonly hasTwins: boolean } {
  if (txids.length === 0) throw new RangeError('a block has at least one transaction');
  let level: readonly Uint8Array[] = txids;
  let hasTwins = false;
  while (level.length > 1) {
    const above: Uint8Array[] = [];
    for (let i = 0; i < level.length; i += 2) {
      const left = level[i]!;
      const right = level[i + 1];
      if (right !== undefined && equalBytes(left, right)) hasTwins = true;
      above.push(doubleSha256(concatBytes(left, right ?? left)));
    }
    level = above;
  }
  return { root: level[0]!, hasTwins };
}
