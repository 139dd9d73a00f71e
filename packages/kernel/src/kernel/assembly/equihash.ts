// Whether a solution solves Equihash for a block header: protocol specification §7.7.1.

import { compressBlake2b } from './blake2bCompression';
import { startBlake2b } from './blake2bStart';

/** First byte after this module's static data. */
export function dataEnd(): usize {
  return __heap_base;
}

/** "ZcashPoW", read as a little-endian word. */
const PERSONAL: u64 = 0x576f_5068_7361_635a;
/** Bytes of the header that are hashed: up to its nonce and with it. */
const INPUT_BYTES: usize = 140;
const BLOCK_BYTES: usize = 128;
/** Space of one string; of the widest, 25 bytes are used. */
const ROW: usize = 32;

/** After the first 128 bytes of the input, which all strings have in common. */
const START: usize = memory.data(64, 16);
const STATE: usize = memory.data(64, 16);
const BLOCK: usize = memory.data(128, 16);

/** Big-endian: `bits` bits (at most 25) from bit `at` on. Reads up to three bytes past them. */
function readIndex(bytes: usize, at: usize, bits: i32): u32 {
  const word = bswap<u32>(load<u32>(bytes + (at >> 3)));
  return (word << <u32>(at & 7)) >> <u32>(32 - bits);
}

/** Writes the string of an index: 512 / n of them share a hash. */
function writeString(o: usize, index: u32, perHash: u32, bytes: usize): void {
  memory.copy(STATE, START, 64);
  store<u32>(BLOCK, index / perHash, INPUT_BYTES - BLOCK_BYTES);
  compressBlake2b(STATE, BLOCK, INPUT_BYTES + 4, u64.MAX_VALUE);
  memory.copy(o, STATE + <usize>(index % perHash) * bytes, bytes);
}

/** Whether the first `bits` bits are zero. */
function startsWithZeros(row: usize, bits: i32): bool {
  const whole = <usize>(bits >> 3);
  for (let i: usize = 0; i < whole; i++) if (load<u8>(row + i) != 0) return false;
  const rest = bits & 7;
  return rest == 0 || load<u8>(row + whole) >> <u8>(8 - rest) == 0;
}

/**
 * `n` is a multiple of 8 and of k + 1, at most 256. `solution`: 2^k indices of n / (k + 1) + 1 bits, and three bytes more. `seen`: a
 * bit for each index that can be, all zero, as they are again afterwards. `rows`: 2^k strings, and behind them as many
 * indices of four bytes.
 */
export function solves(input: usize, solution: usize, n: i32, k: i32, seen: usize, rows: usize): bool {
  const count = <usize>1 << k;
  const width = n / (k + 1);
  const perHash = <u32>(512 / n);
  const bytes = <usize>(n >> 3);
  startBlake2b(START, <i32>(perHash * <u32>bytes), PERSONAL, <u64>n | (<u64>k << 32));
  compressBlake2b(START, input, BLOCK_BYTES, 0);
  memory.fill(BLOCK, 0, BLOCK_BYTES);
  memory.copy(BLOCK, input + BLOCK_BYTES, INPUT_BYTES - BLOCK_BYTES);

  const firsts = rows + count * ROW;
  let read: usize = 0;
  let areDifferent = true;
  for (; read < count; read++) {
    const index = readIndex(solution, read * <usize>(width + 1), width + 1);
    const byte = seen + <usize>(index >> 3);
    const bit = <u8>1 << <u8>(index & 7);
    if ((load<u8>(byte) & bit) != 0) {
      areDifferent = false;
      break;
    }
    store<u8>(byte, load<u8>(byte) | bit);
    store<u32>(firsts + read * 4, index);
  }
  for (let i: usize = 0; i < read; i++) store<u8>(seen + <usize>(load<u32>(firsts + i * 4) >> 3), 0);
  if (!areDifferent) return false;

  for (let i: usize = 0; i < count; i++) {
    const row = rows + i * ROW;
    memory.fill(row, 0, ROW);
    writeString(row, load<u32>(firsts + i * 4), perHash, bytes);
  }
  // In each round neighbours are joined, the one with the smaller first index on the left, and become shorter by `width`.
  for (let round = 1; round <= k; round++) {
    const pairs = count >> round;
    for (let i: usize = 0; i < pairs; i++) {
      const left = load<u32>(firsts + 8 * i);
      if (left >= load<u32>(firsts + 8 * i, 4)) return false;
      store<u32>(firsts + 4 * i, left);
      const from = rows + 2 * i * ROW;
      const joined = rows + i * ROW;
      for (let word: usize = 0; word < ROW; word += 8) {
        store<u64>(joined + word, load<u64>(from + word) ^ load<u64>(from + word, ROW));
      }
      if (!startsWithZeros(joined, round == k ? n : width * round)) return false;
    }
  }
  return true;
}
