import { bech32, bech32m } from '@scure/base';
import { FormatError } from '@wallet-companion/base/bytes';
import { runs } from '@wallet-companion/base/test/atLength';
import test from 'ava';
import fc from 'fast-check';
import { decodeBech32, encodeBech32 } from '../../src/zcash/address/bech32.ts';

const REFERENCE = { bech32, bech32m } as const;
const variants = fc.constantFrom('bech32', 'bech32m');
const prefixes = fc
  .array(fc.integer({ min: 0x21, max: 0x7e }), { minLength: 1, maxLength: 20 })
  .map((codes) => String.fromCharCode(...codes).toLowerCase());
const bytes = fc.uint8Array({ maxLength: 600 });

test('any bytes under any prefix are written as by another implementation, and read back', (t) => {
  fc.assert(
    fc.property(variants, prefixes, bytes, (variant, hrp, given) => {
      const coder = REFERENCE[variant];
      const text = encodeBech32(variant, hrp, given);
      t.is(text, coder.encode(hrp, coder.toWords(given), false));
      t.deepEqual(decodeBech32(variant, text), { hrp, bytes: given });
    }),
  );
});

/** As the reference reads it; undefined where it does not. */
function byReference(variant: 'bech32' | 'bech32m', text: string) {
  const coder = REFERENCE[variant];
  const read = coder.decodeUnsafe(text, false);
  const words = read && coder.fromWordsUnsafe(read.words);
  return read && words ? { hrp: read.prefix, bytes: Uint8Array.from(words) } : undefined;
}

function byOurs(variant: 'bech32' | 'bech32m', text: string) {
  try {
    return decodeBech32(variant, text);
  } catch (error) {
    if (error instanceof FormatError) return undefined;
    throw error;
  }
}

test('words that are no bytes, changed characters and texts of any kind: refused where the other refuses', (t) => {
  const ofWords = fc
    .tuple(variants, prefixes, fc.array(fc.nat(31), { maxLength: 40 }))
    .map(([variant, hrp, words]) => REFERENCE[variant].encode(hrp, words, false));
  const changed = fc
    .tuple(ofWords, fc.nat(100), fc.integer({ min: 0x20, max: 0x40 }))
    .map(([text, at, code]) => text.slice(0, at) + String.fromCharCode(code) + text.slice(at + 1));
  const anything = fc.string({ maxLength: 30 }).map((text) => text.toLowerCase());
  fc.assert(
    fc.property(variants, fc.oneof(ofWords, changed, anything), (variant, text) => {
      t.deepEqual(byOurs(variant, text), byReference(variant, text), text);
    }),
    { numRuns: runs(200, 2000) },
  );
});

// BIP 173 and BIP 350, test vectors.
test('published texts: valid ones of each kind, and invalid ones', (t) => {
  const valid = {
    bech32: ['a12uel5l', '?1ezyfcl', 'abcdef1qpzry9x8gf2tvdw0s3jn54khce6mua7lmqqqxw'],
    bech32m: ['a1lqfn3a', '?1v759aa', 'abcdef1l7aum6echk45nj3s0wdvt2fg8x9yrzpqzd3ryx'],
  };
  for (const text of valid.bech32.slice(0, 2)) t.is(byOurs('bech32', text)?.bytes.length, 0);
  for (const text of valid.bech32m.slice(0, 2)) t.is(byOurs('bech32m', text)?.bytes.length, 0);
  t.is(byOurs('bech32m', valid.bech32m[2]!)?.bytes.length, 20);
  t.is(byOurs('bech32', valid.bech32[2]!)?.bytes.length, 20);
  for (const text of valid.bech32) t.is(byOurs('bech32m', text), undefined);
  for (const text of valid.bech32m) t.is(byOurs('bech32', text), undefined);
  for (const text of ['A12UEL5L', ' 1nwldj5', '\u007f1axkwrx', 'pzry9x0s0muk', '1pzry9x0s0muk', 'x1b4n0q5v'])
    for (const variant of ['bech32', 'bech32m'] as const) t.is(byOurs(variant, text), undefined, text);
  for (const text of ['li1dgmt3', 'de1lg7wt\u00ff', '10a06t8', '1qzzfhee', '', '1'])
    for (const variant of ['bech32', 'bech32m'] as const) t.is(byOurs(variant, text), undefined, text);
});
