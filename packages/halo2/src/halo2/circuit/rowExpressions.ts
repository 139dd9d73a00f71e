// Polynomials over columns, of which each that several others share is there once.

/** The number of an expression. */
export type Node = number;

export interface ColumnInput {
  /** Whether each action has a column of its own, or all have the same. */
  readonly isOfAction: boolean;
  readonly column: string;
  readonly rotation: number;
}

export type Expression<Parameters> =
  | { readonly kind: 'parameter'; readonly value: (parameters: Parameters) => bigint }
  | ({ readonly kind: 'column' } & ColumnInput)
  | { readonly kind: 'sum' | 'difference' | 'product'; readonly left: Node; readonly right: Node };

/** Expressions, each of them once. */
export class Expressions<Parameters> {
  readonly all: Expression<Parameters>[] = [];
  readonly #known = new Map<string, Node>();
  /** Whether an action's column is in it. */
  readonly isOfAction: boolean[] = [];

  /** Parameters with the same name are one. */
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
