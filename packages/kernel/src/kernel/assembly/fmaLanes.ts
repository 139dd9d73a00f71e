// Linear operations and conversions on blocks of four elements in the FMA representation: five 51-bit signed limbs
// held in doubles, limb-major, 160 bytes per block. The multiplication kernels are generated beside this file.

import { MODULUS_0, MODULUS_1, MODULUS_2, MODULUS_3, MODULUS_4, TOP_SCALE } from './modulus';

export * from './multiplication';

const BLOCK: usize = 160;
const MASK: i64 = (1 << 51) - 1;

/** First byte after this module's static data. */
export function dataEnd(): usize {
  return __heap_base;
}

/** Carries limbs of at most 2^52 into centred form; `o` may be `a`. */
// @ts-ignore: decorator
@inline
function carryVector(o: usize, l0: v128, l1: v128, l2: v128, l3: v128, l4: v128): void {
  // Adding and subtracting 1.5 * 2^103 rounds to a multiple of 2^51.
  const round = f64x2(15211807202738752817960438464512.0, 15211807202738752817960438464512.0);
  const down = f64x2(4.440892098500626e-16, 4.440892098500626e-16);
  const z0 = f64x2.sub(f64x2.add(l0, round), round);
  v128.store(o, f64x2.sub(l0, z0));
  const t1 = f64x2.add(f64x2.mul(z0, down), l1);
  const z1 = f64x2.sub(f64x2.add(t1, round), round);
  v128.store(o, f64x2.sub(t1, z1), 32);
  const t2 = f64x2.add(f64x2.mul(z1, down), l2);
  const z2 = f64x2.sub(f64x2.add(t2, round), round);
  v128.store(o, f64x2.sub(t2, z2), 64);
  const t3 = f64x2.add(f64x2.mul(z2, down), l3);
  const z3 = f64x2.sub(f64x2.add(t3, round), round);
  v128.store(o, f64x2.sub(t3, z3), 96);
  v128.store(o, f64x2.add(f64x2.mul(z3, down), l4), 128);
}

/** o = a + b with centred limbs; the value is not reduced (at most one modulus in size). */
export function add(o: usize, a: usize, b: usize, blocks: i32): void {
  for (let half = blocks * 2, i = 0; i < half; i++) {
    carryVector(
      o,
      f64x2.add(v128.load(a), v128.load(b)),
      f64x2.add(v128.load(a, 32), v128.load(b, 32)),
      f64x2.add(v128.load(a, 64), v128.load(b, 64)),
      f64x2.add(v128.load(a, 96), v128.load(b, 96)),
      f64x2.add(v128.load(a, 128), v128.load(b, 128)),
    );
    const step: usize = i & 1 ? BLOCK - 16 : 16;
    o += step;
    a += step;
    b += step;
  }
}

/** o = a - b, as `add`. */
export function sub(o: usize, a: usize, b: usize, blocks: i32): void {
  for (let half = blocks * 2, i = 0; i < half; i++) {
    carryVector(
      o,
      f64x2.sub(v128.load(a), v128.load(b)),
      f64x2.sub(v128.load(a, 32), v128.load(b, 32)),
      f64x2.sub(v128.load(a, 64), v128.load(b, 64)),
      f64x2.sub(v128.load(a, 96), v128.load(b, 96)),
      f64x2.sub(v128.load(a, 128), v128.load(b, 128)),
    );
    const step: usize = i & 1 ? BLOCK - 16 : 16;
    o += step;
    a += step;
    b += step;
  }
}

/**
 * o = -(a + b), reduced to half the modulus in size: the top limb determines which multiple of the modulus to add.
 * Limbs of the modulus times -1, 0 or 1 keep the sums below 2^52.
 */
export function negatedSum(o: usize, a: usize, b: usize, blocks: i32): void {
  const scale = f64x2.splat(TOP_SCALE);
  const round = f64x2.splat(6755399441055744.0);
  for (let half = blocks * 2, i = 0; i < half; i++) {
    const top = f64x2.add(v128.load(a, 128), v128.load(b, 128));
    const quotient = f64x2.sub(f64x2.add(f64x2.mul(top, scale), round), round);
    carryVector(
      o,
      f64x2.sub(f64x2.mul(quotient, f64x2.splat(<f64>MODULUS_0)), f64x2.add(v128.load(a), v128.load(b))),
      f64x2.sub(f64x2.mul(quotient, f64x2.splat(<f64>MODULUS_1)), f64x2.add(v128.load(a, 32), v128.load(b, 32))),
      f64x2.sub(f64x2.mul(quotient, f64x2.splat(<f64>MODULUS_2)), f64x2.add(v128.load(a, 64), v128.load(b, 64))),
      f64x2.sub(f64x2.mul(quotient, f64x2.splat(<f64>MODULUS_3)), f64x2.add(v128.load(a, 96), v128.load(b, 96))),
      f64x2.sub(f64x2.mul(quotient, f64x2.splat(<f64>MODULUS_4)), top),
    );
    const step: usize = i & 1 ? BLOCK - 16 : 16;
    o += step;
    a += step;
    b += step;
  }
}

/** Reads 4*blocks little-endian integers below 2^255 (bit 255 is ignored) into raw limbs 0 <= l < 2^51. */
export function fromBytes(o: usize, bytes: usize, blocks: i32): void {
  for (let block = 0; block < blocks; block++) {
    for (let lane: usize = 0; lane < 4; lane++) {
      const w0 = load<u64>(bytes);
      const w1 = load<u64>(bytes, 8);
      const w2 = load<u64>(bytes, 16);
      const w3 = load<u64>(bytes, 24);
      const at = o + lane * 8;
      store<f64>(at, <f64>(<i64>w0 & MASK));
      store<f64>(at, <f64>(<i64>((w0 >> 51) | (w1 << 13)) & MASK), 32);
      store<f64>(at, <f64>(<i64>((w1 >> 38) | (w2 << 26)) & MASK), 64);
      store<f64>(at, <f64>(<i64>((w2 >> 25) | (w3 << 39)) & MASK), 96);
      store<f64>(at, <f64>(<i64>(w3 >> 12) & MASK), 128);
      bytes += 32;
    }
    o += BLOCK;
  }
}

/** Writes 4*blocks canonical little-endian integers; values must lie strictly between -modulus and modulus. */
export function toBytes(bytes: usize, a: usize, blocks: i32): void {
  for (let block = 0; block < blocks; block++) {
    for (let lane: usize = 0; lane < 4; lane++) {
      const at = a + lane * 8;
      let l0 = <i64>load<f64>(at);
      let l1 = <i64>load<f64>(at, 32);
      let l2 = <i64>load<f64>(at, 64);
      let l3 = <i64>load<f64>(at, 96);
      let l4 = <i64>load<f64>(at, 128);
      l1 += l0 >> 51;
      l2 += l1 >> 51;
      l3 += l2 >> 51;
      l4 += l3 >> 51;
      l0 &= MASK;
      l1 &= MASK;
      l2 &= MASK;
      l3 &= MASK;
      const negative = l4 >> 63;
      l0 += MODULUS_0 & negative;
      l1 += (MODULUS_1 & negative) + (l0 >> 51);
      l2 += (MODULUS_2 & negative) + (l1 >> 51);
      l3 += (MODULUS_3 & negative) + (l2 >> 51);
      l4 += (MODULUS_4 & negative) + (l3 >> 51);
      l0 &= MASK;
      l1 &= MASK;
      l2 &= MASK;
      l3 &= MASK;
      store<i64>(bytes, l0 | (l1 << 51));
      store<i64>(bytes, (l1 >> 13) | (l2 << 38), 8);
      store<i64>(bytes, (l2 >> 26) | (l3 << 25), 16);
      store<i64>(bytes, (l3 >> 39) | (l4 << 12), 24);
      bytes += 32;
    }
    a += BLOCK;
  }
}
