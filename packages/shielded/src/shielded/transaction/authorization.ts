// What a transaction has beside its effects: proofs, signatures, scripts of inputs, and the keys of its binding
// signatures. Pieces come from different hands at different times, so each may be missing.

import type { ActionPool, Pool } from '../pools.ts';

type Piece = Uint8Array | undefined;

interface PoolAuthorization {
  /** One a spend or action. */
  readonly spendAuthSigs: readonly Piece[];
  /** `bsk`, from which the binding signature is made. */
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
  /** One an input. */
  readonly scriptSigs: readonly Piece[];
  readonly sapling?: SaplingAuthorization | undefined;
}

/** What keeps a transaction from being complete, for callers to put into words. */
export interface TransactionProblem {
  readonly part: Pool | 'transparent';
  readonly field: ProblemField;
  readonly kind: 'missing' | 'invalid';
  /** Of the input, spend, output or action. */
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
