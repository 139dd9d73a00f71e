// Whatever a camera sees: changed codes and changed bodies are refused or passed over, never a crash, never a growing heap.

import { runs } from '@wallet-companion/base/test/atLength';
import {
  accountsOf,
  batchResultOf,
  pcztOf,
  signBatchOf,
  type Ur,
  UrError,
  UrReader,
  urParts,
} from '@wallet-companion/devices/ur';
import { readVectors } from '@wallet-companion/zcash/test/readVectors';
import test from 'ava';
import fc from 'fast-check';

interface Case {
  readonly type: string;
  readonly cbor: string;
  readonly parts: readonly string[];
}

const { cases } = readVectors<{ cases: readonly Case[] }>('ur_devices');
const texts = cases.flatMap(({ parts }) => parts);
const bodies = cases.map(({ type, cbor }) => ({ type, cbor: new Uint8Array(Buffer.from(cbor, 'hex')) }));
const times = { numRuns: runs(10_000, 100_000, 'WALLET_COMPANION_UR_RUNS') };

/** Undefined where it was refused. Anything but a refusal passes through. */
function attempt<T>(action: () => T): T | undefined {
  try {
    return action();
  } catch (thrown) {
    if (thrown instanceof UrError) return undefined;
    throw thrown;
  }
}

const change = fc.record({
  at: fc.nat(),
  value: fc.nat(0xff),
  kind: fc.constantFrom('set', 'cut', 'insert'),
});
const changes = fc.array(change, { minLength: 1, maxLength: 4 });

function changed(bytes: Uint8Array, all: readonly { at: number; value: number; kind: string }[]): Uint8Array {
  let now = [...bytes];
  for (const { at, value, kind } of all) {
    const place = at % (now.length + 1);
    if (kind === 'set') now[place] = value;
    else if (kind === 'cut') now = now.slice(0, place);
    else now.splice(place, 0, value);
  }
  return Uint8Array.from(now);
}

/** The letters of any bytes with a checksum that fits: what changed bytes need to come further than it. */
const letters = (bytes: Uint8Array): string =>
  urParts('x', bytes, { maxFragment: 1 << 20 })
    .next()
    .value.text.slice('ur:x/'.length);
const bodyOf = (text: string): Uint8Array => {
  const reader = new UrReader();
  reader.receive(`ur:x/${text.slice(text.lastIndexOf('/') + 1)}`);
  return reader.message!.cbor;
};

test('changed letters are refused, all but never taken', (t) => {
  let taken = 0;
  fc.assert(
    fc.property(fc.constantFrom(...texts), changes, (text, all) => {
      const now = Buffer.from(changed(Buffer.from(text), all)).toString('latin1');
      const received = attempt(() => new UrReader().receive(now));
      if (received !== undefined && now.trim().toLowerCase() !== text) taken++;
    }),
    times,
  );
  // A type that differs by a letter is a type like any other; nothing else has a checksum that fits.
  t.true(taken < times.numRuns / 20, `${taken}`);
});

test('parts with changed bodies and fitting checksums are refused or kept within bounds', (t) => {
  const reader = { now: new UrReader() };
  let refused = 0;
  fc.assert(
    fc.property(fc.constantFrom(...texts), changes, (text, all) => {
      const body = changed(bodyOf(text), all);
      if (body.length === 0) return;
      const head = text.slice(0, text.lastIndexOf('/') + 1);
      const received = attempt(() => reader.now.receive(head + letters(body)));
      if (received === undefined) refused++;
      const { read, needed } = reader.now.progress;
      t.true(read <= needed && needed <= 4_096);
      if (received === 'other' || reader.now.message !== undefined) reader.now = new UrReader();
    }),
    times,
  );
  t.true(refused > times.numRuns / 4, `${refused}`);
});

const READERS: readonly ((ur: Ur) => unknown)[] = [accountsOf, pcztOf, signBatchOf, batchResultOf];

test('changed CBOR is refused or has the fields that it should have', (t) => {
  let refused = 0;
  fc.assert(
    fc.property(fc.constantFrom(...bodies), changes, ({ type, cbor }, all) => {
      const now = { type, cbor: changed(cbor, all) };
      const answers = READERS.map((read) => attempt(() => read(now)));
      const some = answers.filter((answer) => answer !== undefined);
      if (some.length === 0) refused++;
      t.true(some.length <= 1);
    }),
    times,
  );
  t.true(refused > times.numRuns / 10, `${refused}`);
});

for (const [what, cbor] of [
  ['nothing', ''],
  ['a list of four thousand million', '9affffffff'],
  ['a text longer than memory', '7bffffffffffffffff'],
  ['bytes that are cut off', 'a1015903e8aabb'],
  ['a map with a key twice', 'a2014100014100'],
  ['no bytes', 'a101f6'],
  ['more behind it', 'a10141aa00'],
  ['a hundred thousand lists in each other', '81'.repeat(100_000)],
  ['a hundred thousand tags in each other', 'c1'.repeat(100_000)],
] as const)
  test(`${what} is no payment`, (t) => {
    t.throws(() => pcztOf({ type: 'zcash-pczt', cbor: new Uint8Array(Buffer.from(cbor, 'hex')) }), {
      instanceOf: UrError,
      message: /^(?:a code has content that is no CBOR|the codes have no zcash-pczt as devices write it)$/,
    });
  });

for (const [what, type, cbor] of [
  ['a fingerprint of 16 bytes', 'zcash-accounts', `a20150${'d1'.repeat(16)}0280`],
  ['an account without a tag', 'zcash-accounts', `a2015820${'a5'.repeat(32)}0281a20161750200`],
  ['an account of another tag', 'zcash-accounts', `a2015820${'a5'.repeat(32)}0281d9c034a20161750200`],
  ['an account below zero', 'zcash-accounts', `a2015820${'a5'.repeat(32)}0281d9c033a20161750220`],
  [
    'an account that is too high',
    'zcash-accounts',
    `a2015820${'a5'.repeat(32)}0281d9c033a2016175021a80000000`,
  ],
  ['an account without a key', 'zcash-accounts', `a2015820${'a5'.repeat(32)}0281d9c033a10200`],
  ['a version of two bytes', 'zcash-batch-sig-result', 'a301410002410003420d00'],
  ['an answer without its request', 'zcash-batch-sig-result', 'a201410003430d0002'],
  ['a request without an id', 'zcash-sign-batch', 'a1014100'],
] as const)
  test(`${what} is refused`, (t) => {
    const ur = { type, cbor: new Uint8Array(Buffer.from(cbor, 'hex')) };
    for (const read of READERS) t.throws(() => read(ur), { instanceOf: UrError });
    t.true(
      READERS.some((read) => messageOf(() => read(ur)) === `the codes have no ${type} as devices write it`),
    );
  });

const messageOf = (action: () => unknown): string => {
  try {
    action();
  } catch (thrown) {
    if (thrown instanceof UrError) return thrown.message;
  }
  return '';
};

test('what devices will add to a map is passed over', (t) => {
  const cbor = new Uint8Array(Buffer.from('a20141aa0901', 'hex'));
  t.deepEqual(pcztOf({ type: 'zcash-pczt', cbor }), Uint8Array.of(0xaa));
});

const hex32 = (value: number): string => value.toString(16).padStart(8, '0');

/** A part of these numbers, as nobody's encoder writes it. */
function madeUp(number: number, total: number, length: number, size: number): string {
  const head = (major: number, value: number): string =>
    value < 24
      ? (major | value).toString(16).padStart(2, '0')
      : `${(major | 26).toString(16)}${hex32(value)}`;
  const numbers = [number, total, length, 7].map((value) => head(0x00, value));
  const body = Buffer.from(`85${numbers.join('')}${head(0x40, size)}`, 'hex');
  return `ur:bytes/${number}-${total}/${letters(Buffer.concat([body, Buffer.alloc(size)]))}`;
}

test('numbers that fit no message are refused before anything is kept for them', (t) => {
  t.is(new UrReader().receive(madeUp(1, 3, 300, 100)), 'new');
  t.is(new UrReader().receive(madeUp(0xffffffff, 3, 201, 100)), 'new');
  for (const [number, total, length, size] of [
    [0, 3, 300, 100],
    [1, 0, 300, 100],
    [1, 3, 301, 100],
    [1, 3, 200, 100],
    [1, 3, 300, 0],
    [1, 3, 0, 100],
    [1, 4_097, 4_097, 1],
    [1, 0xffffffff, 0xffffffff, 1],
    [1, 32, (1 << 20) + 1, 32_769],
  ] as const)
    t.throws(() => new UrReader().receive(madeUp(number, total, length, size)), {
      instanceOf: UrError,
      message: 'a code is no part of a message that can be put together',
    });
});

test('messages that differ in their length alone are two', (t) => {
  const reader = new UrReader();
  reader.receive(madeUp(1, 3, 300, 100));
  t.is(reader.receive(madeUp(2, 3, 299, 100)), 'other');
});
