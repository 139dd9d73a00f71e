// The quotient: all constraints of all actions combined, over what vanishes in all rows; here its values in four cosets.

import { BLOCK_BYTES } from '@wallet-companion/kernel/vesta';
import { type RowChallenges, SUM_SO_FAR } from '../circuit/constraints.ts';
import type { Column } from './columns.ts';
import type { Pass } from './domain.ts';
import type { ColumnsByName, QuotientKey } from './provingKey.ts';

/** More would take more memory; what actions share is computed again for the next ones. */
const ACTIONS_AT_ONCE = 4;

/** What `Domain.quotientPieces` takes of the pass's cosets. */
export function quotientParts(
  { domain, constraints, cosets }: QuotientKey,
  pass: Pass,
  actions: readonly ColumnsByName[],
  parameters: RowChallenges,
): Column[] {
  const { kernel, columns } = domain;
  const field = kernel.scalars;
  const shared = cosets.get(pass)!;
  return kernel.memory.borrow(() => {
    const sum = field.array(columns.rows);
    kernel.memory.bytes.fill(0, sum, sum + columns.rows * BLOCK_BYTES);
    const add = (some: readonly ColumnsByName[]): void => {
      const arrays = some.map(
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
          return (isOfAction ? arrays[action]! : shared).get(column)! + rotation * BLOCK_BYTES;
        },
        outputOf: () => sum,
      });
    };
    for (let at = 0; at < actions.length; at += ACTIONS_AT_ONCE)
      kernel.memory.borrow(() => add(actions.slice(at, at + ACTIONS_AT_ONCE)));
    return domain.cosetParts(sum, pass);
  });
}
