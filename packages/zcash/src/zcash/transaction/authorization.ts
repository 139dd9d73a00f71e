// The parts of a transaction besides its effects: proofs, signatures, scripts of inputs, and the keys of its binding
// signatures. They come from different programs at different times, so each may be missing.

import type { ActionPool, Pool } from '../pools.ts';

type Piece = Uint8Array | undefined;

interface PoolAuthorization {
  /** One for each spend or action. */
  readonly spendAuthSigs: readonly Piece[];
  /** `bsk`, the key that makes the binding signature. */
  readonly bindingSigningKey: Piece;
}

export interface SaplingAuthorization extends PoolAuthorization {
  readonly spendProofs: readonly Piece[];
  readonly outputProofs: readonly Piece[];
}

export interface ActionAuthorization extends PoolAuthorization {
  /** One for all actions. */
  readonly proof: Piece;
}

type PoolsOfActions = { readonly [P in ActionPool]?: ActionAuthorization | undefined };

export interface TransactionAuthorization extends PoolsOfActions {
  /** One for each input. */
  readonly scriptSigs: readonly Piece[];
  readonly sapling?: SaplingAuthorization | undefined;
}

/** A reason why a transaction is not complete; callers write its text. */
export interface TransactionProblem {
  readonly part: Pool | 'transparent';
  readonly field: ProblemField;
  readonly kind: 'missing' | 'invalid';
  /** Index of the input, spend, output or action. */
  readonly index?: number;
}

export type ProblemField =
  | 'scriptSig'
  | 'nullifier'
  | 'rk'
  | 'spendAuthSig'
  | 'spendProof'
  | 'cv'
  | 'ephemeralKey'
  | 'outputProof'
  | 'proof'
  | 'anchor'
  | 'bindingSigningKey'
  | 'value'
  | 'valueBalance';
