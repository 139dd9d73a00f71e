// Fields of the app's commands as bytes. Whole numbers are little-endian, but parts of derivation paths are big-endian.

export const joinBytes = (...parts: readonly Uint8Array[]): Uint8Array => {
  const all = new Uint8Array(parts.reduce((length, part) => length + part.length, 0));
  let at = 0;
  for (const part of parts) {
    all.set(part, at);
    at += part.length;
  }
  return all;
};

const written = (length: number, write: (view: DataView) => void): Uint8Array => {
  const bytes = new Uint8Array(length);
  write(new DataView(bytes.buffer));
  return bytes;
};

export const fromHex = (text: string): Uint8Array =>
  Uint8Array.from(text.match(/../g) ?? [], (pair) => Number.parseInt(pair, 16));

export const u8 = (value: number): Uint8Array => written(1, (view) => view.setUint8(0, value));
export const u32 = (value: number): Uint8Array => written(4, (view) => view.setUint32(0, value, true));
export const u64 = (value: bigint): Uint8Array => written(8, (view) => view.setBigUint64(0, value, true));

export const optional = (value: number | undefined): Uint8Array =>
  value === undefined ? u8(0) : joinBytes(u8(1), u32(value));

/** The lengths that occur here need no more than two bytes. */
export const compactSize = (value: number): Uint8Array =>
  value < 253
    ? u8(value)
    : joinBytes(
        u8(253),
        written(2, (view) => view.setUint16(0, value, true)),
      );

export const HARDENED = 0x8000_0000;
export const harden = (index: number): number => (index | HARDENED) >>> 0;

export const derivationPath = (path: readonly number[]): Uint8Array =>
  joinBytes(u8(path.length), ...path.map((part) => written(4, (view) => view.setUint32(0, part))));
