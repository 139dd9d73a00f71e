// The value that the quotient must have at x: all constraints of all actions on the values that a proof has there.

import { PALLAS_BASE } from '@wallet-companion/zcash/curves';
import type { Circuit } from '../circuit/circuit.ts';
import {
  columnName,
  constraintExpressions,
  type ExpressionsOf,
  type RowChallenges,
  SUM_SO_FAR,
} from '../circuit/constraints.ts';
import type { Expression, Node } from '../circuit/rowExpressions.ts';
import type { ActionValues, Evaluations } from './evaluations.ts';
import { askedOfAction, askedOfKey, nameOf } from './openings.ts';

const { order, reduce } = PALLAS_BASE;

/** x is where all are evaluated. */
export interface Challenges extends RowChallenges {
  readonly x: bigint;
}

/** At x: polynomials that are 1 in the first row, in the row that ends the products, and in the rows between. */
export interface RowSelectors {
  readonly first: bigint;
  readonly last: bigint;
  readonly active: bigint;
}

interface At {
  readonly values: Evaluations;
  readonly selectors: RowSelectors;
  readonly challenges: Challenges;
  readonly action: ActionValues;
  /** All constraints of the actions before it, combined. */
  readonly sum: bigint;
}

type Reader = (at: At) => bigint;

/** A circuit's constraints, and for each of their columns where a proof has its value. */
export interface Constraints extends ExpressionsOf {
  readonly readers: ReadonlyMap<Node, Reader>;
}

export function constraintsOf(circuit: Circuit): Constraints {
  const known = new Map<string, Reader>([
    [`${columnName('x')} 0`, ({ challenges }) => challenges.x],
    [`${SUM_SO_FAR} 0`, ({ sum }) => sum],
  ]);
  for (const name of ['first', 'last', 'active'] as const)
    known.set(`${columnName(name)} 0`, ({ selectors }) => selectors[name]);
  for (const { committed, rotation, value } of askedOfAction(circuit))
    known.set(`${nameOf(committed)} ${rotation}`, ({ action }) => value(action));
  for (const { committed, rotation, value } of askedOfKey(circuit))
    known.set(`${nameOf(committed)} ${rotation}`, ({ values }) => value(values));
  const constraints = constraintExpressions(circuit);
  const readers = new Map<Node, Reader>();
  constraints.expressions.all.forEach((expression, node) => {
    if (expression.kind === 'column')
      readers.set(node, known.get(`${expression.column} ${expression.rotation}`)!);
  });
  return { ...constraints, readers };
}

/** One action after the other; their first constraint has the highest power of y. */
export function combinedConstraints(
  { expressions, outputs, readers }: Constraints,
  values: Evaluations,
  selectors: RowSelectors,
  challenges: Challenges,
): bigint {
  const { all, isOfAction } = expressions;
  const results: bigint[] = [];
  let sum = 0n;
  values.actions.forEach((action, i) => {
    const at = { values, selectors, challenges, action, sum };
    all.forEach((expression, node) => {
      // The other values are the same for all actions.
      if (i > 0 && !isOfAction[node]!) return;
      results[node] =
        expression.kind === 'column' ? readers.get(node)!(at) : resultOf(expression, results, challenges);
    });
    sum = results[outputs[0]!]!;
  });
  return reduce(sum);
}

function resultOf(
  expression: Exclude<Expression<RowChallenges>, { kind: 'column' }>,
  results: readonly bigint[],
  challenges: RowChallenges,
): bigint {
  if (expression.kind === 'parameter') return expression.value(challenges);
  const [left, right] = [results[expression.left]!, results[expression.right]!];
  if (expression.kind === 'sum') return left + right;
  return expression.kind === 'difference' ? left - right : (left * right) % order;
}
