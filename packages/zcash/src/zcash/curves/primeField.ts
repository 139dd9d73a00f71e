// Arithmetic of a prime field whose order is 1 modulo 2^32: both Pasta fields and the Jubjub base field.
//
// Values are plain bigints and callers write `a * b % order` themselves: a method call per product would be too slow.
// Residues may be negative between steps (JavaScript's % keeps the sign); `reduce` makes them canonical.
//
// Square roots follow Sarkar's table-driven variant of Tonelli-Shanks: one exponentiation by (T - 1)/2 for
// order - 1 = 2^32·T, then the discrete logarithm of x^T in the group of order 2^32, eight bits at a time.
//
// Rejected: folding reductions for p = 2^254 + t. Three bigint products and their shifts took longer than one %.

export interface PrimeField {
  readonly order: bigint;
  /** The representative in [0, order). */
  reduce(value: bigint): bigint;
  /** 1/value; value must not be 0 modulo the order. */
  invert(value: bigint): bigint;
  /** Replaces each value by its inverse with a single inversion. Zeros stay zero. Results are canonical. */
  invertAll(values: bigint[]): void;
  /** A canonical square root, or undefined when there is none. Which of the two roots is unspecified. */
  sqrt(value: bigint): bigint | undefined;
  /**
   * sqrt(numerator/denominator) without a division. When the ratio is not a square, `root` is
   * sqrt(nonResidueRoot * numerator/denominator) instead, which hash-to-curve turns into the root it needs.
   * The denominator must not be 0.
   */
  sqrtRatio(numerator: bigint, denominator: bigint): { readonly isSquare: boolean; readonly root: bigint };
  /** generator^T, an element of order 2^32 and so not a square. */
  readonly nonResidueRoot: bigint;
}

const TWO_ADICITY = 32n;
/** Bits of the discrete logarithm found per table look-up: four tables of 256 entries. */
const DIGIT_BITS = 8;
const DIGITS = Number(TWO_ADICITY) / DIGIT_BITS;
const EXPONENT_WINDOW_BITS = 5;

interface RootTables {
  /** `inversePowers[k][i]` = g^(-i·2^(8k)) for the element g of order 2^32. */
  readonly inversePowers: readonly (readonly bigint[])[];
  /** g^(i·2^24) to i. */
  readonly logarithms: ReadonlyMap<bigint, number>;
}

/** `generator` is any multiplicative generator (or just a non-residue) of the field. */
export function createPrimeField(order: bigint, generator: bigint): PrimeField {
  const oddPart = (order - 1n) >> TWO_ADICITY;
  const reduce = (value: bigint): bigint => {
    const residue = value % order;
    return residue < 0n ? residue + order : residue;
  };

  const invert = (value: bigint): bigint => inverseOf(reduce(value), order);

  const invertAll = (values: bigint[]): void => {
    const prefix: bigint[] = new Array(values.length);
    let product = 1n;
    for (let i = 0; i < values.length; i++) {
      prefix[i] = product;
      if (values[i] !== 0n) product = (product * values[i]!) % order;
    }
    let inverse = invert(product);
    for (let i = values.length - 1; i >= 0; i--) {
      const value = values[i]!;
      if (value === 0n) continue;
      values[i] = reduce(inverse * prefix[i]!);
      inverse = (inverse * value) % order;
    }
  };

  const rootExponent = windowDigits((oddPart - 1n) >> 1n);
  const powRootExponent = (base: bigint): bigint => powWindows(base, rootExponent, order);

  const nonResidueRoot = powWindows(generator, windowDigits(oddPart), order);
  let tables: RootTables | undefined;

  const power256 = (value: bigint): bigint => {
    let power = value;
    for (let i = 0; i < DIGIT_BITS; i++) power = (power * power) % order;
    return power;
  };

  /**
   * From w = x^((T-1)/2)·x = x^((T+1)/2) and b = x^T, a root of x; of nonResidueRoot·x when x is not a square and
   * `wanted` allows it.
   */
  const finishRoot = (w: bigint, b: bigint, wanted: 'squareOnly' | 'either') => {
    tables ??= createRootTables(nonResidueRoot, invert(nonResidueRoot), order);
    const { inversePowers, logarithms } = tables;
    const digit = (power: bigint): number => {
      const found = logarithms.get(reduce(power));
      if (found === undefined) throw new Error('element outside the 2-power subgroup');
      return found;
    };
    const [p0, p1, p2, p3] = inversePowers as readonly [bigint[], bigint[], bigint[], bigint[]];
    const b8 = power256(b);
    const b16 = power256(b8);
    const e0 = digit(power256(b16));
    const isSquare = e0 % 2 === 0;
    if (!isSquare && wanted === 'squareOnly') return { isSquare, root: 0n };
    const e1 = digit(b16 * p2[e0]!);
    const e2 = digit(((b8 * p1[e0]!) % order) * p2[e1]!);
    const e3 = digit(((((b * p0[e0]!) % order) * p1[e1]!) % order) * p2[e2]!);
    const half = (e0 + e1 * 2 ** 8 + e2 * 2 ** 16 + e3 * 2 ** 24 - (isSquare ? 0 : 1)) / 2;
    const low = (p0[half & 255]! * p1[(half >>> 8) & 255]!) % order;
    const high = (p2[(half >>> 16) & 255]! * p3[half >>> 24]!) % order;
    return { isSquare, root: reduce(((w * low) % order) * high) };
  };

  const sqrt = (value: bigint): bigint | undefined => {
    const x = reduce(value);
    if (x === 0n) return 0n;
    const v = powRootExponent(x);
    const w = (v * x) % order;
    const { isSquare, root } = finishRoot(w, (w * v) % order, 'squareOnly');
    return isSquare ? root : undefined;
  };

  const sqrtRatio = (numerator: bigint, denominator: bigint) => {
    const n = reduce(numerator);
    if (n === 0n) return { isSquare: true, root: 0n };
    // With S = 32: s = d^(2^S - 1); then (n·s²·d)^((T-1)/2)·s = n^((T-1)/2)·d^(-(T+1)/2), because d^(2^S·T) = 1.
    const d = reduce(denominator);
    let s = d;
    for (let bits = 1; bits < Number(TWO_ADICITY); bits *= 2) {
      let shifted = s;
      for (let i = 0; i < bits; i++) shifted = (shifted * shifted) % order;
      s = (shifted * s) % order;
    }
    const v = (powRootExponent((((((s * s) % order) * d) % order) * n) % order) * s) % order;
    const w = (v * n) % order;
    return finishRoot(w, (((w * v) % order) * d) % order, 'either');
  };

  return { order, reduce, invert, invertAll, sqrt, sqrtRatio, nonResidueRoot };
}

/** The inverse of a reduced value, by Euclid's algorithm. */
function inverseOf(value: bigint, order: bigint): bigint {
  if (value === 0n) throw new RangeError('zero has no inverse');
  let a = order;
  let b = value;
  let s = 0n;
  let t = 1n;
  while (b !== 0n) {
    const quotient = a / b;
    [a, b] = [b, a - quotient * b];
    [s, t] = [t, s - quotient * t];
  }
  return s < 0n ? s + order : s;
}

/** Most significant first. */
function windowDigits(exponent: bigint): readonly number[] {
  const digits: number[] = [];
  for (let rest = exponent; rest > 0n; rest >>= BigInt(EXPONENT_WINDOW_BITS)) {
    digits.unshift(Number(BigInt.asUintN(EXPONENT_WINDOW_BITS, rest)));
  }
  return digits;
}

function powWindows(base: bigint, digits: readonly number[], order: bigint): bigint {
  const powers: bigint[] = [1n];
  for (let i = 1; i < 2 ** EXPONENT_WINDOW_BITS; i++) powers.push((powers[i - 1]! * base) % order);
  let result = 1n;
  for (const digit of digits) {
    for (let i = 0; i < EXPONENT_WINDOW_BITS; i++) result = (result * result) % order;
    if (digit !== 0) result = (result * powers[digit]!) % order;
  }
  return result;
}

function createRootTables(root: bigint, inverseRoot: bigint, order: bigint): RootTables {
  const inversePowers: bigint[][] = [];
  let step = inverseRoot;
  for (let k = 0; k < DIGITS; k++) {
    const powers: bigint[] = [1n];
    for (let i = 1; i < 2 ** DIGIT_BITS; i++) powers.push((powers[i - 1]! * step) % order);
    inversePowers.push(powers);
    step = (powers[2 ** DIGIT_BITS - 1]! * step) % order;
  }
  let top = root;
  for (let i = 0; i < Number(TWO_ADICITY) - DIGIT_BITS; i++) top = (top * top) % order;
  const logarithms = new Map<bigint, number>();
  let power = 1n;
  for (let i = 0; i < 2 ** DIGIT_BITS; i++) {
    logarithms.set(power, i);
    power = (power * top) % order;
  }
  return { inversePowers, logarithms };
}
