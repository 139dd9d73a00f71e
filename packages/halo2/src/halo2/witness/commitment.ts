// A Sinsemilla commitment: the hash of a message in pieces, plus a multiple of a fixed base.
import type { PallasPoint } from '@wallet-companion/zcash/curves';
import { addCompletely, assignAddition, type CompleteAddition } from './completeAddition.ts';
import { assignFullScalar, type FixedBaseTrace, multiplyFixedBase, type WindowTable } from './fixedBase.ts';
import type { Regions } from './layout.ts';
import { assignHash, hashPieces, type Piece, type SinsemillaTrace } from './sinsemilla.ts';

export interface CommitmentDomain {
  readonly start: PallasPoint;
  readonly randomness: WindowTable;
}

export interface CommitmentTrace {
  readonly hash: SinsemillaTrace;
  readonly blind: FixedBaseTrace;
  readonly addition: CompleteAddition;
}

export function commit(
  { start, randomness }: CommitmentDomain,
  pieces: readonly Piece[],
  trapdoor: bigint,
  words: readonly PallasPoint[],
): CommitmentTrace {
  const hash = hashPieces(start, pieces, words);
  const blind = multiplyFixedBase(randomness, trapdoor);
  return { hash, blind, addition: addCompletely(hash.chain.end, blind.addition.sum) };
}

export function assignCommitment(regions: Regions, { hash, blind, addition }: CommitmentTrace): void {
  assignFullScalar(regions, blind);
  assignHash(regions, hash);
  assignAddition(regions.next('complete point addition'), 0, addition);
}
