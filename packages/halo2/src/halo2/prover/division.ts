// Polynomials divided by the points where they are opened.

import { BLOCK_BYTES } from '@wallet-companion/kernel/vesta';
import type { Column } from './columns.ts';
import type { Polynomial } from './polynomials.ts';
import type { ProvingKey } from './provingKey.ts';

/** The quotients by X less each of a polynomial's points, remainders dropped, combined by powers of the factor. */
export function dividedSum(
  { domain }: ProvingKey,
  polynomials: readonly Polynomial[],
  points: readonly (readonly bigint[])[],
  factor: bigint,
): Column {
  const { columns, kernel } = domain;
  const { rows } = columns;
  const field = kernel.scalars;
  return kernel.memory.borrow(() => {
    const constant = field.constant(factor);
    const [sum, a, b] = [field.array(rows), field.array(rows), field.array(rows)];
    kernel.memory.bytes.fill(0, sum, sum + rows * BLOCK_BYTES);
    polynomials.forEach(({ coefficients }, i) => {
      columns.readLanes(a, [coefficients]);
      let [from, to] = [a, b];
      for (const point of points[i]!) {
        const block = field.constant(point);
        kernel.memory.bytes.fill(0, to + (rows - 1) * BLOCK_BYTES, to + rows * BLOCK_BYTES);
        for (let row = rows - 1; row > 0; row--) {
          const at = row * BLOCK_BYTES;
          field.scalePlus(to + at - BLOCK_BYTES, to + at, block, from + at, 1);
        }
        field.flush();
        [from, to] = [to, from];
      }
      field.scalePlus(sum, sum, constant, from, rows);
      field.flush();
    });
    return columns.writeLanes(sum, 1)[0]!;
  });
}
