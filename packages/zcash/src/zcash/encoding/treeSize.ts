// Number of leaves of a note commitment tree from its serialized frontier (`finalState` of z_gettreestate, the tree
// fields of GetTreeState): optional left leaf, optional right leaf, then the optional left siblings further up.
import { ByteReader, FormatError } from '@wallet-companion/base/bytes';

/** Depth of all note commitment trees. The level of the leaves is in the first two fields. */
const TREE_DEPTH = 32;

/** Leaf count, at most 2^32. `000000` and an empty string are the empty tree; FormatError when malformed. */
export function treeSizeFromState(state: Uint8Array): number {
  if (state.length === 0) return 0;
  const reader = new ByteReader(state);
  const left = skipOptional(reader);
  const right = skipOptional(reader);
  if (right && !left) throw new FormatError('a tree with a right leaf has a left one');
  let size = Number(left) + Number(right);
  const parents = reader.count(1);
  if (parents > TREE_DEPTH - 1) throw new FormatError(`a tree with ${parents} parents is too deep`);
  for (let level = 1; level <= parents; level++) {
    if (skipOptional(reader)) size += 2 ** level;
  }
  reader.expectEnd();
  return size;
}

function skipOptional(reader: ByteReader): boolean {
  const flag = reader.u8();
  if (flag > 1) throw new FormatError(`an optional tree node starts with ${flag}`);
  if (flag === 1) reader.skip(32);
  return flag === 1;
}
