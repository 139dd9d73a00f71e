// Polynomials over columns as a program of lane operations: what several of them share is computed once, what no action's
// column is in once for all actions. It runs over a few rows at a time, whose values stay in the processor's cache.

import { BLOCK_BYTES, type FieldLanes } from '@wallet-companion/kernel/vesta';

/** The number of an expression. */
export type Node = number;

export interface ColumnInput {
  /** Of each action, or the same for all. */
  readonly isOfAction: boolean;
  readonly column: string;
  readonly rotation: number;
}

type Expression<Parameters> =
  | { readonly kind: 'parameter'; readonly value: (parameters: Parameters) => bigint }
  | ({ readonly kind: 'column' } & ColumnInput)
  | { readonly kind: 'sum' | 'difference' | 'product'; readonly left: Node; readonly right: Node };

/** Expressions, each of them once. */
export class Expressions<Parameters> {
  readonly all: Expression<Parameters>[] = [];
  readonly #known = new Map<string, Node>();
  /** Whether an action's column is in it. */
  readonly isOfAction: boolean[] = [];

  /** `name` tells parameters apart. */
  parameter(name: string, value: (parameters: Parameters) => bigint): Node {
    return this.#node(`parameter ${name}`, { kind: 'parameter', value }, false);
  }

  constant(value: bigint): Node {
    return this.parameter(value.toString(), () => value);
  }

  column(input: ColumnInput): Node {
    return this.#node(Object.values(input).join(' '), { kind: 'column', ...input }, input.isOfAction);
  }

  sum(left: Node, right: Node): Node {
    return left > right ? this.sum(right, left) : this.#operation('sum', left, right);
  }

  difference(left: Node, right: Node): Node {
    return this.#operation('difference', left, right);
  }

  product(left: Node, right: Node): Node {
    return left > right ? this.product(right, left) : this.#operation('product', left, right);
  }

  #operation(kind: 'sum' | 'difference' | 'product', left: Node, right: Node): Node {
    const isOfAction = this.isOfAction[left]! || this.isOfAction[right]!;
    return this.#node(`${kind} ${left} ${right}`, { kind, left, right }, isOfAction);
  }

  #node(key: string, expression: Expression<Parameters>, isOfAction: boolean): Node {
    let node = this.#known.get(key);
    if (node === undefined) {
      node = this.all.push(expression) - 1;
      this.isOfAction.push(isOfAction);
      this.#known.set(key, node);
    }
    return node;
  }
}

type Place =
  | { readonly kind: 'slot'; readonly slot: number }
  | { readonly kind: 'parameter'; readonly node: Node }
  | { readonly kind: 'column'; readonly input: ColumnInput }
  | { readonly kind: 'output'; readonly output: number }
  | { readonly kind: 'zero' };

/** Where a value is, or its negative; the size is in halves of the modulus. */
interface Located {
  readonly place: number;
  readonly isNegative: boolean;
  readonly size: 1 | 2;
}

type Operation = 'mul' | 'add' | 'sub' | 'negatedSum';
interface Instruction {
  readonly operation: Operation;
  readonly o: number;
  readonly a: number;
  readonly b: number;
}

/** Blocks of rows that are worked on together. */
const CHUNK = 16;

export interface Binding<Parameters> {
  readonly field: FieldLanes;
  /** A multiple of the chunk. */
  readonly blocks: number;
  readonly actions: number;
  readonly parameters: Parameters;
  /** Address of the column's first row, turned by the rotation; the action is 0 for what all share. */
  readonly addressOf: (input: ColumnInput, action: number) => number;
  readonly outputOf: (output: number, action: number) => number;
}

export class StraightLine<Parameters> {
  readonly #expressions: Expressions<Parameters>;
  readonly #places: Place[] = [];
  readonly #located = new Map<Node, Located>();
  readonly #uses = new Map<Node, number>();
  readonly #free: number[] = [];
  #slots = 0;
  readonly #zero: number;
  readonly #shared: Instruction[] = [];
  readonly #ofAction: Instruction[] = [];

  /** `outputs` are of actions. */
  constructor(expressions: Expressions<Parameters>, outputs: readonly Node[]) {
    this.#expressions = expressions;
    this.#zero = this.#place({ kind: 'zero' });
    const needed = this.#neededFor(outputs);
    const phases = [
      needed.filter((node) => !this.#isOfAction(node)),
      needed.filter((node) => this.#isOfAction(node)),
    ];
    for (const node of phases[0]!) this.#locate(node, this.#shared);
    for (const node of phases[1]!) this.#locate(node, this.#ofAction);
    outputs.forEach((node, output) => {
      const { place, isNegative } = this.#located.get(node)!;
      // The sum with zero reduces; it is negative, and a second one turns it back.
      const o = this.#place({ kind: 'output', output });
      this.#ofAction.push({ operation: 'negatedSum', o, a: place, b: this.#zero });
      if (!isNegative) this.#ofAction.push({ operation: 'negatedSum', o, a: o, b: this.#zero });
    });
  }

  #isOfAction(node: Node): boolean {
    return this.#expressions.isOfAction[node]!;
  }

  #neededFor(outputs: readonly Node[]): Node[] {
    const needed = new Set<Node>();
    const open = [...outputs];
    for (let node = open.pop(); node !== undefined; node = open.pop()) {
      if (needed.has(node)) continue;
      needed.add(node);
      const expression = this.#expressions.all[node]!;
      if (!('left' in expression)) continue;
      for (const operand of [expression.left, expression.right]) {
        // Of what actions share every use counts as one that stays.
        const stays = !this.#isOfAction(operand) && this.#isOfAction(node) ? Number.POSITIVE_INFINITY : 1;
        this.#uses.set(operand, (this.#uses.get(operand) ?? 0) + stays);
        open.push(operand);
      }
    }
    for (const node of outputs) this.#uses.set(node, Number.POSITIVE_INFINITY);
    return [...needed].sort((a, b) => a - b);
  }

  #place(place: Place): number {
    return this.#places.push(place) - 1;
  }

  #slot(): number {
    return this.#free.pop() ?? this.#place({ kind: 'slot', slot: this.#slots++ });
  }

  #release(node: Node): void {
    const left = this.#uses.get(node)! - 1;
    this.#uses.set(node, left);
    const { place } = this.#located.get(node)!;
    if (left === 0 && this.#places[place]!.kind === 'slot') this.#free.push(place);
  }

  #locate(node: Node, into: Instruction[]): void {
    const expression = this.#expressions.all[node]!;
    const set = (place: number, isNegative: boolean, size: 1 | 2): void => {
      this.#located.set(node, { place, isNegative, size });
    };
    if (expression.kind === 'parameter' || expression.kind === 'column') {
      const isParameter = expression.kind === 'parameter';
      set(
        this.#place(isParameter ? { kind: 'parameter', node } : { kind: 'column', input: expression }),
        false,
        1,
      );
      return;
    }
    const [left, right] = [this.#located.get(expression.left)!, this.#located.get(expression.right)!];
    const o = this.#slot();
    if (expression.kind === 'product') {
      into.push({ operation: 'mul', o, a: left.place, b: right.place });
      set(o, left.isNegative !== right.isNegative, 1);
    } else {
      const small =
        left.size + right.size > 2 ? [left, right].map((one) => this.#reduced(one, into)) : [left, right];
      const [a, b] = small as [Located, Located];
      const isSum = (a.isNegative === b.isNegative) === (expression.kind === 'sum');
      into.push({ operation: isSum ? 'add' : 'sub', o, a: a.place, b: b.place });
      set(o, a.isNegative, 2);
      for (const one of small) if (one !== left && one !== right) this.#free.push(one.place);
    }
    this.#release(expression.left);
    this.#release(expression.right);
  }

  #reduced(located: Located, into: Instruction[]): Located {
    if (located.size === 1) return located;
    const place = this.#slot();
    into.push({ operation: 'negatedSum', o: place, a: located.place, b: this.#zero });
    return { place, isNegative: !located.isNegative, size: 1 };
  }

  run({ field, blocks, actions, parameters, addressOf, outputOf }: Binding<Parameters>): void {
    field.memory.borrow(() => {
      const slots = Array.from({ length: this.#slots }, () => field.array(CHUNK));
      const repeated = (value: bigint): number => {
        const array = field.array(CHUNK);
        const constant = field.constant(value);
        for (let block = 0; block < CHUNK; block++) field.copy(array + block * BLOCK_BYTES, constant, 1);
        return array;
      };
      const zero = repeated(0n);
      // Parameters once, the rest of a table for each action.
      const fixed = this.#places.map((place) => {
        if (place.kind === 'zero') return zero;
        if (place.kind === 'slot') return slots[place.slot]!;
        if (place.kind !== 'parameter') return 0;
        const expression = this.#expressions.all[place.node]!;
        return expression.kind === 'parameter' ? repeated(expression.value(parameters)) : 0;
      });
      const tables = Array.from({ length: actions }, (_, action) =>
        Int32Array.from(this.#places, (place, i) => {
          if (place.kind === 'column') return addressOf(place.input, place.input.isOfAction ? action : 0);
          return place.kind === 'output' ? outputOf(place.output, action) : fixed[i]!;
        }),
      );
      const moving = this.#places.flatMap(({ kind }, i) =>
        kind === 'column' || kind === 'output' ? [i] : [],
      );
      const execute = (instructions: readonly Instruction[], table: Int32Array): void => {
        for (const { operation, o, a, b } of instructions)
          field[operation](table[o]!, table[a]!, table[b]!, CHUNK);
      };
      for (let at = 0; at < blocks; at += CHUNK) {
        execute(this.#shared, tables[0]!);
        for (const table of tables) {
          execute(this.#ofAction, table);
          for (const place of moving) table[place]! += CHUNK * BLOCK_BYTES;
        }
      }
      field.flush();
    });
  }
}
