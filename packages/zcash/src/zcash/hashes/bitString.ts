// Bit strings for the two algebraic hashes: bits are taken least significant first from each byte (LEBS2OSP order,
// protocol specification §5.1), and parts that end inside a byte are joined without padding.

export interface BitString {
  /** Zero beyond `length`. */
  readonly bytes: Uint8Array;
  /** In bits. */
  readonly length: number;
}

/** Concatenates the first `bits` bits of each part. */
export function joinBits(...parts: readonly (readonly [bytes: Uint8Array, bits: number])[]): BitString {
  const length = parts.reduce((sum, [, bits]) => sum + bits, 0);
  // One extra byte takes the zero bits that the last part spills over.
  const bytes = new Uint8Array(Math.ceil(length / 8) + 1);
  let position = 0;
  for (const [part, bits] of parts) {
    const shift = position & 7;
    for (let done = 0; done < bits; done += 8) {
      const left = bits - done;
      const byte = left < 8 ? part[done >>> 3]! & ((1 << left) - 1) : part[done >>> 3]!;
      const target = (position + done) >>> 3;
      bytes[target]! |= byte << shift;
      bytes[target + 1]! |= byte >>> (8 - shift);
    }
    position += bits;
  }
  return { bytes, length };
}

/** `count` (at most 16) bits from `offset` as an integer, first bit lowest; bits beyond the end are zero. */
export function readBits({ bytes }: BitString, offset: number, count: number): number {
  const index = offset >>> 3;
  const window = (bytes[index] ?? 0) | ((bytes[index + 1] ?? 0) << 8) | ((bytes[index + 2] ?? 0) << 16);
  return (window >>> (offset & 7)) & ((1 << count) - 1);
}
