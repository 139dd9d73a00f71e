// The 32 levels from the spent note's commitment up to the anchor.
import type { PallasPoint } from '@wallet-companion/zcash/curves';
import { bits } from './bits.ts';
import type { Regions } from './layout.ts';
import { assignShortCheck } from './rangeChecks.ts';
import { assignHash, assignPiece, hashPieces, type Piece } from './sinsemilla.ts';

export interface MerklePath {
  readonly position: number;
  /** From the leaf's upward. */
  readonly siblings: readonly bigint[];
}

type Pieces = readonly [a: Piece, b: Piece, c: Piece];

const piecesOf = (level: number, left: bigint, right: bigint): Pieces => [
  { value: BigInt(level) | (bits(left, 0, 240) << 10n), words: 25 },
  { value: bits(left, 240, 255) | (bits(right, 0, 5) << 15n), words: 2 },
  { value: bits(right, 5, 255), words: 25 },
];

/** Returns the root. A level's hash needs the one below, so each has its own inversion. */
export function assignMerklePath(
  regions: Regions,
  { position, siblings }: MerklePath,
  leaf: bigint,
  start: PallasPoint,
  words: readonly PallasPoint[],
): bigint {
  let node = leaf;
  siblings.forEach((sibling, level) => {
    const isRight = ((position >>> level) & 1) === 1;
    const [left, right] = isRight ? [sibling, node] : [node, sibling];
    const swap = regions.next('swap');
    swap.set(swap.column + 1, 0, sibling);
    swap.set(swap.column + 2, 0, left);
    swap.set(swap.column + 3, 0, right);
    swap.set(swap.column + 4, 0, isRight ? 1n : 0n);
    const pieces = piecesOf(level, left, right);
    assignPiece(regions, pieces[0]);
    assignShortCheck(regions, bits(left, 250, 255), 5);
    assignShortCheck(regions, bits(right, 0, 5), 5);
    assignPiece(regions, pieces[1]);
    assignPiece(regions, pieces[2]);
    const hash = hashPieces(start, pieces, words);
    assignHash(regions, hash);
    node = hash.chain.end.x;
  });
  return node;
}
