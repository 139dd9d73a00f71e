// The operations of a planned scalar multiplication. All lanes of a batch run the same plan, because all multiply by
// the same viewing keys; so every exceptional case that depends on the scalars is resolved once, while planning, and
// the kernel never branches. Points are named by slots: slot 0 is the running base point 2^i P.

/** A unit of the curve's fast endomorphism ring applied to the source: x * zeta^power, y negated or not. */
export interface Unit {
  readonly power: 0 | 1 | 2;
  readonly negative: boolean;
}

export const IDENTITY_UNIT: Unit = { power: 0, negative: false };

export type Step =
  /** destination = destination + unit * source */
  | { readonly kind: 'add'; readonly destination: number; readonly source: number; readonly unit: Unit }
  /** destination = 2 * destination */
  | { readonly kind: 'double'; readonly destination: number }
  /** destination = unit * source */
  | { readonly kind: 'copy'; readonly destination: number; readonly source: number; readonly unit: Unit };

/**
 * Steps that share one batched inversion. Each reads the state before the round; a destination occurs once, and is
 * not a source of the same round, except slot 0, which may be doubled in the round that adds it elsewhere.
 */
export type Round = readonly Step[];

export interface ScalarPlan {
  readonly rounds: readonly Round[];
  /** Slot that holds each key's multiple, or undefined when the multiple is the identity. */
  readonly results: readonly (number | undefined)[];
  readonly slots: number;
}
