// The words of the list that the user may have meant by a word that is not on it.

import { MOST_SLIPS, slipsBetween } from '@wallet-companion/base/values';

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
