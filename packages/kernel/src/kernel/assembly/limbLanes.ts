// Bytes in and out of the nine-limb form (29-bit limbs as u32, 36 of 40 bytes used), shared by the portable kernel
// and the scalar arithmetic of hits.

import { MODULUS } from './limbs';

const MASK: u64 = (1 << 29) - 1;

/** Reads a little-endian integer below 2^255; bit 255 is ignored. */
export function readLane(o: usize, bytes: usize): void {
  const w0 = load<u64>(bytes);
  const w1 = load<u64>(bytes, 8);
  const w2 = load<u64>(bytes, 16);
  const w3 = load<u64>(bytes, 24) & 0x7fff_ffff_ffff_ffff;
  store<u32>(o, <u32>(w0 & MASK));
  store<u32>(o, <u32>((w0 >> 29) & MASK), 4);
  store<u32>(o, <u32>(((w0 >> 58) | (w1 << 6)) & MASK), 8);
  store<u32>(o, <u32>((w1 >> 23) & MASK), 12);
  store<u32>(o, <u32>(((w1 >> 52) | (w2 << 12)) & MASK), 16);
  store<u32>(o, <u32>((w2 >> 17) & MASK), 20);
  store<u32>(o, <u32>(((w2 >> 46) | (w3 << 18)) & MASK), 24);
  store<u32>(o, <u32>((w3 >> 11) & MASK), 28);
  store<u32>(o, <u32>((w3 >> 40) & MASK), 32);
}

/** Whether `a` >= modulus; limbs are carried. */
function notBelowModulus(a: usize): bool {
  for (let i: isize = 8; i >= 0; i--) {
    const limb = <i64>load<u32>(a + <usize>i * 4);
    const m = load<i64>(MODULUS + <usize>i * 8);
    if (limb !== m) return limb > m;
  }
  return true;
}

/** Reduces a stored value (below 2^256) to its canonical representative in place. */
export function canonicalise(a: usize): void {
  while (notBelowModulus(a)) {
    let carry: i64 = 0;
    for (let i: usize = 0; i < 9; i++) {
      carry += <i64>load<u32>(a + i * 4) - load<i64>(MODULUS + i * 8);
      store<u32>(a + i * 4, <u32>(carry & <i64>MASK));
      carry >>= 29;
    }
  }
}

const CANONICAL: usize = memory.data(40, 16);

/** Writes the canonical little-endian integer of a stored value. */
export function writeLane(bytes: usize, a: usize): void {
  memory.copy(CANONICAL, a, 36);
  canonicalise(CANONICAL);
  const l2 = <u64>load<u32>(CANONICAL, 8);
  const l4 = <u64>load<u32>(CANONICAL, 16);
  const l6 = <u64>load<u32>(CANONICAL, 24);
  store<u64>(bytes, <u64>load<u32>(CANONICAL) | (<u64>load<u32>(CANONICAL, 4) << 29) | (l2 << 58));
  store<u64>(bytes, (l2 >> 6) | (<u64>load<u32>(CANONICAL, 12) << 23) | (l4 << 52), 8);
  store<u64>(bytes, (l4 >> 12) | (<u64>load<u32>(CANONICAL, 20) << 17) | (l6 << 46), 16);
  store<u64>(bytes, (l6 >> 18) | (<u64>load<u32>(CANONICAL, 28) << 11) | (<u64>load<u32>(CANONICAL, 32) << 40), 24);
}
