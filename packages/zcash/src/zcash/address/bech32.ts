// Bech32 (BIP 173) and Bech32m (BIP 350) without their length limit, as ZIP 173 and ZIP 316 use them. Not taken from a
// package, because it encodes viewing keys: no part of a key may stay in a buffer that is not wiped.
import { FormatError } from '@wallet-companion/base/bytes';

export type Bech32Variant = 'bech32' | 'bech32m';

/** More characters than the longest unified encoding (4,194,368 bytes) can have. */
const MAX_TEXT_LENGTH = 6_711_100;

const LETTERS = 'qpzry9x8gf2tvdw0s3jn54khce6mua7l';
const WORD_OF_CODE = Int8Array.from({ length: 128 }, (_, code) => LETTERS.indexOf(String.fromCharCode(code)));
const WORD_BITS = 5;
const CHECKSUM_LENGTH = 6;
/** The checksum state after a valid text. */
const REMAINDER = { bech32: 1, bech32m: 0x2bc830a3 } as const;
const GENERATOR = [0x3b6a57b2, 0x26508e6d, 0x1ea119fa, 0x3d4233dd, 0x2a1462b3] as const;
/** The checksum terms, by the five bits that are shifted out. */
const FOLDED = Int32Array.from({ length: 32 }, (_, top) =>
  GENERATOR.reduce((sum, term, bit) => ((top >>> bit) & 1 ? sum ^ term : sum), 0),
);

const fold = (sum: number, word: number): number =>
  ((sum & 0x1ff_ffff) << WORD_BITS) ^ word ^ FOLDED[sum >>> 25]!;

function foldPrefix(hrp: string): number {
  let sum = 1;
  for (let i = 0; i < hrp.length; i++) sum = fold(sum, hrp.charCodeAt(i) >> WORD_BITS);
  sum = fold(sum, 0);
  for (let i = 0; i < hrp.length; i++) sum = fold(sum, hrp.charCodeAt(i) & 31);
  return sum;
}

/** `hrp` must be lower case. */
export function encodeBech32(variant: Bech32Variant, hrp: string, bytes: Uint8Array): string {
  const letters: string[] = [];
  let sum = foldPrefix(hrp);
  const add = (word: number): void => {
    sum = fold(sum, word);
    letters.push(LETTERS[word]!);
  };
  let held = 0;
  let heldBits = 0;
  for (const byte of bytes) {
    held = ((held << 8) | byte) & 0xfff;
    for (heldBits += 8; heldBits >= WORD_BITS; heldBits -= WORD_BITS)
      add((held >>> (heldBits - WORD_BITS)) & 31);
  }
  if (heldBits > 0) add((held << (WORD_BITS - heldBits)) & 31);
  for (let i = 0; i < CHECKSUM_LENGTH; i++) sum = fold(sum, 0);
  const checksum = sum ^ REMAINDER[variant];
  for (let i = CHECKSUM_LENGTH - 1; i >= 0; i--) letters.push(LETTERS[(checksum >>> (i * WORD_BITS)) & 31]!);
  return `${hrp}1${letters.join('')}`;
}

/** The prefix in small letters, so that a text with capitals is refused for them; empty where there is none. */
export const prefixOf = (text: string): string =>
  text.slice(0, Math.max(0, text.lastIndexOf('1'))).toLowerCase();

/**
 * The prefix and the bytes. FormatError for a wrong checksum, mixed case or non-zero padding bits; capitals are refused
 * too, as by other Zcash decoders: a caller with copied text makes them small first.
 */
export function decodeBech32(variant: Bech32Variant, text: string): { hrp: string; bytes: Uint8Array } {
  if (text.length > MAX_TEXT_LENGTH) throw new FormatError('the encoded text is too long');
  if (/[^!-~]/.test(text)) throw new FormatError('the encoded text has characters that do not belong to it');
  if (/[A-Z]/.test(text))
    throw new FormatError(
      /[a-z]/.test(text)
        ? 'capitals and small letters are mixed: copy it again'
        : 'the encoded text is in capitals',
    );
  const separator = text.lastIndexOf('1');
  const wordCount = text.length - separator - 1 - CHECKSUM_LENGTH;
  if (separator < 1 || wordCount < 0) throw mistaken();
  const hrp = text.slice(0, separator);
  const paddingBits = (wordCount * WORD_BITS) % 8;
  const bytes = new Uint8Array((wordCount * WORD_BITS - paddingBits) / 8);
  let sum = foldPrefix(hrp);
  let isRight = paddingBits < WORD_BITS;
  let [held, heldBits, length] = [0, 0, 0];
  for (let i = 0; i < wordCount + CHECKSUM_LENGTH; i++) {
    const word = WORD_OF_CODE[text.charCodeAt(separator + 1 + i)]!;
    if (word < 0) isRight = false;
    sum = fold(sum, word & 31);
    if (i >= wordCount) continue;
    held = ((held << WORD_BITS) | word) & 0xfff;
    heldBits += WORD_BITS;
    if (heldBits < 8) continue;
    heldBits -= 8;
    bytes[length++] = held >>> heldBits;
  }
  const isPadded = (held & ((1 << paddingBits) - 1)) === 0;
  if (isRight && isPadded && sum === REMAINDER[variant]) return { hrp, bytes };
  bytes.fill(0);
  throw mistaken();
}

const mistaken = (): FormatError =>
  new FormatError('the checksum does not match: a character is missing or mistaken');
