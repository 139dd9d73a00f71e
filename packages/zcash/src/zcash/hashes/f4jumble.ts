// F4Jumble (ZIP 316): an unkeyed 4-round Feistel permutation of a whole message, so that a changed character of a
// unified string changes all of its items. Intermediate values are wiped: the message may be a key.
import { asciiBytes, concatBytes, FormatError, wipe } from '@wallet-companion/base/bytes';
import { blake2b } from './blake2.ts';

const MIN_LENGTH = 38;
const MAX_LENGTH = 4_194_368;
const HASH_LENGTH = 64;

/** Permutes 38 to 4,194,368 bytes; FormatError for other lengths. */
export function f4jumble(message: Uint8Array): Uint8Array {
  const [a, b] = split(message);
  const x = xor(b, expand(0, a, b.length));
  const y = xor(a, shorten(0, x, a.length));
  const d = xor(x, expand(1, y, b.length));
  const c = xor(y, shorten(1, d, a.length));
  const jumbled = concatBytes(c, d);
  wipe(x, y, d, c);
  return jumbled;
}

export function f4jumbleInverse(jumbled: Uint8Array): Uint8Array {
  const [c, d] = split(jumbled);
  const y = xor(c, shorten(1, d, c.length));
  const x = xor(d, expand(1, y, d.length));
  const a = xor(y, shorten(0, x, c.length));
  const b = xor(x, expand(0, a, d.length));
  const message = concatBytes(a, b);
  wipe(y, x, a, b);
  return message;
}

function split(message: Uint8Array): readonly [Uint8Array, Uint8Array] {
  if (message.length < MIN_LENGTH || message.length > MAX_LENGTH) {
    throw new FormatError(
      `a unified encoding has ${MIN_LENGTH} to ${MAX_LENGTH} bytes, got ${message.length}`,
    );
  }
  const left = Math.min(HASH_LENGTH, message.length >>> 1);
  return [message.subarray(0, left), message.subarray(left)];
}

const H_DOMAIN = asciiBytes('UA_F4Jumble_H');
const G_DOMAIN = asciiBytes('UA_F4Jumble_G');

/** H_i */
function shorten(round: number, input: Uint8Array, length: number): Uint8Array {
  return blake2b(concatBytes(H_DOMAIN, Uint8Array.of(round, 0, 0)), length, input);
}

/** G_i */
function expand(round: number, input: Uint8Array, length: number): Uint8Array {
  const out = new Uint8Array(length);
  for (let j = 0; j * HASH_LENGTH < length; j++) {
    const personal = concatBytes(G_DOMAIN, Uint8Array.of(round, j & 0xff, j >>> 8));
    const start = j * HASH_LENGTH;
    out.set(blake2b(personal, HASH_LENGTH, input).subarray(0, length - start), start);
  }
  return out;
}

function xor(a: Uint8Array, b: Uint8Array): Uint8Array {
  return a.map((byte, i) => byte ^ b[i]!);
}
