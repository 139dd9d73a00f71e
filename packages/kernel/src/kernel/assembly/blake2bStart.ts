// The state with which an unkeyed BLAKE2b begins: RFC 7693 §2.5, the personalisation of the BLAKE2 paper.

const IV: usize = memory.data<u64>([
  0x6a09e667f3bcc908, 0xbb67ae8584caa73b, 0x3c6ef372fe94f82b, 0xa54ff53a5f1d36f1, 0x510e527fade682d1,
  0x9b05688c2b3e6c1f, 0x1f83d9abfb41bd6b, 0x5be0cd19137e2179,
], 16);

/** For a digest of `outLength` bytes; the personalisation's 16 bytes as two words. */
export function startBlake2b(state: usize, outLength: i32, personal0: u64, personal1: u64): void {
  memory.copy(state, IV, 64);
  store<u64>(state, load<u64>(state) ^ (0x0101_0000 | <u64>outLength));
  store<u64>(state, load<u64>(state, 48) ^ personal0, 48);
  store<u64>(state, load<u64>(state, 56) ^ personal1, 56);
}
