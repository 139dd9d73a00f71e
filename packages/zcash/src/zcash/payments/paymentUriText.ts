// The two encodings of text in a payment request (ZIP 321): `qchar` with percent encoding, and base64url without padding.
import { base64urlnopad } from '@scure/base';
import { FormatError } from '@wallet-companion/base/bytes';

/** unreserved, allowed-delims, ":" and "@"; all other bytes are %XX. */
const QCHARS = /^(?:[A-Za-z0-9._~!$'()*+,;:@-]|%[0-9A-Fa-f]{2})*$/;

/** `encodeURIComponent` leaves unreserved characters and ! ' ( ) * alone, all of them allowed. */
export function encodeQchars(text: string): string {
  try {
    // A plus stays encoded: some readers take it for a space.
    return encodeURIComponent(text).replaceAll(/%(?:24|2C|3A|3B|40)/g, decodeURIComponent);
  } catch {
    throw new FormatError('the text is not valid Unicode');
  }
}

export function decodeQchars(text: string): string {
  if (!QCHARS.test(text)) throw new FormatError('a text has characters that must be percent-encoded');
  try {
    return decodeURIComponent(text);
  } catch {
    throw new FormatError('a text is not percent-encoded UTF-8');
  }
}

/**
 * In 64 characters at a time, of 48 bytes: the codec's arrays are not wiped, and the engine keeps those of at most 64 bytes
 * in the heap, which ends with the thread. Longer ones are freed as they are, with somebody's memo in them.
 */
const CHARACTERS = 64;
const BYTES = (CHARACTERS / 4) * 3;

export function encodeBase64Url(bytes: Uint8Array): string {
  let text = '';
  for (let at = 0; at < bytes.length; at += BYTES) {
    text += base64urlnopad.encode(bytes.subarray(at, at + BYTES));
  }
  return text;
}

/** Accepts one spelling of the same bytes: no padding, and no bits beyond the last byte. */
export function decodeBase64Url(text: string, what = 'a memo'): Uint8Array {
  const bytes = new Uint8Array(Math.floor((text.length * 3) / 4));
  try {
    for (let at = 0; at < text.length; at += CHARACTERS) {
      bytes.set(base64urlnopad.decode(text.slice(at, at + CHARACTERS)), (at / CHARACTERS) * BYTES);
    }
    return bytes;
  } catch {
    throw new FormatError(`${what} is not base64url without padding`);
  }
}
