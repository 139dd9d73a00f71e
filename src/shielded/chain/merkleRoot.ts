// Merkle tree of a block's txids (as in Bitcoin: SHA256d, the last element of an odd level stands twice).
import { concatBytes } from '../bytes.ts';
import { doubleSha256 } from './doubleSha256.ts';

/** Root over at least one txid, all in wire order. */
export function merkleRoot(txids: readonly Uint8Array[]): Uint8Array {
  if (txids.length === 0) throw new RangeError('a block has at least one transaction');
  let level = txids;
  while (level.length > 1) {
    const above: Uint8Array[] = [];
    for (let i = 0; i < level.length; i += 2) {
      above.push(doubleSha256(concatBytes(level[i]!, level[i + 1] ?? level[i]!)));
    }
    level = above;
  }
  return level[0]!;
}
