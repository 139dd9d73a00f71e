// Multiplication of the protocol's fixed bases, the same on both curves: signed windows of 6 bits, so 43 additions per
// product and a table of 1,376 points, which takes some milliseconds to build.

const WINDOW_BITS = 6;
const ENTRIES = 2 ** (WINDOW_BITS - 1);
/** Enough for the larger of the two orders (255 bits) and the carry of the signed digits. */
const WINDOWS = Math.ceil(256 / WINDOW_BITS);

/** A curve's arithmetic. `Sum` is a point that is changed in place, `Addend` a point prepared to be added to it. */
export interface CurveArithmetic<Point, Sum, Addend, Product> {
  /** The order of the bases. */
  readonly order: bigint;
  /** The identity when no point is given. */
  sum(point?: Point): Sum;
  copy(sum: Sum): Sum;
  double(sum: Sum): void;
  add(sum: Sum, addend: Addend, sign: 1 | -1): void;
  /** Converts all at once, because they share one inversion. No sum may be the identity. */
  addends(sums: readonly Sum[]): readonly Addend[];
  product(sum: Sum): Product;
}

/** A base point of prime order with its multiples. */
export interface FixedBase<Point, Sum, Product> {
  readonly point: Point;
  /** [scalar]·point for any non-negative scalar. */
  multiply(scalar: bigint): Product;
  /** Adds [scalar]·point to the accumulator. */
  addTo(sum: Sum, scalar: bigint): void;
}

/** `derive` gives the base point; it and the table are computed when they are first needed. */
export function createFixedBase<Point, Sum, Addend, Product>(
  curve: CurveArithmetic<Point, Sum, Addend, Product>,
  derive: () => Point,
): FixedBase<Point, Sum, Product> {
  let point: Point | undefined;
  let table: readonly Addend[] | undefined;
  const base = (): Point => {
    point ??= derive();
    return point;
  };
  const addTo = (sum: Sum, scalar: bigint): void => {
    table ??= createTable(curve, base());
    let rest = scalar % curve.order;
    for (let window = 0; rest > 0n; window++) {
      let digit = Number(BigInt.asUintN(WINDOW_BITS, rest));
      rest >>= BigInt(WINDOW_BITS);
      if (digit > ENTRIES) {
        digit -= 2 * ENTRIES;
        rest += 1n;
      }
      if (digit !== 0) curve.add(sum, table[window * ENTRIES + Math.abs(digit) - 1]!, digit > 0 ? 1 : -1);
    }
  };
  return {
    get point() {
      return base();
    },
    addTo,
    multiply(scalar) {
      const sum = curve.sum();
      addTo(sum, scalar);
      return curve.product(sum);
    },
  };
}

/** Entry w·32 + d - 1 is d·64^w·point. */
function createTable<Point, Sum, Addend>(
  curve: CurveArithmetic<Point, Sum, Addend, unknown>,
  point: Point,
): readonly Addend[] {
  const power = curve.sum(point);
  const powers: Sum[] = [];
  for (let window = 0; window < WINDOWS; window++) {
    powers.push(curve.copy(power));
    for (let i = 0; i < WINDOW_BITS; i++) curve.double(power);
  }
  const multiples: Sum[] = [];
  for (const step of curve.addends(powers)) {
    const multiple = curve.sum();
    for (let d = 1; d <= ENTRIES; d++) {
      curve.add(multiple, step, 1);
      multiples.push(curve.copy(multiple));
    }
  }
  return curve.addends(multiples);
}
