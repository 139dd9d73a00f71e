// The running products that show copies and lookups: each row has the one before times a ratio.

import { BatchInversion, BLOCK_BYTES, LANES_PER_BLOCK } from '@wallet-companion/kernel/vesta';
import { decodeInteger32, PALLAS_BASE } from '@wallet-companion/zcash/curves';
import { UnprovableError } from '../witness/unprovable.ts';
import { type Column, type Columns, ELEMENT } from './columns.ts';
import { type ProvingKey, powersOf } from './provingKey.ts';

const { order } = PALLAS_BASE;

/** Arrays of rows. */
export interface LookupRows {
  readonly input: number;
  readonly table: number;
  readonly permutedInput: number;
  readonly permutedTable: number;
}

export interface ProductInputs {
  /** An array of rows for each column of copies. */
  readonly copied: readonly number[];
  readonly lookups: readonly LookupRows[];
}

/** The ratios of an action: of each set of copies, then of each lookup. */
export function ratiosOf(
  { prepared, domain, permutationRows, points }: ProvingKey,
  { copied, lookups }: ProductInputs,
  { beta, gamma }: { readonly beta: bigint; readonly gamma: bigint },
): Column[] {
  const { copySets, delta } = prepared.circuit;
  const { columns, kernel } = domain;
  const { blocks } = columns;
  const field = kernel.scalars;
  return kernel.memory.borrow(() => {
    const count = copySets.length + lookups.length;
    const size = blocks * BLOCK_BYTES;
    const [above, below, term] = [
      field.array(count * blocks),
      field.array(count * blocks),
      field.array(blocks),
    ];
    const [betaBlock, gammaBlock] = [field.constant(beta), field.constant(gamma)];
    const deltas = powersOf(delta, copied.length);
    let index = 0;
    copySets.forEach((set, i) => {
      const multiply = (o: number, isFirst: boolean, of: number, factor: number, value: number): void => {
        field.affine(term, of, factor, gammaBlock, blocks);
        // Above and below the line, so that the sign has no effect.
        if (isFirst) field.negatedSum(o, term, value, blocks);
        else field.mulAdd(o, term, value, o, blocks);
      };
      set.forEach((_, number) => {
        const value = copied[index]!;
        const identity = field.constant(beta * deltas[index]!);
        multiply(above + i * size, number === 0, points, identity, value);
        multiply(below + i * size, number === 0, permutationRows[index]!, betaBlock, value);
        index++;
      });
    });
    const one = field.constant(1n);
    lookups.forEach(({ input, table, permutedInput, permutedTable }, i) => {
      const multiply = (o: number, left: number, right: number): void => {
        field.affine(term, left, one, betaBlock, blocks);
        field.affine(o, right, one, gammaBlock, blocks);
        field.mul(o, o, term, blocks);
      };
      multiply(above + (copySets.length + i) * size, input, table);
      multiply(below + (copySets.length + i) * size, permutedInput, permutedTable);
    });
    const inverse = new BatchInversion(field, count * blocks).invert(below);
    if (inverse === undefined) throw new Error('a challenge meets a value of the witness');
    field.mul(above, above, inverse, count * blocks);
    field.flush();
    return Array.from({ length: count }, (_, i) => columns.writeRows(above + i * size));
  });
}

/** The products of the ratios up to the row `last`, from 1 on; what follows is 0. */
export function runningProducts(columns: Columns, ratios: readonly Column[], last: number): Column[] {
  const { kernel, rows } = columns;
  const field = kernel.scalars;
  return kernel.memory.borrow(() => {
    const [ratio, product] = [field.array(rows), field.array(rows)];
    return Array.from({ length: Math.ceil(ratios.length / LANES_PER_BLOCK) }, (_, i) => {
      const group = ratios.slice(i * LANES_PER_BLOCK, (i + 1) * LANES_PER_BLOCK);
      columns.readLanes(ratio, group);
      kernel.memory.bytes.fill(0, product, product + rows * BLOCK_BYTES);
      field.copy(product, field.constant(1n), 1);
      for (let row = 0; row < last; row++) {
        const at = row * BLOCK_BYTES;
        field.mul(product + at + BLOCK_BYTES, product + at, ratio + at, 1);
      }
      return columns.writeLanes(product, group.length);
    }).flat();
  });
}

/** Each set's product goes on from the end of the one before; all end with 1. */
export function joinProducts(columns: Columns, products: Column[], copySets: number, last: number): void {
  const field = columns.kernel.scalars;
  let start = 1n;
  products.forEach((product, i) => {
    const end = decodeInteger32(product, last * ELEMENT);
    if (i < copySets) {
      if (i > 0)
        products[i] = columns.kernel.memory.borrow(() => {
          const rows = columns.rowsOf(product);
          field.scale(rows, rows, field.constant(start), columns.blocks);
          return columns.writeRows(rows);
        });
      start = (start * end) % order;
    }
    const isLast = i >= copySets - 1;
    if (isLast && (i < copySets ? start : end) !== 1n)
      throw new UnprovableError(
        i < copySets ? 'a copied cell has another value' : 'a value of the witness is not in its table',
      );
  });
}
