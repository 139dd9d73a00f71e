// What a PCZT must not be, each with its own sentence; and that announced sizes cost nothing.

import { asciiBytes, concatBytes } from '@wallet-companion/base/bytes';
import test from 'ava';
import { decodePczt, encodePczt, MAX_PCZT_LENGTH } from '../../src/pczt/codec.ts';
import type { Pczt } from '../../src/pczt/pczt.ts';
import { PcztRefusal } from '../../src/pczt/refusal.ts';
import { edited, stage, stageBytes, withField } from '../helpers/pcztVectors.ts';

const IRONWOOD = 'v6-ironwood-ironwood';
const header = (encoding: number): Uint8Array =>
  concatBytes(asciiBytes('PCZT'), Uint8Array.of(encoding, 0, 0, 0));
/** Version 6 under NU6.3 with everything else empty, up to the bundles. */
const GLOBAL = encodePczt(
  ['transparent.inputs', 'transparent.outputs', 'ironwood.actions'].reduce(
    (pczt, path) => withField(pczt, path, []),
    withField(withField(stage(IRONWOOD, 'created'), 'ironwood.valueSum', 0n), 'ironwood.anchor', undefined),
  ),
  2,
).slice(0, -4);
const bytesOf = (...bytes: readonly number[]): Uint8Array => Uint8Array.from(bytes);
const after = (...rest: readonly number[]): Uint8Array => concatBytes(GLOBAL, bytesOf(...rest));

const big = [0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0x01];

const MALFORMED: readonly (readonly [string, Uint8Array, string | RegExp])[] = [
  ['nothing', bytesOf(), 'this is not a PCZT'],
  ['another magic', concatBytes(asciiBytes('PSBT'), bytesOf(2, 0, 0, 0, 0)), 'this is not a PCZT'],
  ['no encoding', asciiBytes('PCZT'), 'this is not a PCZT'],
  ['a later encoding', header(3), 'encoding 3 of PCZTs is not known here'],
  ['no body', header(2), /^global\.txVersion: needs 1 bytes/],
  [
    'a number of more than 32 bits',
    concatBytes(header(2), bytesOf(...big)),
    'global.txVersion: a number has more than 32 bits',
  ],
  [
    'a longer number than needed',
    concatBytes(header(2), bytesOf(0x86, 0x00)),
    'global.txVersion: a number is written longer than it needs to be',
  ],
  ['bytes after the end', after(0, 0, 0, 0, 0), '1 bytes follow after its end'],
  ['a tag that is none', after(2), 'transparent: 2 is neither yes nor no'],
  ['an empty bundle that is there', after(1, 0, 0, 0, 0, 0), 'transparent: an empty bundle must be left out'],
  [
    'an empty bundle of actions',
    after(0, 0, 1, 0, 3, 0, 0, 0, 0, 0, 0, 0),
    'orchard: an empty bundle must be left out',
  ],
  [
    'the same with an anchor of zeros',
    concatBytes(after(0, 0, 1, 0, 3, 0, 0, 1), new Uint8Array(32), bytesOf(0, 0, 0, 0)),
    'orchard: an empty bundle must be left out',
  ],
  [
    'more items than there are bytes',
    after(1, ...big, 0),
    /^transparent\.inputs: \d+ items are announced, which do not fit/,
  ],
  ['negative zero', after(0, 0, 1, 0, 2, 0, 1, 0, 0, 0, 0, 0), 'orchard.valueSum: zero has no sign'],
  [
    'a variant that is none',
    after(0, 0, 1, 0, 2, 0, 0, 0, 2, 0, 0, 0),
    'orchard.noteVersion: there is no variant 2',
  ],
  [
    'a flag that the pool has not',
    after(0, 0, 1, 0, 7, 0, 0, 0, 0, 0, 0, 0),
    'orchard.flags: Orchard has no such flags',
  ],
  [
    'the note version of another pool',
    after(0, 0, 1, 0, 2, 0, 0, 0, 1, 0, 0, 0),
    'orchard.noteVersion: it is that of another pool',
  ],
];

for (const [what, bytes, message] of MALFORMED) {
  test(`${what} is refused`, (t) => {
    t.throws(() => decodePczt(bytes), { instanceOf: PcztRefusal, message });
  });
}

test('the least PCZT there is can be read', (t) => {
  t.is(decodePczt(after(0, 0, 0, 0)).pczt.ironwood.actions.length, 0);
});

/** Values that decodePczt must not let through, since encodePczt does not either. */
const set = (path: string, value: unknown) => (pczt: Pczt) => withField(pczt, path, value);
const INCONSISTENT: readonly (readonly [string, (pczt: Pczt) => Pczt, string])[] = [
  [
    'version 4',
    set('global.txVersion', 4),
    'global.txVersion: there are no PCZTs for transactions of version 4',
  ],
  [
    'another group',
    set('global.versionGroupId', 0x26a7270a),
    'global.versionGroupId: it is not that of version 6',
  ],
  [
    'version 6 before NU6.3',
    set('global.consensusBranchId', 0x5437f330),
    'global.consensusBranchId: no known upgrade with version 6 has this branch',
  ],
  [
    'an unknown branch',
    set('global.consensusBranchId', 7),
    'global.consensusBranchId: no known upgrade with version 6 has this branch',
  ],
  ['unknown modifiable bits', set('global.txModifiable', 8), 'global.txModifiable: unknown bits are set'],
  [
    'an amount above the supply',
    set('ironwood.actions.0.output.value', 2_100_000_000_000_001n),
    'ironwood.actions[0].output.value: it is above 21,000,000 ZEC',
  ],
  [
    'a sum above the supply',
    set('ironwood.valueSum', -2_100_000_000_000_001n),
    'ironwood.valueSum: it is more than there is money',
  ],
  [
    'another sum than that of the values',
    set('ironwood.valueSum', 10_001n),
    'ironwood.valueSum: it is not the sum of the values',
  ],
  [
    'another value than in the sum',
    set('ironwood.actions.0.spend.value', 1n),
    'ironwood.valueSum: it is not the sum of the values',
  ],
  ['a flag of no pool', set('ironwood.flags', 8), 'ironwood.flags: Ironwood has no such flags'],
  [
    'a memo that could be shorter',
    set('ironwood.actions.1.output.encCiphertext', { kind: 'memoPlaintext', bytes: bytesOf(65, 0) }),
    'ironwood.actions[1].output.encCiphertext: a memo ends with zeros that must be left out',
  ],
];

for (const [what, change, message] of INCONSISTENT) {
  test(`${what} is refused`, (t) => {
    t.throws(() => encodePczt(change(stage(IRONWOOD, 'ready')), 2), { instanceOf: PcztRefusal, message });
  });
}

test('an amount that was left out leaves the sum open', (t) => {
  const hidden = set('ironwood.actions.0.spend.value', undefined)(stage(IRONWOOD, 'ready'));
  t.notThrows(() => decodePczt(encodePczt(set('ironwood.valueSum', 5n)(hidden), 2)));
});

test('Ironwood has no place in version 5', (t) => {
  const v6 = stage(IRONWOOD, 'ready');
  const v5 = ['txVersion', 'versionGroupId', 'consensusBranchId'].reduce(
    (pczt, field) =>
      edited(
        pczt,
        `global.${field}`,
        () => stage('v5-orchard-orchard', 'ready').global[field as 'txVersion'],
      ),
    v6,
  );
  t.throws(() => encodePczt(v5, 2), { message: 'ironwood: version 5 cannot hold it' });
});

test('lock times are heights or times', (t) => {
  const [input] = [{ requiredTimeLockTime: undefined, requiredHeightLockTime: undefined, value: 1n }];
  const withInput = (fields: object): Pczt =>
    withField(stage(IRONWOOD, 'ready'), 'transparent.inputs', [{ ...input, ...fields }]);
  const refused = (fields: object, message: string): void => {
    t.throws(() => encodePczt(withInput(fields), 2), { message: `transparent.inputs[0].${message}` });
  };
  refused({ requiredTimeLockTime: 499_999_999 }, 'requiredTimeLockTime: it is a height');
  refused({ requiredHeightLockTime: 500_000_000 }, 'requiredHeightLockTime: it is no height');
  refused({ requiredHeightLockTime: 0 }, 'requiredHeightLockTime: it is no height');
});

/** The offset at which the bytes of a field stand. */
function indexOf(bytes: Uint8Array, part: Uint8Array): number {
  const at = Buffer.from(bytes).indexOf(Buffer.from(part));
  if (at < 0) throw new Error('the field is not there');
  return at;
}

test('a nullifier must be there, and a ciphertext has one length', (t) => {
  const bytes = stageBytes(IRONWOOD, 'ready');
  const { spend, output } = stage(IRONWOOD, 'ready').ironwood.actions[0]!;
  const at = indexOf(bytes, spend.nullifier);
  const without = concatBytes(bytes.subarray(0, at - 1), bytesOf(0), bytes.subarray(at + 32));
  t.throws(() => decodePczt(without), { message: 'ironwood.actions[0].spend.nullifier: it must be there' });
  const cipher = indexOf(bytes, output.encCiphertext.bytes);
  t.deepEqual([...bytes.subarray(cipher - 3, cipher)], [0, 0xc4, 0x04]);
  const shorter = bytes.slice();
  shorter[cipher - 2] = 0xc3;
  t.throws(() => decodePczt(shorter), {
    message: 'ironwood.actions[0].output.encCiphertext: it must have 580 bytes, not 579',
  });
  const memo = bytes.slice();
  memo[cipher - 3] = 1;
  t.throws(() => decodePczt(memo), {
    message: 'ironwood.actions[0].output.encCiphertext: it has 580 bytes, at most 512 fit',
  });
});

test('keys of maps have one order, by their bytes, and no twins', (t) => {
  const entries = new Map([
    ['b', bytesOf(1)],
    ['a', bytesOf(2)],
    ['\u{ffff}', bytesOf(3)],
    ['\u{10000}', bytesOf(4)],
  ]);
  const written = encodePczt(withField(stage(IRONWOOD, 'ready'), 'global.proprietary', entries), 2);
  const { proprietary } = decodePczt(written).pczt.global;
  t.deepEqual([...proprietary.keys()], ['a', 'b', '\u{ffff}', '\u{10000}']);
  const at = indexOf(written, bytesOf(1, 0x61, 1, 2, 1, 0x62, 1, 1));
  for (const key of [0x61, 0x60]) {
    const twins = written.slice();
    twins[at + 5] = key;
    t.throws(() => decodePczt(twins), {
      message: 'global.proprietary: its keys are out of order or repeated',
    });
  }
  const notText = written.slice();
  notText[at + 1] = 0xff;
  t.throws(() => decodePczt(notText), { message: /^global\.proprietary: (?:a text is not UTF-8|its keys)/ });
});

test('what is empty but many is refused before it fills the memory', (t) => {
  const many = (count: number): Uint8Array => {
    const length = [(count & 0x7f) | 0x80, ((count >> 7) & 0x7f) | 0x80, count >> 14];
    // A transparent output: value, script, redeem script, derivations, address, entries: six zeros.
    return concatBytes(after(1, 0, ...length), new Uint8Array(6 * count), bytesOf(0, 0, 0));
  };
  t.is(decodePczt(many(65_000)).pczt.transparent.outputs.length, 65_000);
  t.throws(() => decodePczt(many(65_537)), {
    message: 'transparent.outputs: there are more than 65536 items in all',
  });
});

test('all lists and maps are counted together', (t) => {
  const entries = new Map(Array.from({ length: 1000 }, (_, i) => [String(i).padStart(5, '0'), bytesOf()]));
  const [output] = stage('v6-nu7-ironwood-transparent', 'ready').transparent.outputs;
  const outputs = Array.from({ length: 66 }, () => ({ ...output!, proprietary: entries }));
  const bytes = (count: number): Uint8Array =>
    encodePczt(withField(stage(IRONWOOD, 'ready'), 'transparent.outputs', outputs.slice(0, count)), 2);
  t.is(decodePczt(bytes(65)).pczt.transparent.outputs.length, 65);
  t.throws(() => decodePczt(bytes(66)), {
    message: 'transparent.outputs[65].proprietary: there are more than 65536 items in all',
  });
});

test('as many entries as can be read can be written', (t) => {
  const entries = new Map(
    Array.from({ length: 65_000 }, (_, i) => [String(i).padStart(5, '0'), bytesOf(i & 0xff)]),
  );
  const bytes = encodePczt(withField(stage(IRONWOOD, 'ready'), 'global.proprietary', entries), 2);
  t.deepEqual(decodePczt(bytes).pczt.global.proprietary, entries);
});

test('a list is no longer than a block has room for', (t) => {
  const ready = stage(IRONWOOD, 'compact');
  const many = (count: number): Pczt =>
    withField(
      withField(
        ready,
        'ironwood.actions',
        Array.from({ length: count }, () => MINIMAL),
      ),
      'ironwood.valueSum',
      0n,
    );
  const { spend, output } = ready.ironwood.actions[0]!;
  const MINIMAL = {
    cvNet: undefined,
    rcv: undefined,
    spend: { ...without(spend), nullifier: spend.nullifier, rk: spend.rk },
    output: {
      ...without(output),
      ephemeralKey: output.ephemeralKey,
      encCiphertext: { kind: 'memoPlaintext', bytes: bytesOf() },
      outCiphertext: output.outCiphertext,
    },
  };
  t.is(decodePczt(encodePczt(many(2262), 2)).pczt.ironwood.actions.length, 2262);
  t.throws(() => decodePczt(encodePczt(many(2263), 2)), {
    message: 'ironwood.actions: 2263 are more than a transaction holds',
  });
});

const without = (fields: object): object =>
  Object.fromEntries(
    Object.entries(fields).map(([name, value]) => [name, value instanceof Map ? value : undefined]),
  );

test('too many bytes are not looked at', (t) => {
  const long = new Uint8Array(MAX_PCZT_LENGTH + 1);
  long.set(stageBytes(IRONWOOD, 'ready'));
  t.throws(() => decodePczt(long), { message: /^a PCZT has at most 7864320 bytes/ });
});

test('a view into other bytes is read where it lies', (t) => {
  const bytes = stageBytes(IRONWOOD, 'ready');
  const around = concatBytes(bytesOf(1, 2, 3), bytes, bytesOf(4, 5));
  t.deepEqual(decodePczt(around.subarray(3, 3 + bytes.length)), decodePczt(bytes));
});

test('what was read does not change with the bytes it was read from', (t) => {
  const bytes = stageBytes(IRONWOOD, 'ready');
  const { pczt } = decodePczt(bytes);
  const kept = encodePczt(pczt, 2);
  bytes.fill(0);
  t.deepEqual(encodePczt(pczt, 2), kept);
});
