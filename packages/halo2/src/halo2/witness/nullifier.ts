// nf = Extract([Poseidon(nk, rho) + psi] K + cm).
import {
  CAPACITY_FOR_TWO,
  PALLAS_BASE,
  type PallasPoint,
  poseidonParameters,
  poseidonPower,
  poseidonStates,
} from '@wallet-companion/zcash/curves';
import { bits } from './bits.ts';
import { addCompletely, assignAddition } from './completeAddition.ts';
import { assignCellScalar, multiplyFixedBase, type WindowTable } from './fixedBase.ts';
import type { Regions } from './layout.ts';
import { assignCanonicity } from './rangeChecks.ts';

/** Rounds before the partial ones, of which the circuit has two a row. */
const FIRST_ROUNDS = 4;
const PARTIAL_ROUNDS = 56;

export interface SpentNote {
  readonly nk: bigint;
  readonly rho: bigint;
  readonly psi: bigint;
  readonly commitment: PallasPoint;
}

/** Returns the nullifier. */
export function assignNullifier(
  regions: Regions,
  base: WindowTable,
  { nk, rho, psi, commitment }: SpentNote,
): bigint {
  const scalar = PALLAS_BASE.reduce(assignPoseidon(regions, nk, rho) + psi);
  regions.next('c = a + b').set(6, 0, scalar);
  const product = multiplyFixedBase(base, scalar);
  assignCellScalar(regions, product, 'Base-field elem');
  const addition = regions.next('Base-field elem fixed-base mul (complete addition)');
  assignAddition(addition, 0, product.addition);
  assignCanonicity(regions, bits(scalar, 0, 252), 130);
  const gate = regions.next('Canonicity checks');
  gate.set(7, 1, bits(scalar, 252, 254));
  gate.set(8, 1, bits(scalar, 254, 255));
  const nullifier = addCompletely(commitment, product.addition.sum);
  assignAddition(regions.next('complete point addition'), 0, nullifier);
  return nullifier.sum.x;
}

/** Returns the hash. */
function assignPoseidon(regions: Regions, nk: bigint, rho: bigint): bigint {
  const absorbed = regions.next('add input for domain ConstantLength<2>');
  const states = poseidonStates([nk, rho, CAPACITY_FOR_TWO]);
  states[0]!.forEach((element, i) => {
    absorbed.set(6 + i, 2, element);
  });
  const permuted = regions.next('permute state');
  const lastPartial = FIRST_ROUNDS + PARTIAL_ROUNDS;
  for (let round = 0, row = 0; round < states.length; row++) {
    const isPartial = round >= FIRST_ROUNDS && round < lastPartial;
    const state = states[round]!;
    state.forEach((element, i) => {
      permuted.set(6 + i, row, element);
    });
    if (isPartial)
      permuted.set(5, row, poseidonPower(state[0] + poseidonParameters().roundConstants[round]![0]));
    round += isPartial ? 2 : 1;
  }
  return states.at(-1)![0];
}
