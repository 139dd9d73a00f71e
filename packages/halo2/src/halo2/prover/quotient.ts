// The pieces of the quotient: all constraints of all actions combined, over what vanishes in all rows.

import { BLOCK_BYTES } from '@wallet-companion/kernel/vesta';
import { type RowChallenges, SUM_SO_FAR } from './circuitExpressions.ts';
import type { Column } from './columns.ts';
import { PASSES } from './domain.ts';
import type { ProvingKey } from './provingKey.ts';

/** More would take more memory; what actions share is computed again for the next ones. */
const ACTIONS_AT_ONCE = 4;

/** `actions`: each one's coefficients by the column's name. */
export function quotientPieces(
  { domain, constraints, cosets }: ProvingKey,
  actions: readonly ReadonlyMap<string, Column>[],
  parameters: RowChallenges,
): Column[] {
  const { kernel, columns } = domain;
  const field = kernel.scalars;
  return kernel.memory.borrow(() => {
    const sums = PASSES.map((pass) => {
      const sum = field.array(columns.rows);
      kernel.memory.bytes.fill(0, sum, sum + columns.rows * BLOCK_BYTES);
      for (let at = 0; at < actions.length; at += ACTIONS_AT_ONCE)
        kernel.memory.borrow(() => {
          const arrays = actions.slice(at, at + ACTIONS_AT_ONCE).map(
            (action) =>
              new Map(
                [...action].map(([name, coefficients]) => {
                  const array = domain.cosetArray();
                  domain.evaluate(array, coefficients, pass);
                  return [name, array] as const;
                }),
              ),
          );
          constraints.run({
            field,
            blocks: columns.rows,
            actions: arrays.length,
            parameters,
            addressOf: ({ isOfAction, column, rotation }, action) => {
              if (column === SUM_SO_FAR) return sum;
              const array = (isOfAction ? arrays[action]! : cosets[pass]!).get(column)!;
              return array + rotation * BLOCK_BYTES;
            },
            outputOf: () => sum,
          });
        });
      return sum;
    });
    return domain.quotientPieces(sums);
  });
}
