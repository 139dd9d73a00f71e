// The check that a recovery phrase was written down: some of its words are asked for. Only those are kept meanwhile.

export interface AskedWord {
  /** From 1, as on paper. */
  readonly number: number;
  readonly word: string;
}

/** `random`: 0 to below 1. Different places, in order. */
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
