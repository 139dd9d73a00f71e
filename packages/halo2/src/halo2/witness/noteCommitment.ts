// The commitment to a note: 1,086 bits in eight pieces, each bit shown to be of a canonical coordinate, rho or psi.
import type { PallasPoint } from '@wallet-companion/zcash/curves';
import { bits } from './bits.ts';
import { assignCommitment, type CommitmentDomain, type CommitmentTrace, commit } from './commitment.ts';
import type { Regions } from './layout.ts';
import { assignCanonicity, assignShortCheck, assignWords } from './rangeChecks.ts';
import { assignPiece, type Piece } from './sinsemilla.ts';

export interface WitnessNote {
  readonly gd: PallasPoint;
  readonly pkd: PallasPoint;
  readonly value: bigint;
  readonly rho: bigint;
  readonly psi: bigint;
  readonly rcm: bigint;
}

type Pieces = readonly [a: Piece, b: Piece, c: Piece, d: Piece, e: Piece, f: Piece, g: Piece, h: Piece];

function piecesOf({ gd, pkd, value, rho, psi }: WitnessNote): Pieces {
  const d = bits(pkd.x, 254, 255) | ((pkd.y & 1n) << 1n) | (bits(value, 0, 58) << 2n);
  return [
    { value: bits(gd.x, 0, 250), words: 25 },
    { value: bits(gd.x, 250, 255) | ((gd.y & 1n) << 5n) | (bits(pkd.x, 0, 4) << 6n), words: 1 },
    { value: bits(pkd.x, 4, 254), words: 25 },
    { value: d, words: 6 },
    { value: bits(value, 58, 64) | (bits(rho, 0, 4) << 6n), words: 1 },
    { value: bits(rho, 4, 254), words: 25 },
    { value: bits(rho, 254, 255) | (bits(psi, 0, 249) << 1n), words: 25 },
    { value: bits(psi, 249, 255), words: 1 },
  ];
}

export const commitNote = (
  domain: CommitmentDomain,
  note: WitnessNote,
  words: readonly PallasPoint[],
): CommitmentTrace => commit(domain, piecesOf(note), note.rcm, words);

export function assignNoteCommitment(regions: Regions, note: WitnessNote, trace: CommitmentTrace): void {
  const { gd, pkd, value, rho, psi } = note;
  const [a, b, c, d, e, f, g, h] = piecesOf(note);
  assignPiece(regions, a);
  assignShortCheck(regions, bits(gd.x, 250, 254), 4);
  assignShortCheck(regions, bits(pkd.x, 0, 4), 4);
  assignPiece(regions, b);
  assignPiece(regions, c);
  assignShortCheck(regions, bits(value, 0, 8), 8);
  assignPiece(regions, d);
  assignShortCheck(regions, bits(value, 58, 64), 6);
  assignShortCheck(regions, bits(rho, 0, 4), 4);
  assignPiece(regions, e);
  assignPiece(regions, f);
  assignShortCheck(regions, bits(psi, 0, 9), 9);
  assignPiece(regions, g);
  assignShortCheck(regions, bits(psi, 249, 254), 5);
  assignPiece(regions, h);
  assignSign(regions, gd.y);
  assignSign(regions, pkd.y);
  assignCommitment(regions, trace);
  assignCanonicity(regions, bits(gd.x, 0, 250), 130);
  assignCanonicity(regions, bits(pkd.x, 0, 254), 140);
  assignCanonicity(regions, bits(rho, 0, 254), 140);
  assignCanonicity(regions, bits(psi, 0, 249), 130);
  regions.next('NoteCommit MessagePiece b').set(8, 0, bits(gd.x, 254, 255));
  regions.next('NoteCommit MessagePiece d').set(7, 0, bits(pkd.x, 254, 255));
  regions.next('NoteCommit MessagePiece g').set(7, 0, bits(rho, 254, 255));
  regions.next('NoteCommit MessagePiece h').set(8, 0, bits(psi, 254, 255));
}

/** That the message has the lowest bit of a canonical y. */
function assignSign(regions: Regions, y: bigint): void {
  assignShortCheck(regions, bits(y, 1, 10), 9);
  assignShortCheck(regions, bits(y, 250, 254), 4);
  assignWords(regions, bits(y, 0, 250), 25);
  assignCanonicity(regions, bits(y, 0, 250), 130);
  const gate = regions.next('y canonicity');
  gate.set(6, 0, y & 1n);
  gate.set(9, 0, bits(y, 254, 255));
}
