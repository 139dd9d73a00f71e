import { bytesToHex, FormatError, hexToBytes } from '@wallet-companion/base/bytes';
import { runs } from '@wallet-companion/base/test/atLength';
import test from 'ava';
import fc from 'fast-check';
import { parseTransaction } from '../../src/zcash/encoding/transaction.ts';
import { transactionContents } from '../../src/zcash/encoding/transactionContents.ts';
import type { TransparentOutput } from '../../src/zcash/encoding/transparentBundle.ts';
import { effectsOf, type TransactionEffects } from '../../src/zcash/transaction/effects.ts';
import {
  ANYONE_CAN_PAY,
  SIGHASH,
  shieldedSighash,
  transparentSighash,
  txidOfEffects,
} from '../../src/zcash/transaction/sighash.ts';
import { type Flip, flipsOf, randomEffects } from '../helpers/effectsMaker.ts';
import { readFixtureJson } from '../helpers/fixtures.ts';
import { plainDigests } from '../helpers/plainDigests.ts';
import { testEachCase } from '../helpers/vectors.ts';

const hex = (bytes: Uint8Array): string => bytesToHex(bytes);

interface Zip244Case {
  tx: string;
  txid: string;
  amounts: (string | number)[];
  script_pubkeys: string[];
  transparent_input: number | null;
  sighash_shielded: string;
  sighash_all: string | null;
  sighash_none: string | null;
  sighash_single: string | null;
  sighash_all_anyone: string | null;
  sighash_none_anyone: string | null;
  sighash_single_anyone: string | null;
}

testEachCase<Zip244Case>('zip_0244', 'every signature hash', (t, vector) => {
  const spent = vector.amounts.map(
    (amount, i): TransparentOutput => ({
      value: BigInt(amount),
      scriptPubKey: hexToBytes(vector.script_pubkeys[i]!),
    }),
  );
  const contents = transactionContents(parseTransaction(hexToBytes(vector.tx)));
  const effects = spent.length > 0 ? effectsOf(contents, spent) : effectsOf(contents);
  t.is(hex(txidOfEffects(effects)), vector.txid);
  t.is(hex(shieldedSighash(effects)), vector.sighash_shielded);
  const input = vector.transparent_input;
  const expected: [number, string | null][] = [
    [SIGHASH.all, vector.sighash_all],
    [SIGHASH.none, vector.sighash_none],
    [SIGHASH.single, vector.sighash_single],
    [SIGHASH.all + ANYONE_CAN_PAY, vector.sighash_all_anyone],
    [SIGHASH.none + ANYONE_CAN_PAY, vector.sighash_none_anyone],
    [SIGHASH.single + ANYONE_CAN_PAY, vector.sighash_single_anyone],
  ];
  for (const [hashType, sighash] of expected) {
    if (input === null) t.is(sighash, null);
    else if (sighash !== null) t.is(hex(transparentSighash(effects, input, hashType)), sighash);
    // The vectors have none where there is no output beside the input.
    else t.throws(() => transparentSighash(effects, input, hashType), { instanceOf: FormatError });
  }
});

for (const name of ['tx_v5_generated', 'tx_v6']) {
  const { cases } = readFixtureJson<{ cases: { tx: string; txid: string }[] }>('vectors', `${name}.json`);
  test(`${name}: the effects alone give the txid, and the hashes of another implementation`, (t) => {
    for (const { tx, txid } of cases) {
      const contents = transactionContents(parseTransaction(hexToBytes(tx)));
      const spent = contents.inputs.map((_, i) => ({
        value: BigInt(i) * 1_000_000_007n,
        scriptPubKey: new Uint8Array(i),
      }));
      const effects = effectsOf(contents, spent);
      t.is(hex(txidOfEffects(effects)), txid);
      t.is(plainDigests(effects).root, txid);
      t.is(hex(shieldedSighash(effects)), plainDigests(effects, 1).root);
    }
  });
}

test('random transactions have the digests of another implementation, in every form', (t) => {
  fc.assert(
    fc.property(randomEffects(), (effects) => {
      t.is(hex(txidOfEffects(effects)), plainDigests(effects).root);
      t.is(hex(shieldedSighash(effects)), plainDigests(effects, 1).root);
      effects.inputs.forEach((_, i) => {
        for (const kind of [1, 2, 3, 0x81, 0x82, 0x83]) {
          if ((kind & 3) === 3 && i >= effects.outputs.length) {
            t.throws(() => transparentSighash(effects, i, kind), { instanceOf: FormatError });
          } else {
            t.is(hex(transparentSighash(effects, i, kind)), plainDigests(effects, kind, i).root);
          }
        }
      });
    }),
    { numRuns: runs(18, 150) },
  );
});

const changedNodes = (
  before: TransactionEffects,
  after: TransactionEffects,
  hashType?: number,
): readonly string[] => {
  const [a, b] = [before, after].map((effects) => plainDigests(effects, hashType).nodes) as [
    Readonly<Record<string, string>>,
    Readonly<Record<string, string>>,
  ];
  return Object.keys(a)
    .filter((name) => a[name] !== b[name])
    .sort();
};

test('a flipped bit in any field changes the digests above it, and no other', (t) => {
  const fields = new Set<string>();
  const check = (effects: TransactionEffects, { name, changed, reaches }: Flip): void => {
    fields.add(`${effects.version} ${name}`);
    t.deepEqual(changedNodes(effects, changed), [...reaches.txid].sort(), `${name} in the txid`);
    t.deepEqual(changedNodes(effects, changed, 1), [...reaches.sighash].sort(), `${name} in the sighash`);
    // What the other implementation says of its nodes, ours says of its roots.
    t.is(hex(txidOfEffects(effects)) !== hex(txidOfEffects(changed)), reaches.txid.length > 0, name);
    t.is(hex(shieldedSighash(effects)) !== hex(shieldedSighash(changed)), reaches.sighash.length > 0, name);
  };
  for (const version of [5, 6] as const)
    fc.assert(
      fc.property(randomEffects({ full: true, version }), fc.nat(), (effects, seed) => {
        for (const flip of flipsOf(effects, seed)) check(effects, flip);
      }),
      { numRuns: runs(2, 6) },
    );
  // Of the header, transparent, of Sapling and of each pool of actions: both versions have been here.
  t.is(fields.size, 2 * (3 + 7 + 12) + 12 + 2 * 12);
});

test('no two inputs share a hash, and hash types differ', (t) => {
  fc.assert(
    fc.property(
      randomEffects({ full: true }).filter(({ inputs, outputs }) => inputs.length > 1 && outputs.length > 1),
      (effects) => {
        const hashes = [0, 1].flatMap((i) =>
          [1, 2, 3, 0x81, 0x82, 0x83].map((kind) => hex(transparentSighash(effects, i, kind))),
        );
        t.is(new Set([...hashes, hex(shieldedSighash(effects)), hex(txidOfEffects(effects))]).size, 14);
      },
    ),
    { numRuns: runs(3, 20) },
  );
});

test('what no transaction can be has no hash', (t) => {
  const [effects] = fc.sample(randomEffects({ full: true, version: 6 }), { numRuns: 1, seed: 1 });
  const [v5] = fc.sample(randomEffects({ full: true, version: 5 }), { numRuns: 1, seed: 1 });
  const refused = (changed: TransactionEffects): void => {
    t.throws(() => shieldedSighash(changed), { instanceOf: FormatError });
    t.throws(() => txidOfEffects(changed), { instanceOf: FormatError });
  };
  const { sapling, orchard, ironwood, inputs, outputs } = effects!;
  const shorter = (bytes: Uint8Array) => bytes.subarray(1);
  const longer = (bytes: Uint8Array) => Uint8Array.of(...bytes, 0);
  for (const field of ['cv', 'nullifier', 'rk'] as const) {
    for (const change of [shorter, longer]) {
      const [first] = sapling!.spends;
      const spend = { ...first!, [field]: change(first![field]) };
      refused({ ...effects!, sapling: { ...sapling!, spends: [spend] } });
    }
  }
  for (const field of ['cv', 'cmu', 'ephemeralKey', 'encCiphertext', 'outCiphertext'] as const) {
    for (const change of [shorter, longer]) {
      const [first] = sapling!.outputs;
      const output = { ...first!, [field]: change(first![field]) };
      refused({ ...effects!, sapling: { ...sapling!, outputs: [output] } });
    }
  }
  for (const field of [
    'cv',
    'nullifier',
    'rk',
    'cmx',
    'ephemeralKey',
    'encCiphertext',
    'outCiphertext',
  ] as const) {
    for (const change of [shorter, longer]) {
      const [first] = ironwood!.actions;
      const action = { ...first!, [field]: change(first![field]) };
      refused({ ...effects!, ironwood: { ...ironwood!, actions: [action] } });
      refused({ ...effects!, orchard: { ...orchard!, actions: [action] } });
    }
  }
  for (const wrong of [-1, 2 ** 32, 1.5, Number.NaN]) {
    refused({ ...effects!, lockTime: wrong });
    refused({ ...effects!, expiryHeight: wrong });
    refused({ ...effects!, consensusBranchId: wrong });
    refused({ ...effects!, inputs: [{ ...inputs[0]!, prevIndex: wrong }] });
    refused({ ...effects!, inputs: [{ ...inputs[0]!, sequence: wrong }] });
  }
  for (const wrong of [31, 33]) {
    const input = { ...inputs[0]!, prevIndex: 0, prevTxid: new Uint8Array(wrong) };
    refused({ ...effects!, inputs: [input] });
  }
  for (const wrong of [-1n, 2_100_000_000_000_001n]) {
    refused({ ...effects!, inputs: [{ ...inputs[0]!, value: wrong }] });
    refused({ ...effects!, outputs: [{ ...outputs[0]!, value: wrong }] });
  }
  for (const wrong of [-2_100_000_000_000_001n, 2_100_000_000_000_001n]) {
    refused({ ...effects!, sapling: { ...sapling!, valueBalance: wrong } });
    refused({ ...effects!, ironwood: { ...ironwood!, valueBalance: wrong } });
  }
  refused({ ...effects!, orchard: { ...orchard!, flags: 4 } });
  refused({ ...effects!, ironwood: { ...ironwood!, flags: 8 } });
  refused({ ...effects!, ironwood: { ...ironwood!, flags: 256 } });
  refused({ ...effects!, ironwood: { ...ironwood!, actions: [], valueBalance: 1n } });
  refused({ ...effects!, sapling: { spends: [], outputs: [], valueBalance: -1n } });
  refused({ ...v5!, ironwood });
  refused({ ...v5!, orchard: { ...v5!.orchard!, anchor: undefined } });
  refused({ ...v5!, sapling: { ...v5!.sapling!, anchor: undefined } });
  refused({ ...v5!, orchard: { ...v5!.orchard!, anchor: new Uint8Array(33) } });
  // Reference: these are allowed.
  t.notThrows(() => shieldedSighash({ ...effects!, ironwood: { ...ironwood!, flags: 7 } }));
  t.notThrows(() => shieldedSighash({ ...effects!, orchard: { ...orchard!, anchor: undefined } }));
  t.notThrows(() => shieldedSighash({ ...effects!, orchard: { actions: [], flags: 3, valueBalance: 0n } }));
});

test('hash types and inputs that do not exist have no hash', (t) => {
  const [effects] = fc.sample(randomEffects({ full: true }), { numRuns: 1, seed: 2 });
  for (const kind of [0, 4, 0x40, 0x80, 0x84, 0x101, -1, 1.5]) {
    t.throws(() => transparentSighash(effects!, 0, kind), { instanceOf: FormatError });
  }
  t.throws(() => transparentSighash(effects!, effects!.inputs.length), { instanceOf: RangeError });
  t.throws(() => transparentSighash(effects!, -1), { instanceOf: RangeError });
});

test('each input of a whole transaction spends one output, and version 4 is refused', (t) => {
  const { cases } = readFixtureJson<{ cases: { tx: string }[] }>('vectors', 'tx_v4_generated.json');
  const v4 = transactionContents(parseTransaction(hexToBytes(cases[0]!.tx)));
  t.throws(() => effectsOf(v4), { instanceOf: FormatError, message: /version 4/ });
  t.throws(() => effectsOf({ ...v4, version: 5 }), { instanceOf: FormatError, message: /cannot spend 0/ });
});
