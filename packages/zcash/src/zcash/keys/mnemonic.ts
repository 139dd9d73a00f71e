// Recovery phrases (BIP 39, English word list).
import { pbkdf2 } from '@noble/hashes/pbkdf2.js';
import { sha512 } from '@noble/hashes/sha2.js';
import { entropyToMnemonic, validateMnemonic } from '@scure/bip39';
import { wordlist } from '@scure/bip39/wordlists/english.js';
import { FormatError } from '@wallet-companion/base/bytes';
import { MOST_SLIPS, normalForm, slipsBetween } from '@wallet-companion/base/values';

const WORD_COUNTS: readonly number[] = [12, 15, 18, 21, 24];
const WORDS: ReadonlySet<string> = new Set(wordlist);
const SEED_ROUNDS = 2048;
const SEED_LENGTH = 64;

/** A fresh phrase of 12 or 24 words (BIP 39) from 16 or 32 bytes of `randomBytes`, a secure source. */
export function generateMnemonic(wordCount: 12 | 24, randomBytes: (length: number) => Uint8Array): string {
  const entropy = randomBytes(wordCount === 12 ? 16 : 32);
  try {
    return entropyToMnemonic(entropy, wordlist);
  } finally {
    entropy.fill(0);
  }
}

/** With more unknown words the text is in another language, or not a phrase. */
const MOST_UNKNOWN_WORDS = 3;

/** The reason why a phrase is refused. Never quotes it. */
export class MnemonicError extends FormatError {
  /** Advice in a sentence or two. For unknown words, it names the words that the user may have meant. */
  readonly advice: string;

  constructor(message: string, advice: string) {
    super(message);
    this.advice = advice;
  }
}

/**
 * The canonical form of a phrase that a person typed; compatibility forms, capitals and white space do not matter.
 * MnemonicError when it is not valid.
 */
export function normaliseMnemonic(text: string): string {
  const words = normalForm(text, 'NFKD')
    .toLowerCase()
    .split(/\s+/u)
    .filter((word) => word !== '');
  if (!WORD_COUNTS.includes(words.length)) throw wrongCount(words);
  const unknown = [...words.keys()].filter((place) => !WORDS.has(words[place]!));
  if (unknown.length > 0) throw unknownWords(words, unknown);
  const phrase = words.join(' ');
  if (!validateMnemonic(phrase, wordlist)) {
    throw new MnemonicError(
      'the checksum of the recovery phrase is wrong: a word is mistaken or out of place',
      'Every word is on the list, so most likely two words have changed places, or one was read as another word of the list. Compare each word and its number with what was written down.',
    );
  }
  return phrase;
}

function wrongCount(words: readonly string[]): MnemonicError {
  const advice = words.some((word) => /[^a-z]/.test(word))
    ? 'Write the words alone, with spaces between them: no numbers, commas or other marks.'
    : 'Look for a word that was left out, written twice, or run together with its neighbour.';
  return new MnemonicError(`a recovery phrase has 12, 15, 18, 21 or 24 words, got ${words.length}`, advice);
}

function unknownWords(words: readonly string[], places: readonly number[]): MnemonicError {
  const numbers = places.map((place) => String(place + 1));
  if (places.length > MOST_UNKNOWN_WORDS) {
    return new MnemonicError(
      `${places.length} of the ${words.length} words of the recovery phrase are not in the word list`,
      'Only phrases of the English BIP-39 list can be restored here. Check that this is one, with its words in full.',
    );
  }
  const advice = places.map((place) => {
    const likely = likelyWords(words[place]!, wordlist).map((word) => `"${word}"`);
    const meant = likely.length === 0 ? 'no word on the list is like it.' : `did you mean ${either(likely)}?`;
    return places.length === 1
      ? `${meant[0]?.toUpperCase()}${meant.slice(1)}`
      : `Word ${place + 1}: ${meant}`;
  });
  return new MnemonicError(
    places.length === 1
      ? `word ${numbers[0]} of the recovery phrase is not in the word list`
      : `words ${numbers.slice(0, -1).join(', ')} and ${numbers.at(-1)} of the recovery phrase are not in the word list`,
    advice.join(' '),
  );
}

const either = (words: readonly string[]): string =>
  words.length === 1 ? `${words[0]}` : `${words.slice(0, -1).join(', ')} or ${words.at(-1)}`;

/**
 * The 64-byte seed of a normalised phrase (BIP 39). The caller wipes it. @scure/bip39's function is not used, because
 * it leaves its byte copies of phrase and passphrase in memory.
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

// The words of the list that the user may have meant by a word that is not on it.

/** More words would reveal the word without need: the fourth is not likely any more. */
const MOST_WORDS = 3;
/** No two words of the list begin with the same four letters, so these identify a word whatever follows them. */
const TELLING_LETTERS = 4;
/** No word of the list is longer; far longer text is not a typing error. */
const LONGEST = 16;

/** The likeliest first, at most three; empty where no word is near. */
export function likelyWords(text: string, list: readonly string[]): string[] {
  if (text.length > LONGEST) return [];
  return list
    .map((word) => ({ word, slips: isMeant(text, word) ? 1 : slipsBetween(text, word) }))
    .filter(({ word, slips }) => slips <= MOST_SLIPS && slips < word.length - 1)
    .sort((a, b) => a.slips - b.slips || sharedStart(text, b.word) - sharedStart(text, a.word))
    .slice(0, MOST_WORDS)
    .map(({ word }) => word);
}

const isMeant = (text: string, word: string): boolean =>
  text.length >= TELLING_LETTERS && text.slice(0, TELLING_LETTERS) === word.slice(0, TELLING_LETTERS);

function sharedStart(a: string, b: string): number {
  let length = 0;
  while (length < a.length && a[length] === b[length]) length++;
  return length;
}
