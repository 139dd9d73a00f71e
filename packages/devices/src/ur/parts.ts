// A message as parts, endlessly: first its fragments in order, then mixtures of them, so that a reader that missed some waits
// for any others instead of for these.

import { encodeQR } from 'qr';
import { crc32 } from './bytewords.ts';
import { mixing, xorInto } from './fountain.ts';
import { MAX_MESSAGE, MAX_TOTAL, partText, wholeText } from './part.ts';

export interface UrPart {
  readonly text: string;
  /** From 1, and above `total` for mixtures; 1 of 1 where the message needs no parts. */
  readonly number: number;
  /** The fragments of the message: so many parts at least, none of them lost, make it whole. */
  readonly total: number;
}

export interface UrOptions {
  /** Bytes of the message in one part. */
  readonly maxFragment: number;
}

/** Throws `RangeError` for a message that no reader of ours would take. */
export function* urParts(
  type: string,
  cbor: Uint8Array,
  { maxFragment }: UrOptions,
): Generator<UrPart, never, void> {
  const total = Math.ceil(cbor.length / maxFragment);
  if (cbor.length < 1 || cbor.length > MAX_MESSAGE || !(total >= 1 && total <= MAX_TOTAL))
    throw new RangeError('the message is empty or too large for QR codes');
  if (total === 1) for (const text = wholeText(type, cbor); ; ) yield { text, number: 1, total };
  const size = Math.ceil(cbor.length / total);
  const padded = new Uint8Array(size * total);
  padded.set(cbor);
  const message = { type, total, length: cbor.length, checksum: crc32(cbor) };
  const mixed = mixing(total, message.checksum);
  for (let number = 1; ; number++) {
    const fragment = new Uint8Array(size);
    for (const at of mixed(number)) xorInto(fragment, padded.subarray(at * size, (at + 1) * size));
    yield { text: partText({ ...message, number, fragment }), number, total };
  }
}

// The QR code of a part. Little redundancy: a code that cannot be read is made up for by another one, and small codes can be
// read from farther away.

/** ISO/IEC 18004: the margin that a reader needs around the symbol, in modules. */
const QUIET_ZONE = 4;

/** Rows of modules, true where dark, with the quiet zone around them. */
export const urCode = (text: string): readonly (readonly boolean[])[] =>
  // Capitals take less room: a code has a shorter way to write them.
  encodeQR(text.toUpperCase(), 'raw', { ecc: 'low', encoding: 'alphanumeric', border: QUIET_ZONE });
