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

export const encodeBase64Url = (bytes: Uint8Array): string => base64urlnopad.encode(bytes);

/** Accepts one spelling of the same bytes: no padding, and no bits beyond the last byte. */
export function decodeBase64Url(text: string): Uint8Array {
  try {
    return base64urlnopad.decode(text);
  } catch {
    throw new FormatError('a memo is not base64url without padding');
  }
}
