// The words of a recovery phrase that are asked back.

import test from 'ava';
import fc from 'fast-check';
import { isSameWord, wordsToAsk } from '../../../src/contract/phraseCheck.ts';

test('different words are asked back, and one is known again however it is typed', (t) => {
  const phrase = Array.from({ length: 24 }, (_, index) => `word${index + 1}`).join(' ');
  fc.assert(
    fc.property(fc.infiniteStream(fc.double({ min: 0, max: 0.999, noNaN: true })), (stream) => {
      const asked = wordsToAsk(phrase, 3, () => Number(stream.next().value));
      const numbers = asked.map(({ number }) => number);
      return (
        new Set(numbers).size === 3 &&
        numbers.every((number, index) => index === 0 || number > numbers[index - 1]!) &&
        asked.every(({ number, word }) => word === `word${number}`)
      );
    }),
  );
  t.true(isSameWord(' Word4 ', { number: 4, word: 'word4' }));
  t.false(isSameWord('word5', { number: 4, word: 'word4' }));
});
