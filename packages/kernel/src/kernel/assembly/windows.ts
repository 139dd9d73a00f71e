// Recoding of 32-byte scalars: width-5 non-adjacent form for variable bases, signed windows for fixed bases.

export const WIDTH: i32 = 5;
/** Odd multiples 1, 3, .. 15. */
export const ODD_MULTIPLES: usize = 8;
/** Digits of a full scalar, and of a half scalar of 128 bits. */
export const POSITIONS: i32 = 260;
export const HALF_POSITIONS: i32 = 136;
/** Positions that share a doubling: a table has the odd multiples of each 2^(64 i) times its point. */
export const PART: i32 = 64;

function bitsAt(scalar: usize, position: i32, count: i32): i32 {
  let value = 0;
  for (let i = count - 1; i >= 0; i--) {
    const bit = position + i;
    value = (value << 1) | (bit < 256 ? (load<u8>(scalar + <usize>(bit >> 3)) >> <u8>(bit & 7)) & 1 : 0);
  }
  return value;
}

/** Writes `positions` digits, each odd and signed or 0; the scalar has at most `positions` - 6 bits. */
export function recode(digits: usize, scalar: usize, positions: i32): void {
  memory.fill(digits, 0, <usize>positions);
  let carry = 0;
  let position = 0;
  while (position < positions - WIDTH) {
    if (bitsAt(scalar, position, 1) == carry) {
      position++;
      continue;
    }
    let word = bitsAt(scalar, position, WIDTH) + carry;
    carry = word >> (WIDTH - 1);
    word -= carry << WIDTH;
    store<i8>(digits + <usize>position, <i8>word);
    position += WIDTH;
  }
}

/** Multiples 1..32 of a fixed base in each window. */
export const WINDOW_BITS: i32 = 6;
export const WINDOW_ENTRIES: usize = 32;
/** Windows of a half scalar of 128 bits, with room for the carry. */
export const HALF_WINDOWS: usize = 22;

/** Writes a digit of -31 to 32 for each window; the scalar is below 2^(6 windows - 1). */
export function recodeWindows(digits: usize, scalar: usize, windows: usize): void {
  let carry = 0;
  for (let window: usize = 0; window < windows; window++) {
    const digit = bitsAt(scalar, <i32>window * WINDOW_BITS, WINDOW_BITS) + carry;
    carry = digit > <i32>WINDOW_ENTRIES ? 1 : 0;
    store<i8>(digits + window, <i8>(digit - (carry << WINDOW_BITS)));
  }
}
