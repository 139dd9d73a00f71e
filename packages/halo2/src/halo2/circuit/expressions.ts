// The circuit's polynomials over its columns as one straight-line program, in which what several of them share is computed
// once. The file has them as trees.

import { hexToBytes } from '@wallet-companion/base/bytes';
import { decodeInteger32 } from '@wallet-companion/zcash/curves';

export type ColumnKind = 'instance' | 'advice' | 'fixed';

/** Operands are numbers of earlier steps. */
export type Step =
  | { readonly kind: 'constant'; readonly value: bigint }
  /** The value of a column where the query of this number asks for it. */
  | { readonly kind: 'query'; readonly column: ColumnKind; readonly query: number }
  | { readonly kind: 'negation'; readonly of: number }
  | { readonly kind: 'multiple'; readonly of: number; readonly factor: bigint }
  | { readonly kind: 'sum' | 'product'; readonly left: number; readonly right: number };

/** A tree as the file has it. */
export type Expression =
  | readonly ['c', string]
  | readonly ['f' | 'a' | 'i', number]
  | readonly ['neg', Expression]
  | readonly ['s', Expression, string]
  | readonly ['+' | '*', Expression, Expression];

const COLUMNS = { f: 'fixed', a: 'advice', i: 'instance' } as const;

export const scalarOf = (hex: string): bigint => decodeInteger32(hexToBytes(hex));

export class ProgramWriter {
  readonly steps: Step[] = [];
  readonly #known = new Map<string, number>();

  /** The number of the step that has the expression's value. */
  write(expression: Expression): number {
    switch (expression[0]) {
      case 'c':
        return this.#step({ kind: 'constant', value: scalarOf(expression[1]) });
      case 'neg':
        return this.#step({ kind: 'negation', of: this.write(expression[1]) });
      case 's':
        return this.#step({
          kind: 'multiple',
          of: this.write(expression[1]),
          factor: scalarOf(expression[2]),
        });
      case '+':
      case '*': {
        const [left, right] = [this.write(expression[1]), this.write(expression[2])];
        return this.#step({ kind: expression[0] === '+' ? 'sum' : 'product', left, right });
      }
      default:
        return this.#step({ kind: 'query', column: COLUMNS[expression[0]], query: expression[1] });
    }
  }

  #step(step: Step): number {
    const key = Object.values(step).join(' ');
    let number = this.#known.get(key);
    if (number === undefined) {
      number = this.steps.push(step) - 1;
      this.#known.set(key, number);
    }
    return number;
  }
}
