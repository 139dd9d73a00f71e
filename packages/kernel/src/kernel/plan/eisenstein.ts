// The ring Z[w] with w^2 = -1 - w, which acts on Pallas by (x, y) -> (zeta x, y): a scalar can be replaced by an
// element a + b w of half its length.

import { PALLAS_ORDER } from './curveConstants.ts';

/** a + b w */
export interface Eisenstein {
  readonly a: bigint;
  readonly b: bigint;
}

/** Generator of the ideal a + b*lambda = 0 mod q; its norm is q. */
export const PI: Eisenstein = {
  a: -196462116142286827589391630752301449217n,
  b: -98231058071186745657228807397848383489n,
};

export const multiplyEisenstein = (x: Eisenstein, y: Eisenstein): Eisenstein => ({
  a: x.a * y.a - x.b * y.b,
  b: x.a * y.b + x.b * y.a - x.b * y.b,
});

function roundedQuotient(numerator: bigint, denominator: bigint): bigint {
  const doubled = 2n * numerator + denominator;
  const divisor = 2n * denominator;
  const quotient = doubled / divisor;
  return doubled < 0n && quotient * divisor !== doubled ? quotient - 1n : quotient;
}

/** An element that acts as `scalar` (0 <= scalar < q), with both parts below 2^128 in size. */
export function shortenScalar(scalar: bigint): Eisenstein {
  // scalar / pi = scalar * conjugate(pi) / q with conjugate(a + b w) = (a - b) - b w.
  const quotient = {
    a: roundedQuotient(scalar * (PI.a - PI.b), PALLAS_ORDER),
    b: roundedQuotient(-scalar * PI.b, PALLAS_ORDER),
  };
  const multiple = multiplyEisenstein(quotient, PI);
  return { a: scalar - multiple.a, b: -multiple.b };
}
