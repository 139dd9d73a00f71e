// A note commitment tree as nodes and servers report it (`finalState` of z_gettreestate, the tree fields of
// GetTreeState): the last one or two leaves, and the roots of the full subtrees to their left. Reading hashes nothing.

import { ByteReader, concatBytes, encodeCompactSize, FormatError } from '@wallet-companion/base/bytes';
import { NODE_BYTES } from './levelHash.ts';
import { TREE_DEPTH } from './noteCommitmentTree.ts';

export interface TreeState {
  /** Size of the tree in leaves. */
  readonly size: number;
  /** Index of the first leaf in `leaves`, an even number: the size of the full subtrees together. */
  readonly first: number;
  /** By height, from 1: the full subtree that ends where `first` has that bit. */
  readonly ommers: readonly (Uint8Array | undefined)[];
  /** The last one or two leaves, packed; none in an empty tree. */
  readonly leaves: Uint8Array;
}

/** Size of a serialised state: two leaves, 31 parents, their flags and their count. */
export const MOST_STATE_BYTES = 33 * 33 + 1;

export const EMPTY_TREE_STATE: TreeState = { size: 0, first: 0, ommers: [], leaves: new Uint8Array(0) };

/** Empty bytes and `000000` are the empty tree; FormatError when malformed. */
export function readTreeState(bytes: Uint8Array): TreeState {
  if (bytes.length === 0) return EMPTY_TREE_STATE;
  const reader = new ByteReader(bytes);
  const left = readOptional(reader);
  const right = readOptional(reader);
  const parents = reader.count(1);
  if (parents > TREE_DEPTH - 1) throw new FormatError(`a tree with ${parents} parents is too deep`);
  const ommers: (Uint8Array | undefined)[] = [undefined];
  let first = 0;
  for (let level = 1; level <= parents; level++) {
    const parent = readOptional(reader);
    ommers.push(parent);
    if (parent !== undefined) first += 2 ** level;
  }
  reader.expectEnd();
  if (left === undefined) {
    if (right !== undefined || first > 0) throw new FormatError('a tree that is not empty has a left leaf');
    return EMPTY_TREE_STATE;
  }
  const leaves = right === undefined ? left : concatBytes(left, right);
  return { size: first + leaves.length / NODE_BYTES, first, ommers, leaves };
}

/** The form that librustzcash writes: no parents beyond the last one. */
export function writeTreeState({ first, ommers, leaves }: TreeState): Uint8Array {
  const nodeAt = (index: number): Uint8Array | undefined =>
    leaves.length > index * NODE_BYTES
      ? leaves.subarray(index * NODE_BYTES, (index + 1) * NODE_BYTES)
      : undefined;
  const depth = first === 0 ? 0 : Math.floor(Math.log2(first));
  const parents = Array.from({ length: depth }, (_, i) => (hasBit(first, i + 1) ? ommers[i + 1] : undefined));
  return concatBytes(
    optional(nodeAt(0)),
    optional(nodeAt(1)),
    encodeCompactSize(parents.length),
    ...parents.map(optional),
  );
}

/** Whether an index below 2^32 has the bit. */
export const hasBit = (index: number, bit: number): boolean => Math.floor(index / 2 ** bit) % 2 === 1;

function readOptional(reader: ByteReader): Uint8Array | undefined {
  const flag = reader.u8();
  if (flag > 1) throw new FormatError(`an optional tree node starts with ${flag}`);
  // A copy: a view would keep the whole answer in memory.
  return flag === 1 ? Uint8Array.from(reader.take(NODE_BYTES)) : undefined;
}

const optional = (node: Uint8Array | undefined): Uint8Array =>
  node === undefined ? Uint8Array.of(0) : concatBytes(Uint8Array.of(1), node);
