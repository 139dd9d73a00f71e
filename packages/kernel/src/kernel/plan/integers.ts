// Little-endian integers, the form of scalars and field elements on the wire.

/** Accepts any number of bytes. */
export function decodeInteger(bytes: Uint8Array): bigint {
  let value = 0n;
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  let at = bytes.length;
  for (; at >= 8; at -= 8) value = (value << 64n) | view.getBigUint64(at - 8, true);
  for (; at > 0; at--) value = (value << 8n) | BigInt(bytes[at - 1]!);
  return value;
}

/** Returns 32 bytes; `value` is below 2^256. */
export function encodeInteger(value: bigint): Uint8Array {
  const out = new Uint8Array(32);
  const view = new DataView(out.buffer);
  for (let at = 0, rest = value; at < 32; at += 8, rest >>= 64n) {
    view.setBigUint64(at, BigInt.asUintN(64, rest), true);
  }
  return out;
}
