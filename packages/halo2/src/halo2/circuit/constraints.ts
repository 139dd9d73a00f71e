// What a prover computes in all rows at once, as expressions over columns: the inputs and tables of lookups, and the sum of all
// constraints, of which the quotient is made.

import type { Circuit } from './circuit.ts';
import type { ColumnKind, Step } from './expressions.ts';
import { power } from './powers.ts';
import { Expressions, type Node } from './rowExpressions.ts';

/** Theta compresses lookups, beta and gamma make products, y combines the constraints. */
export interface RowChallenges {
  readonly theta: bigint;
  readonly beta: bigint;
  readonly gamma: bigint;
  readonly y: bigint;
}

type ActionColumn = 'advice' | 'instance' | 'product' | 'lookupProduct' | 'lookupInput' | 'lookupTable';
type SharedColumn = 'fixed' | 'permutation' | 'first' | 'last' | 'active' | 'x';

/** As a column is called: its kind and number. */
export const columnName = (kind: ActionColumn | SharedColumn, index = 0): string => `${kind} ${index}`;
/** What is summed up so far. */
export const SUM_SO_FAR = 'sum 0';

/** The translation of the circuit's own program. */
class Translated {
  readonly expressions = new Expressions<RowChallenges>();
  readonly #circuit: Circuit;
  readonly #nodes = new Map<number, Node>();

  constructor(circuit: Circuit) {
    this.#circuit = circuit;
  }

  column(kind: ActionColumn | SharedColumn, index = 0, rotation = 0): Node {
    const isOfAction = !['fixed', 'permutation', 'first', 'last', 'active', 'x'].includes(kind);
    return this.expressions.column({ isOfAction, column: columnName(kind, index), rotation });
  }

  queried(kind: ColumnKind, query: number): Node {
    const { column, rotation } = this.#circuit.queries[kind][query]!;
    return this.column(kind, column, rotation);
  }

  challenge(name: keyof RowChallenges): Node {
    return this.expressions.parameter(name, (challenges) => challenges[name]);
  }

  node(step: number): Node {
    let node = this.#nodes.get(step);
    if (node === undefined) {
      node = this.#translate(this.#circuit.program[step]!);
      this.#nodes.set(step, node);
    }
    return node;
  }

  #translate(step: Step): Node {
    const { expressions } = this;
    switch (step.kind) {
      case 'constant':
        return expressions.constant(step.value);
      case 'query':
        return this.queried(step.column, step.query);
      case 'negation':
        return expressions.difference(expressions.constant(0n), this.node(step.of));
      case 'multiple':
        return expressions.product(expressions.constant(step.factor), this.node(step.of));
      case 'product':
        return expressions.product(this.node(step.left), this.node(step.right));
      case 'sum': {
        const [left, right] = [step.left, step.right].map((operand) => this.#circuit.program[operand]!);
        if (right!.kind === 'negation')
          return expressions.difference(this.node(step.left), this.node(right!.of));
        if (left!.kind === 'negation')
          return expressions.difference(this.node(step.right), this.node(left!.of));
        return expressions.sum(this.node(step.left), this.node(step.right));
      }
    }
  }

  compressed(steps: readonly number[]): Node {
    return steps
      .map((step) => this.node(step))
      .reduce((sum, node) =>
        this.expressions.sum(this.expressions.product(sum, this.challenge('theta')), node),
      );
  }

  product(nodes: readonly Node[]): Node {
    return nodes.reduce((product, node) => this.expressions.product(product, node));
  }
}

export interface ExpressionsOf {
  readonly expressions: Expressions<RowChallenges>;
  readonly outputs: readonly Node[];
}

export function lookupExpressions(circuit: Circuit): ExpressionsOf {
  const translated = new Translated(circuit);
  const outputs = circuit.lookups.flatMap(({ inputs, tables }) =>
    [inputs, tables].map((steps) => translated.compressed(steps)),
  );
  return { expressions: translated.expressions, outputs };
}

/** The sum so far times a power of y, and an action's constraints: the first one has the highest power. */
export function constraintExpressions(circuit: Circuit): ExpressionsOf {
  const translated = new Translated(circuit);
  const { expressions } = translated;
  let sum = expressions.column({ isOfAction: true, column: SUM_SO_FAR, rotation: 0 });
  const yToThe = (exponent: number): Node =>
    exponent === 1
      ? translated.challenge('y')
      : expressions.parameter(`y ${exponent}`, ({ y }) => power(y, BigInt(exponent)));
  const add = (node: Node, count = 1): void => {
    sum = expressions.sum(expressions.product(sum, yToThe(count)), node);
  };
  for (const { selectors, constraints } of bySelectors(circuit)) {
    const inner = constraints
      .map((factors) => translated.product(factors.map((step) => translated.node(step))))
      .reduce((all, one) => expressions.sum(expressions.product(all, yToThe(1)), one));
    const selector = selectors.map((step) => translated.node(step));
    add(translated.product([...selector, inner]), constraints.length);
  }
  addCopies(translated, circuit, add);
  addLookups(translated, circuit, add);
  return { expressions, outputs: [sum] };
}

interface Selected {
  /** Steps, whose product all of the constraints have as a factor. */
  readonly selectors: readonly number[];
  /** The other factors of each. */
  readonly constraints: (readonly number[])[];
}

/** The constraints in their order, those with the same selectors together. */
function bySelectors({ program, constraints }: Circuit): Selected[] {
  const factorsOf = (step: number): number[] => {
    const { kind, ...operands } = program[step]!;
    return kind === 'product' && 'left' in operands
      ? [...factorsOf(operands.left), ...factorsOf(operands.right)]
      : [step];
  };
  const isFixed = program.reduce<boolean[]>((known, step) => {
    if (step.kind === 'query') known.push(step.column === 'fixed');
    else if (step.kind === 'constant') known.push(true);
    else if ('of' in step) known.push(known[step.of]!);
    else known.push(known[step.left]! && known[step.right]!);
    return known;
  }, []);
  const groups: Selected[] = [];
  for (const constraint of constraints) {
    const factors = factorsOf(constraint);
    const selectors = factors.filter((step) => isFixed[step]!);
    const others = factors.filter((step) => !isFixed[step]!);
    const last = groups.at(-1);
    if (last?.selectors.join() === selectors.join()) last.constraints.push(others);
    else groups.push({ selectors, constraints: [others] });
  }
  return groups;
}

function addCopies(
  translated: Translated,
  { copySets, delta, blindingRows }: Circuit,
  add: (node: Node) => void,
): void {
  const { expressions } = translated;
  const { sum, difference, product } = bound(expressions);
  const [first, last, active] = (['first', 'last', 'active'] as const).map((kind) => translated.column(kind));
  const z = (set: number, rotation = 0): Node => translated.column('product', set, rotation);
  const end = z(copySets.length - 1);
  add(product(difference(expressions.constant(1n), z(0)), first!));
  add(product(difference(product(end, end), end), last!));
  for (let set = 1; set < copySets.length; set++)
    add(product(difference(z(set), z(set - 1, -(blindingRows + 1))), first!));
  let index = 0;
  copySets.forEach((columns, set) => {
    let [left, right] = [z(set, 1), z(set)];
    for (const { kind, column } of columns) {
      const value = translated.column(kind, column);
      const identity = expressions.parameter(
        `identity ${index}`,
        (
          (number) =>
          ({ beta }: RowChallenges) =>
            beta * power(delta, BigInt(number))
        )(index),
      );
      const [copied, own] = [
        product(translated.challenge('beta'), translated.column('permutation', index)),
        product(identity, translated.column('x')),
      ].map((term) => sum(term, translated.challenge('gamma')));
      left = product(left, sum(value, copied!));
      right = product(right, sum(value, own!));
      index++;
    }
    add(product(difference(left, right), active!));
  });
}

function addLookups(translated: Translated, { lookups }: Circuit, add: (node: Node) => void): void {
  const { expressions } = translated;
  const { sum, difference, product } = bound(expressions);
  const [first, last, active] = (['first', 'last', 'active'] as const).map((kind) => translated.column(kind));
  const [beta, gamma] = [translated.challenge('beta'), translated.challenge('gamma')];
  lookups.forEach(({ inputs, tables }, i) => {
    const z = translated.column('lookupProduct', i);
    const input = translated.column('lookupInput', i);
    const table = translated.column('lookupTable', i);
    const permuted = product(sum(input, beta), sum(table, gamma));
    const own = product(sum(translated.compressed(inputs), beta), sum(translated.compressed(tables), gamma));
    const next = product(translated.column('lookupProduct', i, 1), permuted);
    add(product(difference(expressions.constant(1n), z), first!));
    add(product(difference(product(z, z), z), last!));
    add(product(difference(next, product(z, own)), active!));
    add(product(difference(input, table), first!));
    const repeats = difference(input, translated.column('lookupInput', i, -1));
    add(product(product(difference(input, table), repeats), active!));
  });
}

const bound = (expressions: Expressions<RowChallenges>) => ({
  sum: (a: Node, b: Node) => expressions.sum(a, b),
  difference: (a: Node, b: Node) => expressions.difference(a, b),
  product: (a: Node, b: Node) => expressions.product(a, b),
});
