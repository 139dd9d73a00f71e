// Powers in the field of scalars, and the points of rows.

import { PALLAS_BASE } from '@wallet-companion/zcash/curves';
import type { Circuit } from './circuit.ts';

const { order } = PALLAS_BASE;

/** What X is in the row that is so much after the first one, or before it. */
export const rowPoint = ({ omega, rows }: Pick<Circuit, 'omega' | 'rows'>, rotation: number): bigint =>
  power(omega, BigInt((rotation + rows) % rows));

export function power(base: bigint, exponent: bigint): bigint {
  let result = 1n;
  for (let square = base, rest = exponent; rest > 0n; square = (square * square) % order, rest >>= 1n)
    if ((rest & 1n) === 1n) result = (result * square) % order;
  return result;
}
