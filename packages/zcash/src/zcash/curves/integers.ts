// 32- and 64-byte little-endian integers as bigint: I2LEOSP and LEOS2IP of the protocol specification §5.1, on 64-bit
// words because they run several times per trial decryption.

const SIZE = 32;
/**
 * A buffer for integers that may be keys. A view of a short array would move its bytes out of the heap that ends with
 * the thread, so they are copied through this buffer, which is wiped.
 */
const passing = new Uint8Array(SIZE);
const view = new DataView(passing.buffer);

/** The integer in the 32 bytes at `offset`. */
export function decodeInteger32(bytes: Uint8Array, offset = 0): bigint {
  if (offset + SIZE > bytes.length) throw new RangeError('an integer has 32 bytes');
  for (let i = 0; i < SIZE; i++) passing[i] = bytes[offset + i]!;
  const value =
    (((view.getBigUint64(24, true) << 64n) | view.getBigUint64(16, true)) << 128n) |
    ((view.getBigUint64(8, true) << 64n) | view.getBigUint64(0, true));
  passing.fill(0);
  return value;
}

/** `value` must be below 2^256; a larger one would be truncated. */
export function encodeInteger32(value: bigint): Uint8Array {
  view.setBigUint64(0, BigInt.asUintN(64, value), true);
  view.setBigUint64(8, BigInt.asUintN(64, value >> 64n), true);
  view.setBigUint64(16, BigInt.asUintN(64, value >> 128n), true);
  view.setBigUint64(24, BigInt.asUintN(64, value >> 192n), true);
  const encoded = passing.slice();
  passing.fill(0);
  return encoded;
}

/** The integer in 64 bytes, for the wide reductions ToBase and ToScalar. */
export function decodeInteger64(bytes: Uint8Array): bigint {
  return (decodeInteger32(bytes, 32) << 256n) | decodeInteger32(bytes, 0);
}
