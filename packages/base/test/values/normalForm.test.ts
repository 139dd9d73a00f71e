import test from 'ava';
import fc from 'fast-check';
import { normalForm } from '../../src/values/normalForm.ts';
import { runs } from '../helpers/atLength.ts';

const FORMS = ['NFKC', 'NFKD'] as const;

/** ASCII, and what combines, decomposes or composes: marks, Hangul, halfwidth kana with sound marks, ligatures. */
const unit = fc.oneof(
  fc.string({ unit: 'binary-ascii', minLength: 1, maxLength: 3 }),
  fc.string({ unit: 'grapheme', minLength: 1, maxLength: 3 }),
  fc.string({ unit: 'binary', minLength: 1, maxLength: 3 }),
  fc.constantFrom(
    '\u0301',
    '\u0327',
    '\u1100',
    '\u1161',
    '\u11a8',
    'ﾊ',
    'ﾟ',
    'ﬁ',
    '\u1e9b',
    '\u09be',
    '\u{16d67}',
    '=',
    '\u0338',
  ),
);

test('normal forms are those of the engine, cut into pieces or not', (t) => {
  fc.assert(
    fc.property(fc.array(unit, { maxLength: 12 }), fc.constantFrom(...FORMS), (units, form) => {
      const text = units.join('');
      t.is(normalForm(text, form), text.normalize(form));
    }),
    { numRuns: runs(500, 5000) },
  );
});

test('an ASCII character before anything that composes with it is in the same piece', (t) => {
  for (let code = 0; code < 0x80; code++) {
    for (const mark of ['\u0300', '\u0301', '\u0327', '\u0338', '\u0345']) {
      const text = `a${String.fromCharCode(code)}${mark}${mark}b`;
      for (const form of FORMS) t.is(normalForm(text, form), text.normalize(form));
    }
  }
});

test.serial('the engine is given no ASCII text, and of other text the pieces alone', (t) => {
  const builtIn = String.prototype.normalize;
  const given: string[] = [];
  t.teardown(() => {
    String.prototype.normalize = builtIn;
  });
  String.prototype.normalize = function (form?: string) {
    given.push(String(this));
    return builtIn.call(this, form);
  };
  normalForm('legal winner thank year wave sausage worth useful legal winner thank yellow', 'NFKD');
  normalForm('lime-harbour-Zvoneček-8841-žž', 'NFKC');
  t.deepEqual(given, ['eč', '-žž']);
});
