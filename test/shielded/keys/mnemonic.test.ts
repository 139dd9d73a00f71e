import test from 'ava';
import fc from 'fast-check';
import { bytesToHex, FormatError } from '../../../src/shielded/bytes.ts';
import { generateMnemonic, mnemonicToSeed, normaliseMnemonic } from '../../../src/shielded/keys/mnemonic.ts';

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

test('what is wrong is said without quoting a word', (t) => {
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
