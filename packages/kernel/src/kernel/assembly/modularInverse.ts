// Modular inversion by the divstep method of Bernstein and Yang ("Fast constant-time gcd computation and modular
// inversion", 2019) in its variable-time form, since inputs are public (denominators of transmitted points).
//
// 30 divsteps are combined into a 2x2 matrix of small integers, which is then applied to the full numbers. Numbers are
// nine signed limbs of 30 bits.

import { MODULUS_30, MODULUS_INVERSE_30 } from './limbs';

const LIMBS: i32 = 9;
const MASK_30: i64 = (1 << 30) - 1;

const D: usize = memory.data(36, 16);
const E: usize = memory.data(36, 16);
const F: usize = memory.data(36, 16);
const G: usize = memory.data(36, 16);

// The transition matrix of the last run of `divsteps`, scaled by 2^30.
let u: i32 = 0;
let v: i32 = 0;
let q: i32 = 0;
let r: i32 = 0;

// @ts-ignore: decorator
@inline
function limb(number: usize, i: i32): i64 {
  return <i64>load<i32>(number + (<usize>i << 2));
}

// @ts-ignore: decorator
@inline
function setLimb(number: usize, i: i32, value: i64): void {
  store<i32>(number + (<usize>i << 2), <i32>value);
}

/** Thirty divsteps on the low bits of f and g; returns the new eta. */
function divsteps(eta: i32, f0: u32, g0: u32): i32 {
  let a: u32 = 1;
  let b: u32 = 0;
  let c: u32 = 0;
  let d: u32 = 1;
  let f = f0;
  let g = g0;
  let left = 30;
  while (true) {
    const zeros = ctz<u32>(g | (<u32>0xffff_ffff << <u32>left));
    g >>= zeros;
    a <<= zeros;
    b <<= zeros;
    eta -= <i32>zeros;
    left -= <i32>zeros;
    if (left == 0) break;
    let w: u32;
    if (eta < 0) {
      eta = -eta;
      const f1 = f;
      f = g;
      g = 0 - f1;
      const a1 = a;
      a = c;
      c = 0 - a1;
      const b1 = b;
      b = d;
      d = 0 - b1;
      // -g/f modulo 2^6, of which min(eta + 1, left) bits are used.
      const limit = eta + 1 > left ? left : eta + 1;
      w = (f * g * (f * f - 2)) & (<u32>0xffff_ffff >> <u32>(32 - limit)) & 63;
    } else {
      // -g/f modulo 2^4.
      const limit = eta + 1 > left ? left : eta + 1;
      const inverse = f + (((f + 1) & 4) << 1);
      w = ((0 - inverse) * g) & (<u32>0xffff_ffff >> <u32>(32 - limit)) & 15;
    }
    g += f * w;
    c += a * w;
    d += b * w;
  }
  u = <i32>a;
  v = <i32>b;
  q = <i32>c;
  r = <i32>d;
  return eta;
}

/** (d, e) = matrix * (d, e) / 2^30 modulo the modulus; both stay in (-2m, m). */
function updateDE(): void {
  const signD = load<i32>(D, 32) >> 31;
  const signE = load<i32>(E, 32) >> 31;
  let md = (u & signD) + (v & signE);
  let me = (q & signD) + (r & signE);
  const ul = <i64>u;
  const vl = <i64>v;
  const ql = <i64>q;
  const rl = <i64>r;
  let di = limb(D, 0);
  let ei = limb(E, 0);
  let cd = ul * di + vl * ei;
  let ce = ql * di + rl * ei;
  md -= <i32>((MODULUS_INVERSE_30 * <u32>cd + <u32>md) & <u32>MASK_30);
  me -= <i32>((MODULUS_INVERSE_30 * <u32>ce + <u32>me) & <u32>MASK_30);
  const mdl = <i64>md;
  const mel = <i64>me;
  let m = limb(MODULUS_30, 0);
  cd = (cd + m * mdl) >> 30;
  ce = (ce + m * mel) >> 30;
  for (let i = 1; i < LIMBS; i++) {
    di = limb(D, i);
    ei = limb(E, i);
    m = limb(MODULUS_30, i);
    cd += ul * di + vl * ei + m * mdl;
    ce += ql * di + rl * ei + m * mel;
    setLimb(D, i - 1, cd & MASK_30);
    setLimb(E, i - 1, ce & MASK_30);
    cd >>= 30;
    ce >>= 30;
  }
  setLimb(D, LIMBS - 1, cd);
  setLimb(E, LIMBS - 1, ce);
}

/** (f, g) = matrix * (f, g) / 2^30 over the integers, on `length` limbs. */
function updateFG(length: i32): void {
  const ul = <i64>u;
  const vl = <i64>v;
  const ql = <i64>q;
  const rl = <i64>r;
  let fi = limb(F, 0);
  let gi = limb(G, 0);
  let cf = (ul * fi + vl * gi) >> 30;
  let cg = (ql * fi + rl * gi) >> 30;
  for (let i = 1; i < length; i++) {
    fi = limb(F, i);
    gi = limb(G, i);
    cf += ul * fi + vl * gi;
    cg += ql * fi + rl * gi;
    setLimb(F, i - 1, cf & MASK_30);
    setLimb(G, i - 1, cg & MASK_30);
    cf >>= 30;
    cg >>= 30;
  }
  setLimb(F, length - 1, cf);
  setLimb(G, length - 1, cg);
}

/** Adds the modulus when `D` is negative, then negates when `negate`, then makes it non-negative again. */
function normaliseD(negate: bool): void {
  for (let pass = 0; pass < 2; pass++) {
    const add: i64 = load<i32>(D, 32) < 0 ? -1 : 0;
    const sign: i64 = pass == 0 && negate ? -1 : 1;
    let carry: i64 = 0;
    for (let i = 0; i < LIMBS; i++) {
      carry += (limb(D, i) + (limb(MODULUS_30, i) & add)) * sign;
      setLimb(D, i, i < LIMBS - 1 ? carry & MASK_30 : carry);
      carry >>= 30;
    }
  }
}

/**
 * Replaces the 32-byte little-endian integer at `bytes`, which is below the modulus, by its inverse. Returns whether
 * it has one; 0 stays 0.
 */
export function invertBytes(bytes: usize): bool {
  let any: u64 = 0;
  for (let i: usize = 0; i < 32; i += 8) any |= load<u64>(bytes + i);
  if (any == 0) return false;
  for (let i = 0; i < LIMBS; i++) {
    const bit = i * 30;
    const word = <usize>(bit >> 6);
    const shift = <u64>(bit & 63);
    let value = load<u64>(bytes + (word << 3)) >> shift;
    if (shift > 34 && word < 3) value |= load<u64>(bytes + (word << 3) + 8) << (64 - shift);
    setLimb(G, i, <i64>value & MASK_30);
    setLimb(F, i, limb(MODULUS_30, i));
    setLimb(D, i, 0);
    setLimb(E, i, i == 0 ? 1 : 0);
  }
  let eta = -1;
  let length = LIMBS;
  while (true) {
    eta = divsteps(eta, <u32>load<i32>(F), <u32>load<i32>(G));
    updateDE();
    updateFG(length);
    let rest: i32 = 0;
    for (let i = 0; i < length; i++) rest |= load<i32>(G + (<usize>i << 2));
    if (rest == 0) break;
    // Drop the top limb when both are plain sign extensions.
    const top = <usize>(length - 1) << 2;
    const fn = load<i32>(F + top);
    const gn = load<i32>(G + top);
    if (length > 1 && (fn == 0 || fn == -1) && (gn == 0 || gn == -1)) {
      store<i32>(F + top - 4, load<i32>(F + top - 4) | (fn << 30));
      store<i32>(G + top - 4, load<i32>(G + top - 4) | (gn << 30));
      length--;
    }
  }
  normaliseD(load<i32>(F + (<usize>(length - 1) << 2)) < 0);
  let word: u64 = 0;
  let bits: i32 = 0;
  let at = bytes;
  for (let i = 0; i < LIMBS; i++) {
    const value = <u64>limb(D, i);
    word |= value << <u64>bits;
    if (bits + 30 >= 64) {
      store<u64>(at, word);
      at += 8;
      word = bits > 34 ? value >> <u64>(64 - bits) : 0;
      bits -= 34;
    } else {
      bits += 30;
    }
  }
  if (at < bytes + 32) store<u64>(at, word);
  return true;
}
