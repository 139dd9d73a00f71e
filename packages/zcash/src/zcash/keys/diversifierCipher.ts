// The permutation between diversifier indices and diversifiers: FF1-AES256 (NIST SP 800-38G) with radix 2 on 88 bits
// and an empty tweak, as ZIP 32 uses it for Sapling and Orchard.
//
// With these parameters FF1 comes down to ten rounds of two AES blocks, the first of which never changes, and a half of
// 44 bits fits into a double.

import { assertLength, bigintToLeBytes, leBytesToBigint } from '@wallet-companion/base/bytes';
import { keyedAes } from '#platform';

export const DIVERSIFIER_LENGTH = 11;
/** Indices are below 2^88. */
export const DIVERSIFIER_INDEX_END = 1n << 88n;

const HALF_BITS = 44;
const HALF_RANGE = 2 ** HALF_BITS;
const ROUNDS = 10;
/** P of FF1: version and method, radix 2, ten rounds, half length, n = 88, no tweak. */
const FIRST_BLOCK = Uint8Array.of(1, 2, 1, 0, 0, 2, 10, HALF_BITS, 0, 0, 0, 88, 0, 0, 0, 0);

export interface DiversifierCipher {
  /** The 11-byte diversifier of an index in [0, 2^88). */
  diversifierAt(index: bigint): Uint8Array;
  indexOf(diversifier: Uint8Array): bigint;
}

/** `dk` is the 32-byte diversifier key. */
export function createDiversifierCipher(dk: Uint8Array): DiversifierCipher {
  assertLength(dk, 32, 'diversifier key');
  const aes = keyedAes(dk);
  const firstOutput = aes(FIRST_BLOCK);

  /** The round function modulo 2^44: the low bits of the first d = 12 bytes of the CBC-MAC. */
  const round = (number: number, half: number): number => {
    const block = new Uint8Array(16);
    block[9] = number;
    const view = new DataView(block.buffer);
    view.setUint16(10, half / 2 ** 32);
    view.setUint32(12, half % 2 ** 32);
    for (let i = 0; i < 16; i++) block[i]! ^= firstOutput[i]!;
    const mac = aes(block);
    const low = new DataView(mac.buffer, mac.byteOffset, 16);
    return (low.getUint16(6) * 2 ** 32 + low.getUint32(8)) % HALF_RANGE;
  };

  return {
    diversifierAt(index) {
      if (index < 0n || index >= DIVERSIFIER_INDEX_END)
        throw new RangeError('diversifier indices are below 2^88');
      let [a, b] = splitHalves(bigintToLeBytes(index, DIVERSIFIER_LENGTH));
      for (let i = 0; i < ROUNDS; i++) [a, b] = [b, (a + round(i, b)) % HALF_RANGE];
      return joinHalves(a, b);
    },
    indexOf(diversifier) {
      assertLength(diversifier, DIVERSIFIER_LENGTH, 'diversifier');
      let [a, b] = splitHalves(diversifier);
      for (let i = ROUNDS - 1; i >= 0; i--) [a, b] = [(b - round(i, a) + HALF_RANGE) % HALF_RANGE, a];
      return leBytesToBigint(joinHalves(a, b));
    },
  };
}

/** The numeral string takes each byte's bits lowest first; a half is the big-endian number of its 44 numerals. */
function splitHalves(bytes: Uint8Array): [number, number] {
  const halves: [number, number] = [0, 0];
  for (let i = 0; i < 2 * HALF_BITS; i++) {
    const half = i < HALF_BITS ? 0 : 1;
    halves[half] = halves[half] * 2 + ((bytes[i >>> 3]! >>> (i & 7)) & 1);
  }
  return halves;
}

function joinHalves(a: number, b: number): Uint8Array {
  const bytes = new Uint8Array(DIVERSIFIER_LENGTH);
  const halves = [a, b] as const;
  for (let i = 0; i < 2 * HALF_BITS; i++) {
    const half = i < HALF_BITS ? halves[0] : halves[1];
    const weight = 2 ** (HALF_BITS - 1 - (i % HALF_BITS));
    if (Math.floor(half / weight) % 2 === 1) bytes[i >>> 3]! |= 1 << (i & 7);
  }
  return bytes;
}
