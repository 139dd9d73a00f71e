// Recoding of 32-byte scalars: width-5 non-adjacent form for variable bases.

export const WIDTH: i32 = 5;
/** Odd multiples 1, 3, .. 15. */
export const ODD_MULTIPLES: usize = 8;
/** Digits of a full scalar, and of a half scalar of 128 bits. */
export const POSITIONS: i32 = 260;
export const HALF_POSITIONS: i32 = 136;

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
