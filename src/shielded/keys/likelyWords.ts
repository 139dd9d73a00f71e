// Words of the list that somebody may have meant by one that is not on it.

/** More would give the word away to no purpose: the fourth likely one is not likely. */
const MOST_WORDS = 3;
const MOST_SLIPS = 2;
/** No two words of the list begin with the same four letters, so these mean one word, whatever was written after them. */
const TELLING_LETTERS = 4;
/** No word of the list is longer; far longer text is no slip. */
const LONGEST = 16;

/** The likeliest first, at most three; none where nothing is near. */
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

/** Letters left out, added, mistaken, or swapped with their neighbour (optimal string alignment). */
function slipsBetween(a: string, b: string): number {
  if (Math.abs(a.length - b.length) > MOST_SLIPS) return Number.POSITIVE_INFINITY;
  let last: number[] = [];
  let row = Array.from({ length: b.length + 1 }, (_, j) => j);
  for (let i = 1; i <= a.length; i++) {
    const next = [i];
    for (let j = 1; j <= b.length; j++) {
      const isSame = a[i - 1] === b[j - 1];
      let slips = Math.min(row[j]! + 1, next[j - 1]! + 1, row[j - 1]! + (isSame ? 0 : 1));
      if (i > 1 && j > 1 && a[i - 1] === b[j - 2] && a[i - 2] === b[j - 1]) {
        slips = Math.min(slips, last[j - 2]! + 1);
      }
      next.push(slips);
    }
    last = row;
    row = next;
  }
  return row[b.length]!;
}
