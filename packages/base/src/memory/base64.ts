// Base64 of bytes that are nobody else's business: Node's own codec copies the text into memory that it frees without clearing.

const DIGITS = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/';
/** The text of twelve bits. */
const PAIRS = Array.from({ length: 4096 }, (_, bits) => DIGITS[bits >> 6]! + DIGITS[bits & 63]!);
const VALUES = new Uint8Array(128);
for (let value = 0; value < DIGITS.length; value++) VALUES[DIGITS.charCodeAt(value)] = value;

/** Base64 with padding (RFC 4648 §4). The pieces are joined at once, so that no tree of them stays in memory. */
export function toBase64(bytes: Uint8Array): string {
  const pieces: string[] = [];
  let at = 0;
  for (; at + 2 < bytes.length; at += 3) {
    pieces.push(PAIRS[(bytes[at]! << 4) | (bytes[at + 1]! >> 4)]!);
    pieces.push(PAIRS[((bytes[at + 1]! & 15) << 8) | bytes[at + 2]!]!);
  }
  const left = bytes.length - at;
  if (left === 1) pieces.push(PAIRS[bytes[at]! << 4]!, '==');
  if (left === 2)
    pieces.push(PAIRS[(bytes[at]! << 4) | (bytes[at + 1]! >> 4)]!, DIGITS[(bytes[at + 1]! & 15) << 2]!, '=');
  return pieces.join('');
}

/** The bytes, in a buffer that nothing else shares. The text must be base64 with padding: the caller has checked that. */
export function fromBase64(text: string): Uint8Array<ArrayBuffer> {
  const padding = text.endsWith('==') ? 2 : text.endsWith('=') ? 1 : 0;
  const bytes = new Uint8Array(new ArrayBuffer((text.length / 4) * 3 - padding));
  const digit = (index: number): number => VALUES[text.charCodeAt(index) & 127]!;
  for (let at = 0, to = 0; at < text.length; at += 4) {
    const bits = (digit(at) << 18) | (digit(at + 1) << 12) | (digit(at + 2) << 6) | digit(at + 3);
    // What is beyond the end, behind the padding, is not written.
    bytes[to++] = bits >> 16;
    bytes[to++] = bits >> 8;
    bytes[to++] = bits;
  }
  return bytes;
}
