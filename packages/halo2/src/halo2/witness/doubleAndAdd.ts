// A chain of steps Acc = (Acc + P) + Acc, which Sinsemilla and the multiplication of a variable base have in common, with
// what the circuit records of each step: both slopes and x. The products are those of the plain Sinsemilla hash; the
// denominators of both additions are kept, and one inversion at the end serves all of them.
import { PALLAS_BASE, type PallasPoint } from '@wallet-companion/zcash/curves';
import { UnprovableError } from './unprovable.ts';

const P = PALLAS_BASE.order;

export interface DoubleAndAdd {
  readonly steps: readonly DoubleAndAddStep[];
  readonly end: PallasPoint;
}

export interface DoubleAndAddStep {
  readonly addend: PallasPoint;
  /** Slope of the line through Acc and P. */
  readonly lambda1: bigint;
  /** Slope of the line through Acc and Acc + P. */
  readonly lambda2: bigint;
  /** x of the new Acc. */
  readonly x: bigint;
}

/** Both additions are incomplete, as in the circuit: it has no proof where two points have the same x. */
export function doubleAndAdd(start: PallasPoint, addends: readonly PallasPoint[]): DoubleAndAdd {
  let { x, y } = start;
  let z = 1n;
  const rises: bigint[] = [];
  const xs: bigint[] = [];
  const denominators: bigint[] = [];
  for (const p of addends) {
    // T = Acc + P over z·h; Acc over the same denominator is (v, w).
    const zz = (z * z) % P;
    const h = (p.x * zz - x) % P;
    const r = (((p.y * z) % P) * zz - y) % P;
    const hh = (h * h) % P;
    const hhh = (hh * h) % P;
    const v = (x * hh) % P;
    const w = (y * hhh) % P;
    const tx = (r * r - hhh - (v << 1n)) % P;
    const ty = (r * (v - tx) - w) % P;
    // Acc + T with a common denominator.
    const dx = (v - tx) % P;
    const dy = w - ty;
    const c = (dx * dx) % P;
    const vc = (v * c) % P;
    const tc = (tx * c) % P;
    x = (dy * dy - vc - tc) % P;
    y = (dy * (vc - x) - w * (vc - tc)) % P;
    const sumZ = (z * h) % P;
    z = (sumZ * dx) % P;
    if (z === 0n) throw new UnprovableError('an incomplete addition fails');
    rises.push(r, dy);
    denominators.push(sumZ, z);
    xs.push(x);
  }
  PALLAS_BASE.invertAll(denominators);
  const steps = addends.map((addend, i): DoubleAndAddStep => {
    const inverse = denominators[2 * i + 1]!;
    return {
      addend,
      lambda1: (rises[2 * i]! * denominators[2 * i]!) % P,
      lambda2: (rises[2 * i + 1]! * inverse) % P,
      x: (xs[i]! * ((inverse * inverse) % P)) % P,
    };
  });
  const inverse = denominators.at(-1)!;
  const square = (inverse * inverse) % P;
  return {
    steps,
    end: { x: PALLAS_BASE.reduce(x * square), y: PALLAS_BASE.reduce(((y * square) % P) * inverse) },
  };
}
