// The hash to a point of a message in pieces, one word of 10 bits a row.
import type { PallasPoint } from '@wallet-companion/zcash/curves';
import { digitsOf } from './bits.ts';
import { type DoubleAndAdd, doubleAndAdd } from './doubleAndAdd.ts';
import type { Regions } from './layout.ts';
import { WORD_BITS } from './rangeChecks.ts';

/** A part of the message that is one cell. */
export interface Piece {
  readonly value: bigint;
  readonly words: number;
}

export interface SinsemillaTrace {
  readonly pieces: readonly Piece[];
  readonly chain: DoubleAndAdd;
}

/** `words` are the 1,024 points S(j). */
export function hashPieces(
  start: PallasPoint,
  pieces: readonly Piece[],
  words: readonly PallasPoint[],
): SinsemillaTrace {
  const message = pieces.flatMap((piece) => digitsOf(piece.value, WORD_BITS, piece.words));
  return {
    pieces,
    chain: doubleAndAdd(
      start,
      message.map((word) => words[word]!),
    ),
  };
}

export function assignPiece(regions: Regions, { value }: Piece): void {
  const region = regions.next('witness message piece');
  region.set(region.column, 0, value);
}

export function assignHash(regions: Regions, { pieces, chain }: SinsemillaTrace): void {
  const region = regions.next('hash_to_point');
  const { column } = region;
  let row = 0;
  for (const piece of pieces) {
    let z = piece.value;
    for (let i = 0; i < piece.words; i++, row++, z >>= BigInt(WORD_BITS)) {
      const { addend, lambda1, lambda2, x } = chain.steps[row]!;
      region.set(column + 1, row, addend.x);
      region.set(column + 2, row, z);
      region.set(column + 3, row, lambda1);
      region.set(column + 4, row, lambda2);
      region.set(column, row + 1, x);
    }
  }
  region.set(column + 3, row, chain.end.y);
}
