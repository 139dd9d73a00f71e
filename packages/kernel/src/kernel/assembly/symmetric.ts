// Hashes and the stream cipher in the general form that candidates and hits need; the batch form of key derivation is
// generated. BLAKE2: RFC 7693. ChaCha20: RFC 8439.

import { compressBlake2b } from './blake2bCompression';
import { startBlake2b } from './blake2bStart';

export { deriveKeys, leadFlags } from './keyDerivation';

/** First byte after this module's static data. */
export function dataEnd(): usize {
  return __heap_base;
}

const IV_32: usize = memory.data<u32>([
  0x6a09e667, 0xbb67ae85, 0x3c6ef372, 0xa54ff53a, 0x510e527f, 0x9b05688c, 0x1f83d9ab, 0x5be0cd19,
], 16);
const SIGMA: usize = memory.data<u8>([
  0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 14, 10, 4, 8, 9, 15, 13, 6, 1, 12, 0, 2, 11, 7, 5, 3, 11, 8, 12,
  0, 5, 2, 15, 13, 10, 14, 3, 6, 7, 1, 9, 4, 7, 9, 3, 1, 13, 12, 11, 14, 2, 6, 5, 10, 4, 0, 15, 8, 9, 0, 5, 7, 2, 4, 10,
  15, 14, 1, 11, 12, 6, 8, 3, 13, 2, 12, 6, 10, 0, 11, 8, 3, 4, 13, 7, 5, 15, 14, 1, 9, 12, 5, 1, 15, 14, 13, 4, 10, 0,
  7, 6, 3, 9, 2, 8, 11, 13, 11, 7, 14, 12, 1, 3, 9, 5, 0, 15, 4, 8, 6, 2, 10, 6, 15, 14, 9, 11, 3, 0, 8, 12, 2, 13, 7,
  1, 4, 10, 5, 10, 2, 8, 4, 7, 6, 1, 5, 15, 11, 9, 14, 3, 12, 13, 0,
], 16);

/** Mixes of one round as indices (a, b, c, d): columns, then diagonals. */
const MIXES: usize = memory.data<u8>([
  0, 4, 8, 12, 1, 5, 9, 13, 2, 6, 10, 14, 3, 7, 11, 15, 0, 5, 10, 15, 1, 6, 11, 12, 2, 7, 8, 13, 3, 4, 9, 14,
], 16);

const STATE_64: usize = memory.data(64, 16);
const BLOCK_64: usize = memory.data(128, 16);

/** BLAKE2b of `length` bytes at `data` with a 16-byte personalisation (all zero for none). */
export function blake2b(o: usize, outLength: i32, personal: usize, data: usize, length: i32): void {
  startBlake2b(STATE_64, outLength, load<u64>(personal), load<u64>(personal, 8));
  let done = 0;
  for (; length - done > 128; done += 128) {
    compressBlake2b(STATE_64, data + <usize>done, <u64>(done + 128), 0);
  }
  memory.fill(BLOCK_64, 0, 128);
  memory.copy(BLOCK_64, data + <usize>done, <usize>(length - done));
  compressBlake2b(STATE_64, BLOCK_64, <u64>length, u64.MAX_VALUE);
  memory.copy(o, STATE_64, <usize>outLength);
}

const STATE_32: usize = memory.data(32, 16);
const WORK_32: usize = memory.data(64, 16);
const BLOCK_32: usize = memory.data(64, 16);

function compress32(total: u32, last: bool): void {
  for (let i: usize = 0; i < 32; i += 4) {
    store<u32>(WORK_32 + i, load<u32>(STATE_32 + i));
    store<u32>(WORK_32 + 32 + i, load<u32>(IV_32 + i));
  }
  store<u32>(WORK_32, load<u32>(WORK_32, 48) ^ total, 48);
  if (last) store<u32>(WORK_32, ~load<u32>(WORK_32, 56), 56);
  for (let round: usize = 0; round < 10; round++) {
    const sigma = SIGMA + round * 16;
    for (let i: usize = 0; i < 8; i++) {
      const pa = WORK_32 + (<usize>load<u8>(MIXES + i * 4) << 2);
      const pb = WORK_32 + (<usize>load<u8>(MIXES + i * 4, 1) << 2);
      const pc = WORK_32 + (<usize>load<u8>(MIXES + i * 4, 2) << 2);
      const pd = WORK_32 + (<usize>load<u8>(MIXES + i * 4, 3) << 2);
      let a = load<u32>(pa);
      let b = load<u32>(pb);
      let c = load<u32>(pc);
      let d = load<u32>(pd);
      a += b + load<u32>(BLOCK_32 + (<usize>load<u8>(sigma + i * 2) << 2));
      d = rotr<u32>(d ^ a, 16);
      c += d;
      b = rotr<u32>(b ^ c, 12);
      a += b + load<u32>(BLOCK_32 + (<usize>load<u8>(sigma + i * 2, 1) << 2));
      d = rotr<u32>(d ^ a, 8);
      c += d;
      b = rotr<u32>(b ^ c, 7);
      store<u32>(pa, a);
      store<u32>(pb, b);
      store<u32>(pc, c);
      store<u32>(pd, d);
    }
  }
  for (let i: usize = 0; i < 32; i += 4) {
    store<u32>(STATE_32 + i, load<u32>(STATE_32 + i) ^ load<u32>(WORK_32 + i) ^ load<u32>(WORK_32 + 32 + i));
  }
}

/** BLAKE2s-256 of `length` bytes at `data` with an 8-byte personalisation. */
export function blake2s(o: usize, personal: usize, data: usize, length: i32): void {
  memory.copy(STATE_32, IV_32, 32);
  store<u32>(STATE_32, load<u32>(STATE_32) ^ 0x0101_0020);
  store<u64>(STATE_32, load<u64>(STATE_32, 24) ^ load<u64>(personal), 24);
  let done = 0;
  while (length - done > 64) {
    memory.copy(BLOCK_32, data + <usize>done, 64);
    done += 64;
    compress32(<u32>done, false);
  }
  memory.fill(BLOCK_32, 0, 64);
  memory.copy(BLOCK_32, data + <usize>done, <usize>(length - done));
  compress32(<u32>length, true);
  memory.copy(o, STATE_32, 32);
}

const CHACHA_WORK: usize = memory.data(64, 16);
const CHACHA_START: usize = memory.data<u32>([0x61707865, 0x3320646e, 0x79622d32, 0x6b206574], 16);

/** One 64-byte keystream block; the nonce is zero, because note encryption uses every key only once. */
export function chacha20(o: usize, key: usize, counter: u32): void {
  memory.copy(CHACHA_WORK, CHACHA_START, 16);
  memory.copy(CHACHA_WORK + 16, key, 32);
  store<u32>(CHACHA_WORK, counter, 48);
  memory.fill(CHACHA_WORK + 52, 0, 12);
  memory.copy(o, CHACHA_WORK, 64);
  for (let round = 0; round < 10; round++) {
    for (let i: usize = 0; i < 8; i++) {
      const pa = o + (<usize>load<u8>(MIXES + i * 4) << 2);
      const pb = o + (<usize>load<u8>(MIXES + i * 4, 1) << 2);
      const pc = o + (<usize>load<u8>(MIXES + i * 4, 2) << 2);
      const pd = o + (<usize>load<u8>(MIXES + i * 4, 3) << 2);
      let a = load<u32>(pa);
      let b = load<u32>(pb);
      let c = load<u32>(pc);
      let d = load<u32>(pd);
      a += b;
      d = rotl<u32>(d ^ a, 16);
      c += d;
      b = rotl<u32>(b ^ c, 12);
      a += b;
      d = rotl<u32>(d ^ a, 8);
      c += d;
      b = rotl<u32>(b ^ c, 7);
      store<u32>(pa, a);
      store<u32>(pb, b);
      store<u32>(pc, c);
      store<u32>(pd, d);
    }
  }
  for (let i: usize = 0; i < 64; i += 4) store<u32>(o + i, load<u32>(o + i) + load<u32>(CHACHA_WORK + i));
}

// Poly1305 on five 26-bit limbs (RFC 8439 §2.5).
const LIMB: u64 = 0x3ff_ffff;
const POLY_KEY: usize = memory.data(64, 16);
const POLY_BLOCK: usize = memory.data(16, 16);
const POLY_TAG: usize = memory.data(16, 16);

/**
 * The tag of the AEAD without additional data, at POLY_TAG: of the ciphertext padded to whole blocks, and a block with
 * its length.
 */
function authenticate(data: usize, length: i32): void {
  const key = POLY_KEY;
  const r0 = <u64>load<u32>(key) & 0x3ff_ffff;
  const r1 = (<u64>load<u32>(key, 3) >> 2) & 0x3ff_ff03;
  const r2 = (<u64>load<u32>(key, 6) >> 4) & 0x3ff_c0ff;
  const r3 = (<u64>load<u32>(key, 9) >> 6) & 0x3f0_3fff;
  const r4 = (<u64>load<u32>(key, 12) >> 8) & 0x00f_ffff;
  const s1 = r1 * 5;
  const s2 = r2 * 5;
  const s3 = r3 * 5;
  const s4 = r4 * 5;
  let h0: u64 = 0;
  let h1: u64 = 0;
  let h2: u64 = 0;
  let h3: u64 = 0;
  let h4: u64 = 0;
  const whole = length & ~15;
  for (let done = 0; done <= length + 15; done += 16) {
    let block = data + <usize>done;
    if (done >= whole) {
      block = POLY_BLOCK;
      memory.fill(POLY_BLOCK, 0, 16);
      const rest = length - done;
      if (rest > 0) memory.copy(POLY_BLOCK, data + <usize>done, <usize>rest);
      else store<u64>(POLY_BLOCK, <u64>length, 8);
    }
    h0 += <u64>load<u32>(block) & LIMB;
    h1 += (<u64>load<u32>(block, 3) >> 2) & LIMB;
    h2 += (<u64>load<u32>(block, 6) >> 4) & LIMB;
    h3 += <u64>load<u32>(block, 9) >> 6;
    h4 += (<u64>load<u32>(block, 12) >> 8) | (1 << 24);
    const d0 = h0 * r0 + h1 * s4 + h2 * s3 + h3 * s2 + h4 * s1;
    let d1 = h0 * r1 + h1 * r0 + h2 * s4 + h3 * s3 + h4 * s2;
    let d2 = h0 * r2 + h1 * r1 + h2 * r0 + h3 * s4 + h4 * s3;
    let d3 = h0 * r3 + h1 * r2 + h2 * r1 + h3 * r0 + h4 * s4;
    let d4 = h0 * r4 + h1 * r3 + h2 * r2 + h3 * r1 + h4 * r0;
    d1 += d0 >> 26;
    d2 += d1 >> 26;
    d3 += d2 >> 26;
    d4 += d3 >> 26;
    h0 = (d0 & LIMB) + (d4 >> 26) * 5;
    h1 = (d1 & LIMB) + (h0 >> 26);
    h0 &= LIMB;
    h2 = d2 & LIMB;
    h3 = d3 & LIMB;
    h4 = d4 & LIMB;
  }
  h2 += h1 >> 26;
  h1 &= LIMB;
  h3 += h2 >> 26;
  h2 &= LIMB;
  h4 += h3 >> 26;
  h3 &= LIMB;
  h0 += (h4 >> 26) * 5;
  h4 &= LIMB;
  h1 += h0 >> 26;
  h0 &= LIMB;
  // h - p, which replaces h unless it is negative.
  const g0 = h0 + 5;
  const g1 = h1 + (g0 >> 26);
  const g2 = h2 + (g1 >> 26);
  const g3 = h3 + (g2 >> 26);
  const g4 = h4 + (g3 >> 26) - (1 << 26);
  const keep: u64 = 0 - (g4 >> 63);
  h0 = (h0 & keep) | (g0 & LIMB & ~keep);
  h1 = (h1 & keep) | (g1 & LIMB & ~keep);
  h2 = (h2 & keep) | (g2 & LIMB & ~keep);
  h3 = (h3 & keep) | (g3 & LIMB & ~keep);
  h4 = (h4 & keep) | (g4 & LIMB & ~keep);
  let word = (h0 | (h1 << 26)) & 0xffff_ffff;
  word += <u64>load<u32>(key, 16);
  store<u32>(POLY_TAG, <u32>word);
  word = (word >> 32) + (((h1 >> 6) | (h2 << 20)) & 0xffff_ffff) + <u64>load<u32>(key, 20);
  store<u32>(POLY_TAG, <u32>word, 4);
  word = (word >> 32) + (((h2 >> 12) | (h3 << 14)) & 0xffff_ffff) + <u64>load<u32>(key, 24);
  store<u32>(POLY_TAG, <u32>word, 8);
  word = (word >> 32) + (((h3 >> 18) | (h4 << 8)) & 0xffff_ffff) + <u64>load<u32>(key, 28);
  store<u32>(POLY_TAG, <u32>word, 12);
}

/**
 * Opens `length` bytes of ciphertext and the tag that follows them with ChaCha20-Poly1305 (RFC 8439 §2.8): no additional
 * data, the nonce zero as above. False, and nothing is written, when the tag is wrong.
 */
export function openSealed(o: usize, key: usize, ciphertext: usize, length: i32): bool {
  chacha20(POLY_KEY, key, 0);
  authenticate(ciphertext, length);
  const tag = ciphertext + <usize>length;
  const difference = (load<u64>(tag) ^ load<u64>(POLY_TAG)) | (load<u64>(tag, 8) ^ load<u64>(POLY_TAG, 8));
  if (difference != 0) return false;
  for (let done = 0; done < length; done += 64) {
    chacha20(POLY_KEY, key, <u32>(done >> 6) + 1);
    const end = length - done < 64 ? length - done : 64;
    for (let i: i32 = 0; i < end; i++) {
      store<u8>(o + <usize>(done + i), load<u8>(ciphertext + <usize>(done + i)) ^ load<u8>(POLY_KEY + <usize>i));
    }
  }
  return true;
}
