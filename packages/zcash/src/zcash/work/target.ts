// Targets of proof of work, their compact form in headers, and the work that they stand for: protocol specification §7.7.2, §7.7.4.

const MANTISSA_BITS = 23;
const SIGN_BIT = 1 << MANTISSA_BITS;
const LARGEST = 1n << 256n;

/** The target of a header's `nBits`; undefined where it is negative, zero, or has more than 256 bits. */
export function targetOf(bits: number): bigint | undefined {
  const mantissa = BigInt(bits & (SIGN_BIT - 1));
  const shift = BigInt(8 * ((bits >>> 24) - 3));
  if ((bits & SIGN_BIT) !== 0) return undefined;
  const target = shift >= 0n ? mantissa << shift : mantissa >> -shift;
  return target > 0n && target < LARGEST ? target : undefined;
}

/** The compact form of a target of 0 to 2^256 - 1, which keeps its highest 16 to 23 bits. */
export function compactTarget(target: bigint): number {
  let size = Math.ceil(bitLength(target) / 8);
  const shift = BigInt(8 * (size - 3));
  let mantissa = Number(shift >= 0n ? target >> shift : target << -shift);
  if ((mantissa & SIGN_BIT) !== 0) {
    mantissa >>= 8;
    size++;
  }
  return ((size << 24) | mantissa) >>> 0;
}

/** The number of hashes that are expected for one that meets the target. */
export const workOf = (target: bigint): bigint => LARGEST / (target + 1n);

const bitLength = (value: bigint): number => (value === 0n ? 0 : value.toString(2).length);
