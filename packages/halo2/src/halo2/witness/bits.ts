// Parts of integers.

/** Bits `from` to `to` - 1 as an integer. */
export const bits = (value: bigint, from: number, to: number): bigint =>
  BigInt.asUintN(to - from, value >> BigInt(from));

/** The least significant digit first; an integer has as many bits as the digits, or fewer. */
export function digitsOf(value: bigint, bitsPerDigit: number, count: number): number[] {
  const digits: number[] = [];
  for (let rest = value, i = 0; i < count; i++, rest >>= BigInt(bitsPerDigit)) {
    digits.push(Number(BigInt.asUintN(bitsPerDigit, rest)));
  }
  return digits;
}
