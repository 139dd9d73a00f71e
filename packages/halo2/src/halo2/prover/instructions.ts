// Expressions as lane operations on places. Several of the kernel's operations are a product and a sum in one, whose sum costs
// nothing; and a sum of two reduced values is reduced only where it is added to again.

import type { ColumnInput, Expressions, Node } from '../circuit/rowExpressions.ts';

export type Place =
  | { readonly kind: 'slot'; readonly slot: number }
  | { readonly kind: 'parameter'; readonly node: Node }
  | { readonly kind: 'column'; readonly input: ColumnInput }
  | { readonly kind: 'output'; readonly output: number }
  | { readonly kind: 'zero' };

/** o, a and b, as `FieldLanes` has them, with c where it is. */
export type Instruction =
  | {
      readonly operation: 'mul' | 'add' | 'sub' | 'negatedSum';
      readonly operands: readonly [number, number, number];
    }
  | {
      readonly operation: 'mulAdd' | 'mulSub' | 'mulPlus';
      readonly operands: readonly [number, number, number, number];
    };

/** Where a value is, or its negative; the size is in halves of the modulus. */
interface Located {
  readonly kind: 'located';
  readonly place: number;
  readonly isNegative: boolean;
  readonly size: 1 | 2;
}

/** What its one user will compute with its own operation. */
interface Deferred {
  readonly kind: 'add' | 'sub' | 'mul';
  readonly a: Located;
  readonly b: Located;
  readonly isNegative: boolean;
}

export class Assembler<Parameters> {
  readonly places: Place[] = [];
  slots = 0;
  /** What needs no action's column, and what does. */
  readonly shared: Instruction[] = [];
  readonly ofAction: Instruction[] = [];
  readonly #expressions: Expressions<Parameters>;
  readonly #values = new Map<Node, Located | Deferred>();
  readonly #uses = new Map<Node, number>();
  readonly #lastUser = new Map<Node, Node>();
  readonly #free: number[] = [];
  readonly #zero: number;
  #into: Instruction[];

  constructor(expressions: Expressions<Parameters>, outputs: readonly Node[]) {
    this.#expressions = expressions;
    this.#zero = this.#place({ kind: 'zero' });
    const needed = this.#neededFor(outputs);
    const { isOfAction } = expressions;
    this.#into = this.shared;
    for (const node of needed) if (!isOfAction[node]!) this.#assemble(node);
    this.#into = this.ofAction;
    for (const node of needed) if (isOfAction[node]!) this.#assemble(node);
    outputs.forEach((node, output) => {
      const { place, isNegative } = this.#located(node);
      const o = this.#place({ kind: 'output', output });
      // It negates, so that a value that is not negative takes two.
      this.#push('negatedSum', o, place, this.#zero);
      if (!isNegative) this.#push('negatedSum', o, o, this.#zero);
    });
  }

  #neededFor(outputs: readonly Node[]): Node[] {
    const { all, isOfAction } = this.#expressions;
    const needed = new Set<Node>();
    const open = [...outputs];
    for (let node = open.pop(); node !== undefined; node = open.pop()) {
      if (needed.has(node)) continue;
      needed.add(node);
      const expression = all[node]!;
      if (!('left' in expression)) continue;
      for (const operand of [expression.left, expression.right]) {
        // What actions share stays for all of them.
        const uses = isOfAction[node]! && !isOfAction[operand]! ? Number.POSITIVE_INFINITY : 1;
        this.#uses.set(operand, (this.#uses.get(operand) ?? 0) + uses);
        this.#lastUser.set(operand, node);
        open.push(operand);
      }
    }
    for (const node of outputs) this.#uses.set(node, Number.POSITIVE_INFINITY);
    return [...needed].sort((a, b) => a - b);
  }

  /** Whether the node is used once, by a product or by a sum or difference. */
  #isOnlyIn(node: Node, user: 'product' | 'sum'): boolean {
    const isProduct = this.#expressions.all[this.#lastUser.get(node) ?? node]!.kind === 'product';
    return this.#uses.get(node) === 1 && isProduct === (user === 'product');
  }

  #assemble(node: Node): void {
    const expression = this.#expressions.all[node]!;
    if (expression.kind === 'parameter') {
      this.#set(node, this.#place({ kind: 'parameter', node }), false);
    } else if (expression.kind === 'column') {
      this.#set(node, this.#place({ kind: 'column', input: expression }), false);
    } else if (expression.kind === 'product') {
      this.#multiply(node, expression.left, expression.right);
    } else {
      this.#add(node, expression.left, expression.right, expression.kind === 'sum');
    }
  }

  #multiply(node: Node, left: Node, right: Node): void {
    const [sum, other] = this.#values.get(left)!.kind === 'located' ? [right, left] : [left, right];
    const factor = this.#located(other);
    const deferred = this.#values.get(sum)!;
    if (deferred.kind !== 'located') {
      const o = this.#slot();
      this.#push(
        deferred.kind === 'add' ? 'mulAdd' : 'mulSub',
        o,
        deferred.a.place,
        deferred.b.place,
        factor.place,
      );
      this.#set(node, o, deferred.isNegative !== factor.isNegative);
      this.#release(sum, other);
      return;
    }
    const isNegative = deferred.isNegative !== factor.isNegative;
    if (this.#isOnlyIn(node, 'sum')) {
      this.#values.set(node, { kind: 'mul', a: deferred, b: factor, isNegative });
      return;
    }
    const o = this.#slot();
    this.#push('mul', o, deferred.place, factor.place);
    this.#set(node, o, isNegative);
    this.#release(sum, other);
  }

  #add(node: Node, left: Node, right: Node, isSum: boolean): void {
    const isDeferred = (operand: Node): boolean => this.#values.get(operand)!.kind !== 'located';
    const [product, other] = isDeferred(right) ? [right, left] : [left, right];
    const addend = this.#located(other);
    const turns = (operand: Node): boolean => !isSum && operand === right;
    const deferred = this.#values.get(product)!;
    const isNegative = addend.isNegative !== turns(other);
    if (deferred.kind !== 'located' && (deferred.isNegative !== turns(product)) === isNegative) {
      const o = this.#slot();
      this.#push('mulPlus', o, deferred.a.place, deferred.b.place, addend.place);
      this.#set(node, o, isNegative);
      this.#release(product, other);
      return;
    }
    const [a, b] = [this.#located(left), this.#located(right)];
    const kind = (a.isNegative === b.isNegative) === isSum ? 'add' : 'sub';
    if (a.size + b.size === 2 && this.#isOnlyIn(node, 'product')) {
      this.#values.set(node, { kind, a, b, isNegative: a.isNegative });
      return;
    }
    const reduced = a.size + b.size > 2 ? [this.#reduced(a), this.#reduced(b)] : [a, b];
    const [c, d] = reduced as [Located, Located];
    const o = this.#slot();
    this.#push((c.isNegative === d.isNegative) === isSum ? 'add' : 'sub', o, c.place, d.place);
    this.#set(node, o, c.isNegative, 2);
    for (const one of reduced) if (one !== a && one !== b) this.#free.push(one.place);
    this.#release(left, right);
  }

  #reduced(located: Located): Located {
    if (located.size === 1) return located;
    const place = this.#slot();
    this.#push('negatedSum', place, located.place, this.#zero);
    return { kind: 'located', place, isNegative: !located.isNegative, size: 1 };
  }

  /** Computes what was deferred. */
  #located(node: Node): Located {
    const value = this.#values.get(node)!;
    if (value.kind === 'located') return value;
    const o = this.#slot();
    this.#push(value.kind, o, value.a.place, value.b.place);
    this.#releaseOperands(node);
    return this.#set(node, o, value.isNegative, value.kind === 'mul' ? 1 : 2);
  }

  #set(node: Node, place: number, isNegative: boolean, size: 1 | 2 = 1): Located {
    const located = { kind: 'located', place, isNegative, size } as const;
    this.#values.set(node, located);
    return located;
  }

  #push(...[operation, ...operands]: [Instruction['operation'], ...number[]]): void {
    this.#into.push({ operation, operands } as unknown as Instruction);
  }

  #place(place: Place): number {
    return this.places.push(place) - 1;
  }

  #slot(): number {
    return this.#free.pop() ?? this.#place({ kind: 'slot', slot: this.slots++ });
  }

  #release(...nodes: readonly Node[]): void {
    for (const node of nodes) {
      const value = this.#values.get(node)!;
      if (value.kind === 'located') {
        const left = this.#uses.get(node)! - 1;
        this.#uses.set(node, left);
        if (left === 0 && this.places[value.place]!.kind === 'slot') this.#free.push(value.place);
      } else {
        this.#releaseOperands(node);
      }
    }
  }

  #releaseOperands(node: Node): void {
    const expression = this.#expressions.all[node]!;
    if ('left' in expression) this.#release(expression.left, expression.right);
  }
}
