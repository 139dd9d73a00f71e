// The Combiner: what one copy has and another lacks ends up in one, in whatever order; what they say differently does not.

import { bytesToHex } from '@wallet-companion/base/bytes';
import { runs } from '@wallet-companion/base/test/atLength';
import test from 'ava';
import fc from 'fast-check';
import { encodePczt } from '../../src/pczt/codec.ts';
import { combinePczts } from '../../src/pczt/combiner.ts';
import type { Pczt } from '../../src/pczt/pczt.ts';
import { edited, flipped, optionalPaths, stage, withField } from '../helpers/pcztVectors.ts';

const hexOf = (pczt: Pczt): string => bytesToHex(encodePczt(pczt, 2));
const IRONWOOD = 'v6-ironwood-ironwood';
const SAPLING = 'v6-sapling-sapling';

test('what was proved and what was signed become what the reference makes of them', (t) => {
  const combined = combinePczts([stage(IRONWOOD, 'proved'), stage(IRONWOOD, 'signed')]);
  t.is(hexOf(combined), hexOf(stage(IRONWOOD, 'complete')));
});

test('the copy in the compact form is made whole first', (t) => {
  const ready = stage(IRONWOOD, 'ready');
  t.is(hexOf(combinePczts([stage(IRONWOOD, 'compact'), ready])), hexOf(ready));
});

/** Copies of a whole PCZT from which fields are missing at random. */
const WHOLE: readonly Pczt[] = [
  stage(IRONWOOD, 'complete'),
  stage(SAPLING, 'complete'),
  stage('v6-orchard-change-in-orchard', 'signed'),
];

/** What is left out of an amount makes no difference to its sum. */
const copiesOf = (whole: Pczt) => {
  const paths = optionalPaths(whole).filter((path) => !/\.(?:cvNet|cmx)$/.test(path));
  return fc
    .array(fc.subarray(paths), { minLength: 3, maxLength: 3 })
    .map((gone) => gone.map((left) => left.reduce((copy, path) => withField(copy, path, undefined), whole)));
};

for (const [i, whole] of WHOLE.entries()) {
  test(`copies of ${i}: order, grouping and repetition make no difference`, (t) => {
    fc.assert(
      fc.property(copiesOf(whole), ([a, b, c]) => {
        const all = hexOf(combinePczts([a!, b!, c!]));
        t.is(hexOf(combinePczts([c!, a!, b!])), all);
        t.is(hexOf(combinePczts([b!, a!, c!])), all);
        t.is(hexOf(combinePczts([a!, combinePczts([b!, c!])])), all);
        t.is(hexOf(combinePczts([combinePczts([a!, b!]), c!])), all);
        t.is(hexOf(combinePczts([a!, a!])), hexOf(a!));
        t.is(hexOf(combinePczts([whole, a!, b!])), hexOf(whole));
      }),
      { numRuns: runs(6, 30) },
    );
  });

  test(`copies of ${i}: every field in which two of them differ is named`, (t) => {
    const paths = optionalPaths(whole).filter((path) => !path.endsWith('.zip32Derivation'));
    t.true(paths.length > 15);
    for (const path of paths) {
      const other = edited(whole, path, (value: unknown) => different(value));
      const field = path.replace(/\.(\d+)(?=\.)/g, '[$1]');
      const expected = { name: 'FormatError', message: `${field}: the copies say different things` };
      t.throws(() => combinePczts([whole, other]), expected, path);
      t.throws(() => combinePczts([other, whole]), expected, path);
    }
  });
}

function different(value: unknown): unknown {
  if (typeof value === 'bigint') return value + 1n;
  if (typeof value === 'string') return `${value}x`;
  if (value instanceof Uint8Array) return value.map((byte, i) => (i === 0 ? byte ^ 1 : byte));
  const [name, part] = Object.entries(value as object).at(-1)!;
  return { ...(value as object), [name]: different(part) };
}

test('what must always be there must always be the same', (t) => {
  const whole = stage(SAPLING, 'ready');
  const paths = ['sapling.spends.0.nullifier', 'sapling.spends.0.rk', 'sapling.outputs.1.encCiphertext'];
  for (const path of paths)
    t.throws(
      () => combinePczts([whole, flipped(whole, path)]),
      { message: /the copies say different/ },
      path,
    );
  for (const [path, value] of [
    ['global.expiryHeight', 7],
    ['global.fallbackLockTime', undefined],
    ['global.coinType', 133],
    ['sapling.valueSum', 1n],
  ] as const)
    t.throws(() => combinePczts([whole, withField(whole, path, value)]), {
      message: `${path}: the copies say different things`,
    });
  const actions = stage(IRONWOOD, 'ready');
  t.throws(() => combinePczts([actions, withField(actions, 'ironwood.flags', 3)]), {
    message: /^ironwood\.flags: /,
  });
});

test('entries of other software are united, and must agree', (t) => {
  const whole = stage(IRONWOOD, 'ready');
  const withEntries = (...entries: [string, number][]): Pczt =>
    withField(whole, 'global.proprietary', new Map(entries.map(([key, n]) => [key, Uint8Array.of(n)])));
  const united = combinePczts([withEntries(['b', 1]), withEntries(['a', 2], ['b', 1])]);
  t.deepEqual([...united.global.proprietary].sort(), [
    ['a', Uint8Array.of(2)],
    ['b', Uint8Array.of(1)],
  ]);
  t.is(hexOf(united), hexOf(combinePczts([withEntries(['a', 2], ['b', 1]), withEntries(['b', 1])])));
  t.throws(() => combinePczts([withEntries(['b', 1]), withEntries(['b', 2])]), {
    message: /^global\.proprietary: /,
  });
});

test('what one copy has closed stays closed, and a SIGHASH_SINGLE signature stays made', (t) => {
  const whole = stage(IRONWOOD, 'created');
  const bits = (a: number, b: number): number =>
    combinePczts([withField(whole, 'global.txModifiable', a), withField(whole, 'global.txModifiable', b)])
      .global.txModifiable;
  t.is(bits(0b1000_0011, 0b1000_0001), 0b1000_0001);
  t.is(bits(0b1000_0011, 0b0000_0010), 0b0000_0010);
  t.is(bits(0b0000_0100, 0b0000_0011), 0b0000_0100);
});

test('a copy may have more actions where the other one is still open', (t) => {
  const long = stage(IRONWOOD, 'created');
  const [first, ...rest] = long.ironwood.actions;
  const sum = rest.reduce(
    (left, { spend, output }) => left - spend.value! + output.value!,
    long.ironwood.valueSum,
  );
  const short = withField(withField(long, 'ironwood.actions', [first]), 'ironwood.valueSum', sum);
  const open = (pczt: Pczt): Pczt => withField(pczt, 'global.txModifiable', 0b1000_0000);
  for (const copies of [
    [open(short), open(long)],
    [open(long), open(short)],
  ])
    t.is(hexOf(combinePczts(copies)), hexOf(open(long)));
  t.is(combinePczts([open(short), long]).global.txModifiable, 0);
  const message = /^ironwood\.actions: one copy has/;
  t.throws(() => combinePczts([short, open(long)]), { message });
  t.throws(() => combinePczts([open(long), short]), { message });
  const finalized = withField(open(long), 'ironwood.bsk', new Uint8Array(32));
  const refused = { message: 'ironwood: one copy is finalized and the other has other items' };
  // Also where a third copy would hide that one of them was short.
  t.throws(() => combinePczts([open(short), open(long), finalized]), refused);
  t.throws(() => combinePczts([finalized, open(long), open(short)]), refused);
});

test('nothing and too many copies are refused', (t) => {
  t.throws(() => combinePczts([]), { message: /1 to 20 copies/ });
  const copy = stage(IRONWOOD, 'ready');
  t.notThrows(() => combinePczts(Array.from({ length: 20 }, () => copy)));
  t.throws(() => combinePczts(Array.from({ length: 21 }, () => copy)), { message: /1 to 20 copies/ });
});
