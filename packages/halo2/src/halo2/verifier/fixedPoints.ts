// The points that every proof of a circuit uses, in one table: those of rows for public inputs, W for blinds, U, those of
// the key, and those of coefficients.

import { concatBytes } from '@wallet-companion/base/bytes';
import { decodePoints, type VestaKernel, VestaSums } from '@wallet-companion/kernel/vesta';
import type { Circuit } from '../circuit/circuit.ts';
import type { CommitmentPoints } from '../circuit/circuitData.ts';

/** The places of points in the table. */
export interface FixedPlaces {
  readonly blind: number;
  readonly product: number;
  readonly fixed: number;
  readonly permutation: number;
  readonly coefficients: number;
}

export function fixedPlaces({ instanceRows, key }: Circuit): FixedPlaces {
  const fixed = instanceRows + 2;
  const permutation = fixed + key.fixed.length;
  const coefficients = permutation + key.permutation.length;
  return { blind: instanceRows, product: instanceRows + 1, fixed, permutation, coefficients };
}

/** @throws Error when a point is damaged. */
export function fixedSums(
  kernel: VestaKernel,
  { instanceRows, key }: Circuit,
  points: CommitmentPoints,
): VestaSums {
  const encoded = concatBytes(
    points.values.subarray(0, instanceRows * 32),
    points.blind,
    points.product,
    ...key.fixed,
    ...key.permutation,
    points.coefficients,
  );
  const coordinates = decodePoints(kernel, 'vesta', encoded);
  if (coordinates === undefined) throw new Error('a fixed point is none');
  return new VestaSums(kernel, coordinates);
}
