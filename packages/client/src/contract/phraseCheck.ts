// Checks that the user wrote the recovery phrase down: asks for some of its words, and keeps only these meanwhile.

export interface AskedWord {
  /** Counts from 1, as on paper. */
  readonly number: number;
  readonly word: string;
}

/** `random` returns 0 to below 1. The result has different positions, in ascending order. */
export function wordsToAsk(phrase: string, count: number, random: () => number): readonly AskedWord[] {
  const words = phrase.split(' ');
  const places = words.map((_, index) => index);
  const picked: number[] = [];
  while (picked.length < count && places.length > 0) {
    picked.push(...places.splice(Math.floor(random() * places.length), 1));
  }
  return picked.sort((a, b) => a - b).map((index) => ({ number: index + 1, word: words[index] ?? '' }));
}

export const isSameWord = (typed: string, { word }: AskedWord): boolean =>
  typed.normalize('NFKD').trim().toLowerCase() === word;
