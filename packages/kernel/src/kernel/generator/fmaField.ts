// Generates the field kernels on fused multiply-add: every kernel is one loop over blocks of four elements with one
// multiplication in its body (two bodies in one loop no longer fit the decoded-instruction cache of common CPUs).
//
// A limb product |a*b| < 2^102 is split exactly by two FMAs: h = fma(a, b, C1) rounds it to a multiple of 2^51, and l =
// fma(a, b, (C1 + C2) - h) is the remainder. With C1 = 1.5*2^103 and C2 = 1.5*2^52 the bit patterns of h and l are an
// integer plus a known constant, so columns are summed as 64-bit integers; the constants are summed here, at generation
// time, and subtracted once per column. See docs/inside/kernel.md for the bounds.
//
// Rejected: a Montgomery multiplier per step (m = lo(t*k), then m*p): 5 % slower, and its rounding can tie.

import { LIMBS, type PrimeField } from './primeField.ts';
import { bitsOf, type Operand, type Pair, VectorBody } from './vectorBody.ts';

const C1 = 1.5 * 2 ** 103;
const C2 = 1.5 * 2 ** 52;
const TWO_51 = 2 ** 51;
/** Added to make a column positive before the logical shift, and taken out of the carry afterwards. */
const CARRY_BIAS = 64n;

/**
 * How the kernels are written for the two code generators in use; the arithmetic is the same.
 *
 * `reload` (V8 of Node 22 and later, which schedules a load next to its use): operands and constants are loaded where
 * they are used, a column starts from its constant, products are taken column by column.
 * `registers` (V8 of Node 20, which moves all loads to the top of the loop): everything is loaded once.
 */
export type KernelStyle = 'reload' | 'registers';

/**
 * A column of the product: a sum of bit patterns, and a constant that takes out the constants which the patterns carry.
 * Starting from that constant keeps its addition off the critical path of the carries.
 */
class Column {
  readonly #body: VectorBody;
  readonly #start: ReturnType<VectorBody['deferredInteger']> | undefined;
  #sum: Pair | undefined;
  #bias = 0n;

  constructor(body: VectorBody, style: KernelStyle) {
    this.#body = body;
    this.#start = style === 'reload' ? body.deferredInteger() : undefined;
    this.#sum = this.#start?.pair;
  }

  add(bits: Pair, bias: bigint): void {
    this.#sum = this.#sum === undefined ? bits : this.#body.addBits(this.#sum, bits);
    this.#bias += bias;
  }

  /** The column's integer plus `offset`. Nothing may be added afterwards. */
  close(offset: bigint): Pair {
    const constant = offset - this.#bias;
    if (this.#start === undefined) return this.#body.addBits(this.#sum!, this.#body.integer(constant));
    this.#start.settle(constant);
    return this.#sum!;
  }

  /** Adds twice `other`; its constant joins this column's. */
  addTwice(other: Column): void {
    if (this.#start === undefined) {
      this.add(this.#body.addBits(other.#sum!, other.#sum!), 2n * other.#bias);
      return;
    }
    const closed = other.close(0n);
    this.add(this.#body.addBits(closed, closed), 0n);
  }
}

class Columns {
  readonly body: VectorBody;
  readonly style: KernelStyle;
  readonly #columns = new Map<number, Column>();

  constructor(body: VectorBody, style: KernelStyle) {
    this.body = body;
    this.style = style;
  }

  column(index: number): Column {
    let column = this.#columns.get(index);
    if (column === undefined) {
      column = new Column(this.body, this.style);
      this.#columns.set(index, column);
    }
    return column;
  }

  /** Adds a*b: the low part to `index`, the high part to the next column. */
  product(index: number, a: Pair, b: Pair): void {
    const { body } = this;
    const high = body.fma(a, b, body.float(C1));
    const rest = body.sub(body.float(C1 + C2), high);
    const low = body.fma(a, b, rest);
    this.column(index).add(low, bitsOf(C2));
    this.column(index + 1).add(high, bitsOf(C1));
  }
}

/** The centred residue of `biased` modulo 2^bits as a double; `biased` carries +2^(bits-1). */
function residue(body: VectorBody, biased: Pair, bits: number): Pair {
  const mask = (1n << BigInt(bits)) - 1n;
  const mantissa = body.or(body.and(biased, body.integer(mask)), body.integer(bitsOf(2 ** 52)));
  return body.sub(mantissa, body.float(2 ** 52 + 2 ** (bits - 1)));
}

/** A carry that still holds CARRY_BIAS, as a double without it. */
function carryAsFloat(body: VectorBody, carry: Pair): Pair {
  return body.sub(body.or(carry, body.integer(bitsOf(2 ** 52))), body.float(2 ** 52 + Number(CARRY_BIAS)));
}

/**
 * Montgomery reduction of ten columns plus lazy addends (signed limbs of at most 2^51, added to the result).
 * Returns five centred limbs of a value of at most modulus/2 in size.
 */
function reduce(columns: Columns, field: PrimeField, addends: readonly Operand[] | undefined): Pair[] {
  return field.topFactor === undefined
    ? reduceAligned(columns, field, addends)
    : reduceShifted(columns, field, field.topFactor, addends);
}

/** Steps 0..3: each clears one column by adding a multiple of k*modulus, which is exactly -1 modulo 2^51. */
function clearLowColumns(
  columns: Columns,
  field: PrimeField,
  onResidue: (step: number, t: Pair) => void,
): void {
  const { body } = columns;
  for (let step = 0; step < 4; step++) {
    const t = columns.column(step).close((1n << 50n) + (CARRY_BIAS << 51n));
    columns.column(step + 1).add(body.shiftRight(t, 51), CARRY_BIAS);
    const centredResidue = residue(body, t, 51);
    field.cancelling.forEach((digit, j) => {
      columns.product(step + 1 + j, centredResidue, body.float(digit));
    });
    onResidue(step, centredResidue);
  }
}

function addendBits(body: VectorBody, addend: Pair): Pair {
  return body.add(addend, body.float(C2));
}

/** Carries the four lower limbs of the result into centred form; returns them and the last carry as a double. */
function carryResult(body: VectorBody, limbs: readonly Column[]): { limbs: Pair[]; carry: Pair } {
  let carry: Pair | undefined;
  const out: Pair[] = [];
  for (const column of limbs) {
    if (carry !== undefined) column.add(carry, CARRY_BIAS);
    const t = column.close((1n << 50n) + (CARRY_BIAS << 51n));
    carry = body.shiftRight(t, 51);
    out.push(residue(body, t, 51));
  }
  return { limbs: out, carry: carryAsFloat(body, carry!) };
}

/** Pallas. The result grid has weights 2^(254 + 51 j); column 5 + j weighs twice as much as grid limb j. */
function reduceShifted(
  columns: Columns,
  field: PrimeField,
  topFactor: number,
  addends: readonly Operand[] | undefined,
): Pair[] {
  const { body } = columns;
  const grid = new Columns(body, columns.style);
  clearLowColumns(columns, field, (step, t) => grid.product(step, t, body.float(topFactor)));
  addends?.forEach((e, j) => {
    grid.column(j).add(addendBits(body, e()), bitsOf(C2));
  });

  // Step 4 removes 50 bits.
  const two50 = 2 ** 50;
  const t4 = columns.column(4).close((1n << 49n) + (CARRY_BIAS << 50n));
  grid.column(0).add(body.shiftRight(t4, 50), CARRY_BIAS);
  const t = residue(body, t4, 50);
  const c1 = 1.5 * 2 ** 102;
  const mHigh = body.fma(t, body.float(field.lastInverse), body.float(c1));
  const mLow = body.fma(t, body.float(field.lastInverse), body.sub(body.float(c1), mHigh));

  // The top limb, 2*T9 + U4, as a double. The quotient cancels what lazy sums left above the modulus.
  grid.column(4).addTwice(columns.column(9));
  const s = body.sub(grid.column(4).close(bitsOf(C2)), body.float(C2));
  const rounded = body.sub(
    body.fma(body.add(s, mLow), body.float(1 / two50), body.float(C2)),
    body.float(C2),
  );
  const m = body.fma(rounded, body.float(-two50), mLow);

  // m*p0 + t is a multiple of 2^50 below 2^102: exact in one FMA, so the result never depends on how a tie is rounded.
  const [p0, p1, p2] = field.lowDigits as [number, number, number];
  const exact = body.fma(m, body.float(p0), t);
  columns.product(5, m, body.float(p1));
  columns.product(6, m, body.float(p2));
  for (const j of [0, 1, 2, 3]) grid.column(j).addTwice(columns.column(5 + j));
  grid.column(0).add(body.add(exact, body.float(c1)), bitsOf(c1));
  const low = carryResult(
    body,
    [0, 1, 2, 3].map((j) => grid.column(j)),
  );
  return [...low.limbs, body.add(body.add(s, m), low.carry)];
}

/** Jubjub's base field. The result grid coincides with columns 5..9. */
function reduceAligned(columns: Columns, field: PrimeField, addends: readonly Operand[] | undefined): Pair[] {
  const { body } = columns;
  clearLowColumns(columns, field, () => undefined);
  addends?.slice(0, 4).forEach((e, j) => {
    columns.column(5 + j).add(addendBits(body, e()), bitsOf(C2));
  });
  const t4 = columns.column(4).close((1n << 50n) + (CARRY_BIAS << 51n));
  columns.column(5).add(body.shiftRight(t4, 51), CARRY_BIAS);
  const t = residue(body, t4, 51);
  const mHigh = body.fma(t, body.float(field.lastInverse), body.float(C1));
  const mLow = body.fma(t, body.float(field.lastInverse), body.sub(body.float(C1), mHigh));

  const top = body.sub(columns.column(9).close(bitsOf(C2)), body.float(C2));
  // Limb 4 of the addends may exceed 2^51 together with the top column, so it is added as a double.
  const s = addends === undefined ? top : body.add(top, addends[4]!());
  const scaled = body.fma(s, body.float(field.quotientScale), mLow);
  const rounded = body.sub(body.fma(scaled, body.float(1 / TWO_51), body.float(C2)), body.float(C2));
  const m = body.fma(rounded, body.float(-TWO_51), mLow);

  const [l0, l1, l2, l3, l4] = field.lowDigits as [number, number, number, number, number];
  const exact = body.fma(m, body.float(l0), t);
  columns.product(5, m, body.float(l1));
  columns.product(6, m, body.float(l2));
  columns.product(7, m, body.float(l3));
  const high = body.fma(m, body.float(l4), body.float(C1));
  columns.column(8).add(body.fma(m, body.float(l4), body.sub(body.float(C1 + C2), high)), bitsOf(C2));
  columns.column(5).add(body.add(exact, body.float(C1)), bitsOf(C1));
  const low = carryResult(
    body,
    [5, 6, 7, 8].map((j) => columns.column(j)),
  );
  const h8 = body.sub(high, body.float(C1));
  const limb4 = body.fma(h8, body.float(1 / TWO_51), body.add(s, m));
  return [...low.limbs, body.add(limb4, low.carry)];
}

/** Limb pairs (i, j) in the order in which their products are taken. */
function limbPairs(style: KernelStyle): { i: number; j: number }[] {
  const pairs: { i: number; j: number }[] = [];
  for (let i = 0; i < LIMBS; i++) for (let j = 0; j < LIMBS; j++) pairs.push({ i, j });
  // Column by column keeps only two accumulators live; row by row makes the best use of the operands' registers.
  if (style === 'reload') pairs.sort((x, y) => x.i + x.j - (y.i + y.j));
  return pairs;
}

/** One kernel's body: operands, lazy sums, and the multiplication. */
class KernelBody {
  readonly body: VectorBody;
  readonly #field: PrimeField;
  readonly #style: KernelStyle;

  constructor(field: PrimeField, style: KernelStyle) {
    this.body = new VectorBody(style === 'reload' ? [C1, C1 + C2] : 'all');
    this.#field = field;
    this.#style = style;
  }

  operand(pointer: string): Operand[] {
    return this.#limbs((limb) => this.body.load(pointer, limb));
  }

  /** Thunks that compute at each use (style `reload`) or only once. */
  #limbs(compute: (limb: number) => Pair): Operand[] {
    const limbs = Array.from({ length: LIMBS }, (_, limb) => limb);
    if (this.#style === 'reload') return limbs.map((limb) => () => compute(limb));
    const values = limbs.map(compute);
    return values.map((value) => () => value);
  }

  /** A lazy sum, used five times: kept in a scratch block when operands are reloaded. */
  #lazy(compute: (limb: number) => Pair): Operand[] {
    if (this.#style === 'registers') return this.#limbs(compute);
    for (let limb = 0; limb < LIMBS; limb++) this.body.store('SCRATCH', limb, compute(limb));
    return this.operand('SCRATCH');
  }

  sum(a: string, b: string): Operand[] {
    const [x, y] = [this.operand(a), this.operand(b)];
    return this.#lazy((limb) => this.body.add(x[limb]!(), y[limb]!()));
  }

  difference(a: string, b: string): Operand[] {
    const [x, y] = [this.operand(a), this.operand(b)];
    return this.#lazy((limb) => this.body.sub(x[limb]!(), y[limb]!()));
  }

  triple(a: string): Operand[] {
    const x = this.operand(a);
    return this.#lazy((limb) => this.body.mul(x[limb]!(), this.body.float(3)));
  }

  negated(a: string): Operand[] {
    return this.operand(a).map((x) => () => this.body.sub(this.body.float(0), x()));
  }

  product(a: readonly Operand[], b: readonly Operand[], addends?: readonly Operand[]): Pair[] {
    const columns = new Columns(this.body, this.#style);
    for (const { i, j } of limbPairs(this.#style)) columns.product(i + j, a[i]!(), b[j]!());
    return reduce(columns, this.#field, addends);
  }

  square(pointer: string, addends?: readonly Operand[]): Pair[] {
    const a = this.operand(pointer);
    const doubled = this.#lazy((limb) => {
      const value = a[limb]!();
      return this.body.add(value, value);
    });
    const columns = new Columns(this.body, this.#style);
    for (const { i, j } of limbPairs(this.#style)) {
      if (i === j) columns.product(i + j, a[i]!(), a[i]!());
      else if (i < j) columns.product(i + j, doubled[i]!(), a[j]!());
    }
    return reduce(columns, this.#field, addends);
  }
}

interface Kernel {
  readonly name: string;
  /** Pointers besides the output. */
  readonly inputs: readonly string[];
  /** One multiplication; returns the five limbs to store. */
  readonly emit: (kernel: KernelBody) => Pair[];
}

/** The kernels of one field; docs/inside/kernel.md lists which pass of the algorithm uses which. */
const KERNELS: readonly Kernel[] = [
  { name: 'mul', inputs: ['a', 'b'], emit: (k) => k.product(k.operand('a'), k.operand('b')) },
  { name: 'mulSub', inputs: ['a', 'b', 'c'], emit: (k) => k.product(k.difference('a', 'b'), k.operand('c')) },
  { name: 'mulAdd', inputs: ['a', 'b', 'c'], emit: (k) => k.product(k.sum('a', 'b'), k.operand('c')) },
  { name: 'mulTriple', inputs: ['a', 'b'], emit: (k) => k.product(k.triple('a'), k.operand('b')) },
  { name: 'sqr', inputs: ['a'], emit: (k) => k.square('a') },
  { name: 'sqrPlus', inputs: ['a', 'c'], emit: (k) => k.square('a', k.operand('c')) },
  {
    name: 'mulPlus',
    inputs: ['a', 'b', 'c'],
    emit: (k) => k.product(k.operand('a'), k.operand('b'), k.operand('c')),
  },
  {
    // x3 = slope^2 - b - c
    name: 'chordX',
    inputs: ['a', 'b', 'c'],
    emit: (k) => {
      const c = k.operand('c');
      return k.square(
        'a',
        k.negated('b').map((b, limb) => () => k.body.sub(b(), c[limb]!())),
      );
    },
  },
  {
    // y3 = slope*(b - c) - d
    name: 'chordY',
    inputs: ['a', 'b', 'c', 'd'],
    emit: (k) => k.product(k.operand('a'), k.difference('b', 'c'), k.negated('d')),
  },
];

function kernelSource(kernel: Kernel, field: PrimeField, style: KernelStyle): string {
  const k = new KernelBody(field, style);
  const limbs = kernel.emit(k);
  limbs.forEach((limb, i) => {
    k.body.store('o', i, limb);
  });
  const pointers = ['o', ...kernel.inputs];
  const parameters = [
    ...pointers.map((name) => `${name}: usize`),
    'blocks: i32',
    ...pointers.map((name) => `${name}Step: i32`),
  ];
  const statements = k.body.statements().replaceAll('CONSTANTS', `${kernel.name}Constants`);
  return [
    ...(k.body.table() === ''
      ? []
      : [`const ${kernel.name}Constants: usize = memory.data<i64>([${k.body.table()}], 16);`]),
    `export function ${kernel.name}(${parameters.join(', ')}): void {`,
    k.body.hotConstants(),
    '  while (blocks > 0) {',
    statements,
    ...pointers.map((name) => `    ${name} += ${name}Step;`),
    '    blocks--;',
    '  }',
    '}',
    '',
  ].join('\n');
}

/** AssemblyScript source of the multiplication kernels of `field`. */
export function fmaFieldSource(field: PrimeField, style: KernelStyle): string {
  return [
    'const SCRATCH: usize = memory.data(160, 16);',
    ...KERNELS.map((kernel) => kernelSource(kernel, field, style)),
  ].join('\n');
}
