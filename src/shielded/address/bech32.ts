// Bech32 and Bech32m without the length limit of the BIPs, as ZIP 173 and ZIP 316 use them.
import { bech32, bech32m } from '@scure/base';
import { FormatError } from '../bytes.ts';

export type Bech32Variant = 'bech32' | 'bech32m';

const CODERS = { bech32, bech32m } as const;

/** More characters than the longest unified encoding (4,194,368 bytes) can have. */
const MAX_TEXT_LENGTH = 6_711_100;

export function encodeBech32(variant: Bech32Variant, hrp: string, bytes: Uint8Array): string {
  const coder = CODERS[variant];
  return coder.encode(hrp, coder.toWords(bytes), false);
}

/**
 * The prefix and the bytes. FormatError for a wrong checksum, mixed case, non-zero padding bits; capitals are refused
 * too, as the other decoders of the field do.
 */
export function decodeBech32(variant: Bech32Variant, text: string): { hrp: string; bytes: Uint8Array } {
  if (text.length > MAX_TEXT_LENGTH) throw new FormatError('the encoded text is too long');
  if (/[^!-@[-~]/.test(text))
    throw new FormatError('the encoded text has characters that do not belong to it');
  const coder = CODERS[variant];
  const decoded = coder.decodeUnsafe(text, false);
  const bytes = decoded && coder.fromWordsUnsafe(decoded.words);
  if (!decoded || !bytes)
    throw new FormatError('the checksum does not match: a character is missing or mistaken');
  return { hrp: decoded.prefix, bytes };
}
