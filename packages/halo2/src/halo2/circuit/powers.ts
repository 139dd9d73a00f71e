// Powers in the field of scalars.

import { PALLAS_BASE } from '@wallet-companion/zcash/curves';

const { order } = PALLAS_BASE;

export function power(base: bigint, exponent: bigint): bigint {
  let result = 1n;
  for (let square = base, rest = exponent; rest > 0n; square = (square * square) % order, rest >>= 1n)
    if ((rest & 1n) === 1n) result = (result * square) % order;
  return result;
}
