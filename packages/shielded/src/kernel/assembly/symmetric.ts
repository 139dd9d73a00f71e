// Hashes and the stream cipher in the general form that candidates and hits need; the batch form of key derivation is
// generated. BLAKE2: RFC 7693. ChaCha20: RFC 8439.

import { compressBlake2b } from './blake2bCompression';

export { deriveKeys, leadFlags } from './keyDerivation';

/** First byte after this module's static data. */
export function dataEnd(): usize {
  return __heap_base;
}

const IV_64: usize = memory.data<u64>([
  0x6a09e667f3bcc908, 0xbb67ae8584caa73b, 0x3c6ef372fe94f82b, 0xa54ff53a5f1d36f1, 0x510e527fade682d1,
  0x9b05688c2b3e6c1f, 0x1f83d9abfb41bd6b, 0x5be0cd19137e2179,
], 16);
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
  memory.copy(STATE_64, IV_64, 64);
  store<u64>(STATE_64, load<u64>(STATE_64) ^ (0x0101_0000 | <u64>outLength));
  store<u64>(STATE_64, load<u64>(STATE_64, 48) ^ load<u64>(personal), 48);
  store<u64>(STATE_64, load<u64>(STATE_64, 56) ^ load<u64>(personal, 8), 56);
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
