// The value that the quotient must have at x: all constraints of all actions, combined.

import { PALLAS_BASE } from '@wallet-companion/zcash/curves';
import type { Circuit } from '../circuit/circuit.ts';
import { runProgram } from '../circuit/expressions.ts';
import type { ActionValues, Evaluations } from './evaluations.ts';

const { order } = PALLAS_BASE;

/** Theta compresses lookups, beta and gamma make products, y combines the constraints, x is where all are evaluated. */
export interface Challenges {
  readonly theta: bigint;
  readonly beta: bigint;
  readonly gamma: bigint;
  readonly y: bigint;
  readonly x: bigint;
}

/** At x: polynomials that are 1 in the first row, in the row that ends the products, and in the rows between. */
export interface RowSelectors {
  readonly first: bigint;
  readonly last: bigint;
  readonly active: bigint;
}

/** One constraint after the other, as the proof system orders them; the first has the highest power of y. */
export function combinedConstraints(
  circuit: Circuit,
  { actions, fixed, permutation }: Evaluations,
  selectors: RowSelectors,
  challenges: Challenges,
): bigint {
  let sum = 0n;
  const add = (value: bigint): void => {
    sum = (sum * challenges.y + value) % order;
  };
  for (const action of actions) {
    const steps = runProgram(circuit.program, { ...action, fixed });
    for (const constraint of circuit.constraints) add(steps[constraint]!);
    addCopies(add, circuit, { action, fixed, permutation }, selectors, challenges);
    addLookups(add, circuit, steps, action, selectors, challenges);
  }
  return PALLAS_BASE.reduce(sum);
}

function addCopies(
  add: (value: bigint) => void,
  { copySets, queries, delta }: Circuit,
  values: { action: ActionValues; fixed: readonly bigint[]; permutation: readonly bigint[] },
  { first, last, active }: RowSelectors,
  { beta, gamma, x }: Challenges,
): void {
  const { copies } = values.action;
  const here = { ...values.action, fixed: values.fixed };
  add(first * (1n - copies[0]!.here));
  const end = copies.at(-1)!.here;
  add(last * ((end * end - end) % order));
  for (let set = 1; set < copies.length; set++) add(first * (copies[set]!.here - copies[set - 1]!.last!));
  let index = 0;
  let identity = (beta * x) % order;
  copySets.forEach((columns, set) => {
    let left = copies[set]!.next;
    let right = copies[set]!.here;
    for (const { kind, column } of columns) {
      const query = queries[kind].findIndex((asked) => asked.column === column && asked.rotation === 0);
      const value = here[kind][query]! + gamma;
      left = (left * ((value + beta * values.permutation[index]!) % order)) % order;
      right = (right * (value + identity)) % order;
      identity = (identity * delta) % order;
      index++;
    }
    add((left - right) * active);
  });
}

function addLookups(
  add: (value: bigint) => void,
  { lookups }: Circuit,
  steps: readonly bigint[],
  action: ActionValues,
  { first, last, active }: RowSelectors,
  { theta, beta, gamma }: Challenges,
): void {
  const compressed = (expressions: readonly number[]): bigint =>
    expressions.reduce((sum, step) => (sum * theta + steps[step]!) % order, 0n);
  lookups.forEach(({ inputs, tables }, i) => {
    const { product, productNext, input, inputBefore, table } = action.lookups[i]!;
    const left = (((productNext * (input + beta)) % order) * (table + gamma)) % order;
    const right = (((product * (compressed(inputs) + beta)) % order) * (compressed(tables) + gamma)) % order;
    add(first * (1n - product));
    add(last * ((product * product - product) % order));
    add((left - right) * active);
    add(first * (input - table));
    add((((input - table) * (input - inputBefore)) % order) * active);
  });
}
