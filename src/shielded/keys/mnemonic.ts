// Recovery phrases (BIP 39, English word list).
import { pbkdf2 } from '@noble/hashes/pbkdf2.js';
import { sha512 } from '@noble/hashes/sha2.js';
import { entropyToMnemonic, validateMnemonic } from '@scure/bip39';
import { wordlist } from '@scure/bip39/wordlists/english.js';
import { normalForm } from '../../values/normalForm.ts';
import { FormatError } from '../bytes.ts';

const WORD_COUNTS: readonly number[] = [12, 15, 18, 21, 24];
const WORDS: ReadonlySet<string> = new Set(wordlist);
const SEED_ROUNDS = 2048;
const SEED_LENGTH = 64;

/** A fresh phrase of 12 or 24 words from 16 or 32 bytes of `randomBytes`. */
export function generateMnemonic(wordCount: 12 | 24, randomBytes: (length: number) => Uint8Array): string {
  const entropy = randomBytes(wordCount === 12 ? 16 : 32);
  try {
    return entropyToMnemonic(entropy, wordlist);
  } finally {
    entropy.fill(0);
  }
}

/**
 * The canonical form of a phrase that a person typed; compatibility forms, capitals and white space do not matter.
 * FormatError, which never quotes the phrase, when it is not a valid one.
 */
export function normaliseMnemonic(text: string): string {
  const words = normalForm(text, 'NFKD').trim().toLowerCase().split(/\s+/u);
  if (!WORD_COUNTS.includes(words.length)) {
    throw new FormatError(
      `a recovery phrase has 12, 15, 18, 21 or 24 words, got ${text.trim() === '' ? 0 : words.length}`,
    );
  }
  const unknown = words.findIndex((word) => !WORDS.has(word));
  if (unknown !== -1)
    throw new FormatError(`word ${unknown + 1} of the recovery phrase is not in the word list`);
  const phrase = words.join(' ');
  if (!validateMnemonic(phrase, wordlist)) {
    throw new FormatError('the checksum of the recovery phrase is wrong: a word is mistaken or out of place');
  }
  return phrase;
}

/**
 * The 64-byte seed of a normalised phrase. The caller wipes it. Not computed by @scure/bip39's own function, because
 * that leaves its byte copies of phrase and passphrase in memory.
 */
export function mnemonicToSeed(phrase: string, passphrase: string): Uint8Array {
  const password = new TextEncoder().encode(normalForm(phrase, 'NFKD'));
  const salt = new TextEncoder().encode(`mnemonic${normalForm(passphrase, 'NFKD')}`);
  try {
    return pbkdf2(sha512, password, salt, { c: SEED_ROUNDS, dkLen: SEED_LENGTH });
  } finally {
    password.fill(0);
    salt.fill(0);
  }
}
