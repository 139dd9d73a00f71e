// ivk = Commit^ivk(ak, nk): 510 bits in four pieces, each bit shown to be of a canonical ak or nk.
import type { PallasPoint } from '@wallet-companion/zcash/curves';
import { bits } from './bits.ts';
import { assignCommitment, type CommitmentDomain, type CommitmentTrace, commit } from './commitment.ts';
import type { Regions } from './layout.ts';
import { assignCanonicity, assignShortCheck } from './rangeChecks.ts';
import { assignPiece, type Piece } from './sinsemilla.ts';

export interface IncomingKeyParts {
  /** x of the spend validating key. */
  readonly ak: bigint;
  readonly nk: bigint;
  /** Trapdoor of the scope that the spent note's address has. */
  readonly rivk: bigint;
}

type Pieces = readonly [a: Piece, b: Piece, c: Piece, d: Piece];

const piecesOf = ({ ak, nk }: IncomingKeyParts): Pieces => [
  { value: bits(ak, 0, 250), words: 25 },
  { value: bits(ak, 250, 255) | (bits(nk, 0, 5) << 5n), words: 1 },
  { value: bits(nk, 5, 245), words: 24 },
  { value: bits(nk, 245, 255), words: 1 },
];

export const commitIncomingKey = (
  domain: CommitmentDomain,
  parts: IncomingKeyParts,
  words: readonly PallasPoint[],
): CommitmentTrace => commit(domain, piecesOf(parts), parts.rivk, words);

export function assignIncomingKey(regions: Regions, parts: IncomingKeyParts, trace: CommitmentTrace): void {
  const { ak, nk } = parts;
  const [a, b, c, d] = piecesOf(parts);
  assignPiece(regions, a);
  assignShortCheck(regions, bits(ak, 250, 254), 4);
  assignShortCheck(regions, bits(nk, 0, 5), 5);
  assignPiece(regions, b);
  assignPiece(regions, c);
  assignShortCheck(regions, bits(nk, 245, 254), 9);
  assignPiece(regions, d);
  assignCommitment(regions, trace);
  assignCanonicity(regions, bits(ak, 0, 250), 130);
  assignCanonicity(regions, bits(nk, 0, 245), 140);
  const gate = regions.next('Assign cells used in canonicity gate');
  gate.set(4, 0, bits(ak, 254, 255));
  gate.set(4, 1, bits(nk, 254, 255));
}
