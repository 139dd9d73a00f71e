import { wordlist } from '@scure/bip39/wordlists/english.js';
import { bytesToHex, FormatError } from '@wallet-companion/base/bytes';
import test, { type ExecutionContext } from 'ava';
import fc from 'fast-check';
import {
  generateMnemonic,
  likelyWords,
  MnemonicError,
  mnemonicToSeed,
  normaliseMnemonic,
} from '../../src/zcash/keys/mnemonic.ts';

const ZERO_PHRASE = `${'abandon '.repeat(11)}about`;

const fixedBytes =
  (value: number) =>
  (length: number): Uint8Array =>
    new Uint8Array(length).fill(value);

test('phrases of zero entropy are the known ones', (t) => {
  t.is(generateMnemonic(12, fixedBytes(0)), ZERO_PHRASE);
  t.is(generateMnemonic(24, fixedBytes(0)), `${'abandon '.repeat(23)}art`);
});

test('the entropy is wiped after use', (t) => {
  const entropy = new Uint8Array(32).fill(9);
  generateMnemonic(24, () => entropy);
  t.deepEqual(entropy, new Uint8Array(32));
});

test('any entropy gives a phrase that is accepted as it stands', (t) => {
  fc.assert(
    fc.property(
      fc.constantFrom(12 as const, 24 as const),
      fc.uint8Array({ minLength: 32, maxLength: 32 }),
      (count, bytes) => {
        const phrase = generateMnemonic(count, (length) => bytes.slice(0, length));
        return phrase.split(' ').length === count && normaliseMnemonic(phrase) === phrase;
      },
    ),
  );
  t.pass();
});

test('white space, capitals and compatibility forms are forgiven', (t) => {
  const untidy = `\u3000 ${ZERO_PHRASE.toUpperCase().replaceAll(' ', '\n\t ')}  \r\n`;
  t.is(normaliseMnemonic(untidy), ZERO_PHRASE);
  t.is(normaliseMnemonic(ZERO_PHRASE.replace('about', 'ａｂｏｕｔ')), ZERO_PHRASE);
});

test('12, 15, 18, 21 and 24 words are accepted', (t) => {
  const phrases = [
    ZERO_PHRASE,
    `${'abandon '.repeat(14)}address`,
    `${'abandon '.repeat(17)}agent`,
    `${'abandon '.repeat(20)}admit`,
    `${'abandon '.repeat(23)}art`,
  ];
  for (const phrase of phrases) t.is(normaliseMnemonic(phrase), phrase);
});

test('an error is described without quoting a word', (t) => {
  const bad: readonly (readonly [string, RegExp])[] = [
    ['', /got 0/],
    ['abandon', /got 1$/],
    [`${ZERO_PHRASE} about`, /got 13$/],
    [ZERO_PHRASE.replace('about', 'abandon'), /checksum/],
    [ZERO_PHRASE.replace('about', 'zzzzzz'), /word 12 .* not in the word list/],
  ];
  for (const [phrase, message] of bad) {
    const error = t.throws(() => normaliseMnemonic(phrase), { instanceOf: FormatError, message });
    t.notRegex(error.message, /abandon|about|zzzzzz/);
  }
});

const refusal = (t: ExecutionContext, phrase: string): MnemonicError =>
  t.throws(() => normaliseMnemonic(phrase), { instanceOf: MnemonicError });

test('for a misspelt word the likely ones are named, and none of the words that are right', (t) => {
  const phrase = 'legal winner thank year wave sausage worth useful legal winner thank yellow';
  const misspelt = (word: string, as: string) => refusal(t, phrase.replace(word, as));
  const { message, advice } = misspelt('sausage', 'sausgae');
  t.is(message, 'word 6 of the recovery phrase is not in the word list');
  t.is(advice, 'Did you mean "sausage"?');
  t.regex(misspelt('useful', 'usefull').advice, /^Did you mean "useful"/);
  t.is(misspelt('worth', 'qqqqqqqq').advice, 'No word on the list is like it.');
  const two = refusal(t, phrase.replace('year', 'yaer').replace('wave', 'weve'));
  t.is(two.message, 'words 4 and 5 of the recovery phrase are not in the word list');
  t.regex(two.advice, /^Word 4: did you mean "year"[^?]*\? Word 5: did you mean "wave"[^?]*\?$/);
  const named = new Set(two.advice.match(/(?<=")[a-z]+(?=")/g));
  for (const word of ['legal', 'winner', 'thank', 'sausage', 'worth', 'useful', 'yellow', 'yaer', 'weve'])
    t.false(named.has(word), word);
});

test('a phrase of another language names nothing', (t) => {
  const { message, advice } = refusal(t, `${'abaco '.repeat(11)}abbaglio`);
  t.is(message, '12 of the 12 words of the recovery phrase are not in the word list');
  t.notRegex(advice, /"/);
  t.regex(advice, /English/);
});

test('a wrong count and a wrong checksum each name the remedy', (t) => {
  t.regex(refusal(t, ZERO_PHRASE.replace('abandon ', '')).advice, /left out, written twice/);
  t.regex(
    refusal(t, ZERO_PHRASE.replaceAll(' ', ', ').replaceAll('abandon', '1. abandon')).advice,
    /no numbers, commas/,
  );
  t.regex(refusal(t, ZERO_PHRASE.replace('about', 'abandon')).advice, /changed places/);
});

test('one slip anywhere in a word finds it but for one time in fifty', (t) => {
  let tried = 0;
  let missed = 0;
  for (const word of wordlist.filter((_, i) => i % 40 === 0)) {
    for (let at = 0; at < word.length; at++) {
      const [before, letter, after] = [word.slice(0, at), word[at]!, word.slice(at + 1)];
      const slips = [`${before}${after}`, `${before}${letter}${letter}${after}`, `${before}q${after}`];
      if (after !== '') slips.push(`${before}${after[0]}${letter}${after.slice(1)}`);
      for (const text of slips.filter((slip) => !wordlist.includes(slip))) {
        const found = likelyWords(text, wordlist);
        t.true(found.length <= 3);
        tried += 1;
        // Short words have many neighbours: more than are named may be as near.
        if (!found.includes(word)) missed += 1;
      }
    }
  }
  t.true(tried > 500 && missed / tried < 0.02, `${missed} of ${tried}`);
});

test('the first four letters mean their word, whatever follows them', (t) => {
  for (const word of wordlist.filter(({ length }, i) => length >= 4 && i % 20 === 0)) {
    t.is(likelyWords(word.slice(0, 4), wordlist)[0], word);
    t.is(likelyWords(`${word.slice(0, 4)}zzzzz`, wordlist)[0], word);
  }
  t.deepEqual(likelyWords('abandon'.repeat(100), wordlist), []);
  t.deepEqual(likelyWords('', wordlist), []);
});

test('any text is refused or normalised to a fixed point', (t) => {
  fc.assert(
    fc.property(fc.string({ unit: 'binary', maxLength: 300 }), (text) => {
      try {
        const phrase = normaliseMnemonic(text);
        return normaliseMnemonic(phrase) === phrase;
      } catch (error) {
        return error instanceof FormatError;
      }
    }),
  );
  t.pass();
});

test('the seed of the zero phrase, with and without a passphrase (BIP 39)', (t) => {
  t.is(
    bytesToHex(mnemonicToSeed(ZERO_PHRASE, 'TREZOR')),
    'c55257c360c07c72029aebc1b53c05ed0362ada38ead3e3e9efa3708e53495531f09a6987599d18264c1e1c92f2cf141630c7a3c4ab7c81b2f001698e7463b04',
  );
  t.is(
    bytesToHex(mnemonicToSeed(ZERO_PHRASE, '')),
    '5eb00bbddcf069084889a8ab9155568165f5c453ccb85e70811aaed6f6da5fc19a5ac40b389cd370d086206dec8aa6c43daea6690f20ad3d8d48b2d2ce9e38e4',
  );
});

test('passphrases are compared in compatibility form', (t) => {
  t.deepEqual(mnemonicToSeed(ZERO_PHRASE, 'é'), mnemonicToSeed(ZERO_PHRASE, 'e\u0301'));
});
