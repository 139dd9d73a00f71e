// Hexadecimal, read from the bytes of its text: no string is made of it. Two digits are one table look-up.

/** Text is copied here and read as 16-bit units, which must start at an even address. */
const STAGE = new Uint8Array(16_384);
const STAGED_PAIRS = new Uint16Array(STAGE.buffer);

/** By pair of digits; negative where one of them is no digit. */
const VALUES = new Int16Array(65_536).fill(-1);
const DIGITS = '0123456789abcdefABCDEF';
for (const high of DIGITS) {
  for (const low of DIGITS) {
    STAGE[0] = high.charCodeAt(0);
    STAGE[1] = low.charCodeAt(0);
    VALUES[STAGED_PAIRS[0]!] = Number.parseInt(high + low, 16);
  }
}

/** Writes the bytes of a text of an even length to `target` from `at` on; false when not all of it is hexadecimal. */
export function decodeHex(text: Uint8Array, target: Uint8Array, at: number): boolean {
  let written = at;
  let seen = 0;
  for (let from = 0; from < text.length; from += STAGE.length) {
    const piece = text.subarray(from, from + STAGE.length);
    STAGE.set(piece);
    const pairs = piece.length >>> 1;
    for (let i = 0; i < pairs; i++) {
      const value = VALUES[STAGED_PAIRS[i]!]!;
      seen |= value;
      target[written++] = value;
    }
  }
  return seen >= 0;
}
