// Ledger's Zcash app over WebHID, against a device that reads reports and commands with a parser of its own.

import { secp256k1 } from '@noble/curves/secp256k1.js';
import {
  connectLedger,
  type Hid,
  type HidDevice,
  LedgerError,
  type SigningProgress,
} from '@wallet-companion/devices/ledger';
import type { Pczt } from '@wallet-companion/pczt/pczt';
import { effectsOfPczt } from '@wallet-companion/pczt/pcztRoles';
import { buildShielding, outputsAt, shield } from '@wallet-companion/pczt/test/shieldingStories';
import { build, keysOf, madeUpNotes, PARAMS, payTo, SEED } from '@wallet-companion/pczt/test/spendingAccount';
import { STORIES } from '@wallet-companion/pczt/test/spendingStories';
import { parseUnifiedViewingKey } from '@wallet-companion/zcash/addresses';
import { cryptographyOf, shieldedSighash, transparentSighash } from '@wallet-companion/zcash/signing';
import { seededBytes } from '@wallet-companion/zcash/test/noteMaker';
import test from 'ava';
import { MockLedger, type MockLedgerOptions, reportsOf } from '../../devices/mockLedger.ts';

/** What `navigator.hid` shows of the device. */
function plugged(device: { report(report: Uint8Array): readonly Uint8Array[] }) {
  const inputs = new Set<(event: { data: DataView }) => void>();
  const gone = new Set<(event: { device: unknown }) => void>();
  const hidDevice: HidDevice & { opened: boolean } = {
    opened: false,
    open: async () => {
      hidDevice.opened = true;
    },
    close: async () => {
      hidDevice.opened = false;
    },
    sendReport: async (_, data) => {
      for (const { buffer, byteOffset, length } of device.report(data))
        for (const input of [...inputs])
          input({ data: new DataView(buffer as ArrayBuffer, byteOffset, length) });
    },
    addEventListener: (_, listener) => void inputs.add(listener),
    removeEventListener: (_, listener) => void inputs.delete(listener),
  };
  const hid: Hid = {
    requestDevice: async () => [hidDevice],
    addEventListener: (_, listener) => void gone.add(listener),
    removeEventListener: (_, listener) => void gone.delete(listener),
  };
  const unplug = () => {
    for (const reported of gone) reported({ device: hidDevice });
  };
  return { hid, hidDevice, inputs, gone, unplug };
}

const mock = (more: Partial<MockLedgerOptions> = {}) =>
  new MockLedger({ seed: SEED, params: PARAMS, ...more });
const connected = (more: Partial<MockLedgerOptions> = {}) => connectLedger(plugged(mock(more)).hid);

const story = (name: string): Pczt => {
  const { notes: given, address, zatoshi, options } = STORIES.find((one) => one.name.startsWith(name))!;
  const random = seededBytes(name.length);
  const notes = madeUpNotes(given, random);
  return build(payTo(address, zatoshi, notes, options), notes, random).pczt;
};

/** As of a wallet that does not know the seed. */
const withoutDerivations = (pczt: Pczt): Pczt => {
  const bare = (bundle: Pczt['ironwood']) => ({
    ...bundle,
    actions: bundle.actions.map((action) => ({
      ...action,
      spend: { ...action.spend, zip32Derivation: undefined },
    })),
  });
  return { ...pczt, orchard: bare(pczt.orchard), ironwood: bare(pczt.ironwood) };
};

const problem = async (act: () => Promise<unknown>): Promise<string> => {
  try {
    await act();
  } catch (thrown) {
    if (thrown instanceof LedgerError) return thrown.problem;
    throw thrown;
  }
  return 'none';
};

test('the viewing key of the account comes in pieces', async (t) => {
  const ledger = await connected();
  t.is(ledger.version, '3.9.2');
  for (const account of [0, 5]) {
    const key = await ledger.viewingKey({ account, coinType: PARAMS.coinType });
    t.like(parseUnifiedViewingKey(key, PARAMS), { orchard: keysOf(account).orchard });
  }
});

for (const [name, isSeedKnown] of [
  ['Ironwood to Ironwood with a memo', true],
  ['Ironwood to Ironwood with a memo', false],
] as const)
  test(`a payment is signed, ${name}${isSeedKnown ? '' : ', without derivations'}`, async (t) => {
    const pczt = isSeedKnown ? story(name) : withoutDerivations(story(name));
    const steps: SigningProgress[] = [];
    const signatures = await (await connected()).sign(pczt, {
      account: 0,
      progress: (step) => steps.push(step),
    });
    const unsigned = (['orchard', 'ironwood'] as const).flatMap((pool) =>
      pczt[pool].actions.flatMap(({ spend }, index) => (spend.spendAuthSig ? [] : [`${pool} ${index}`])),
    );
    t.true(unsigned.length > 0);
    t.deepEqual(
      signatures.map(({ pool, index }) => `${pool} ${index}`),
      unsigned,
    );
    const sighash = shieldedSighash(effectsOfPczt(pczt));
    for (const { pool, index, signature } of signatures) {
      if (pool === 'transparent') throw new Error('there are no transparent inputs');
      t.true(cryptographyOf(pool).spendAuth.verify(pczt[pool].actions[index]!.spend.rk, sighash, signature));
    }
    t.like(steps[0], { step: 'sending', sent: 0 });
    t.deepEqual(
      steps.slice(-2).map(({ step }) => step),
      ['review', 'signing'],
    );
  });

const shielding = (inputs: number, hasPath = true): Pczt => {
  const given = Array.from({ length: inputs }, (_, at) => [1, 1_000_000 + at] as [number, number]);
  const proposal = shield(outputsAt(...given), { maxInputs: inputs });
  return buildShielding(proposal, seededBytes(inputs), hasPath).pczt;
};

test('transparent inputs are signed beside shielded padding, each with its key', async (t) => {
  for (const count of [1, 3, 32]) {
    const pczt = shielding(count);
    const device = mock();
    const signatures = await (await connectLedger(plugged(device).hid)).sign(pczt);
    t.deepEqual(
      signatures.map(({ pool, index }) => [pool, index]),
      Array.from({ length: count }, (_, index) => ['transparent', index]),
    );
    const effects = effectsOfPczt(pczt);
    for (const { index, signature } of signatures) {
      const [key] = pczt.transparent.inputs[index]!.bip32Derivation.keys();
      const message = transparentSighash(effects, index);
      t.is(signature.at(-1), 1);
      t.true(
        secp256k1.verify(signature.subarray(0, -1), message, Buffer.from(key!, 'hex'), {
          format: 'der',
          prehash: false,
        }),
      );
    }
    t.false(device.seen.includes(0x59), 'padding has its signatures');
  }
});

test('transparent inputs without a path, of another account or with another signature are refused', async (t) => {
  const pczt = shielding(2);
  const withInput = (changed: object): Pczt => ({
    ...pczt,
    transparent: {
      ...pczt.transparent,
      inputs: pczt.transparent.inputs.map((input) => ({ ...input, ...changed })),
    },
  });
  const [[key, derivation] = []] = pczt.transparent.inputs[0]!.bip32Derivation;
  const at = (path: readonly number[]) => ({
    bip32Derivation: new Map([[key!, { ...derivation!, derivationPath: path }]]),
  });
  const path = derivation!.derivationPath;
  const device = mock();
  const ledger = await connectLedger(plugged(device).hid);
  for (const payment of [
    shielding(33),
    shielding(1, false),
    withInput({ sighashType: 2 }),
    withInput(at(path.slice(0, 3))),
    withInput(at(path.with(0, 32 + 2 ** 31))),
    withInput(at(path.with(1, 133 + 2 ** 31))),
    withInput(at(path.with(2, 0))),
    withInput({ partialSignatures: new Map([[key!, new Uint8Array(71)]]) }),
  ])
    t.is(await problem(() => ledger.sign(payment)), 'unsupported');
  t.deepEqual(device.seen, [1], 'before anything is sent');
  const changed = (answer: (given: Uint8Array) => Uint8Array) =>
    connected({ tamper: (ins, given) => (ins === 0x55 ? answer(given) : given) });
  for (const answer of [
    () => new Uint8Array(0),
    (given: Uint8Array) => Buffer.concat([given, given]),
    (given: Uint8Array) => Uint8Array.from([0x32, ...given.subarray(1)]),
  ])
    t.is(await problem(async () => (await changed(answer)).sign(pczt)), 'answer');
});

test('what a Ledger never signs is refused before anything is sent', async (t) => {
  const pczt = story('Ironwood to Ironwood');
  const action = pczt.ironwood.actions[0]!;
  const withAction = (changed: object): Pczt => ({
    ...pczt,
    ironwood: { ...pczt.ironwood, actions: [{ ...action, ...changed }] },
  });
  const derived = (derivationPath: readonly number[]) => ({
    spend: { ...action.spend, zip32Derivation: { seedFingerprint: new Uint8Array(32), derivationPath } },
  });
  const bad: readonly Pczt[] = [
    story('Sapling'),
    { ...pczt, ironwood: { ...pczt.ironwood, actions: Array.from({ length: 33 }, () => action) } },
    withAction({ rcv: undefined }),
    withAction({ cvNet: undefined }),
    withAction({ spend: { ...action.spend, alpha: undefined } }),
    withAction({ spend: { ...action.spend, spendAuthSig: undefined, value: 0n } }),
    withAction({ spend: { ...action.spend, spendAuthSig: new Uint8Array(64) } }),
    withAction({
      output: { ...action.output, encCiphertext: { kind: 'memoPlaintext', bytes: new Uint8Array() } },
    }),
    withAction(derived([44, 1, 0].map((part) => part + 2 ** 31))),
    withAction(derived([32, 1].map((part) => part + 2 ** 31))),
  ];
  const device = mock();
  const ledger = await connectLedger(plugged(device).hid);
  for (const [at, payment] of bad.entries())
    t.is(await problem(() => ledger.sign(payment)), 'unsupported', String(at));
  t.is(await problem(() => ledger.sign(withoutDerivations(pczt))), 'unsupported');
  t.deepEqual(device.seen, [1]);
});

test('each status has its sentence', async (t) => {
  const sign = async (more: Partial<MockLedgerOptions>) =>
    (await connected(more)).sign(story('Ironwood to Ironwood'));
  const cases: readonly [Partial<MockLedgerOptions>, string][] = [
    [{ statuses: { 1: 0x5515 } }, 'locked'],
    [{ statuses: { 82: 0x6982 } }, 'locked'],
    [{ app: 'Bitcoin' }, 'app'],
    [{ statuses: { 82: 0x6d00 } }, 'app'],
    [{ statuses: { 88: 0x6985 } }, 'refused'],
    [{ statuses: { 88: 0x6a84 } }, 'unsupported'],
    [{ statuses: { 89: 0x6986 } }, 'unsupported'],
    [{ statuses: { 89: 0x1234 } }, 'answer'],
    [{ seed: new Uint8Array(64).fill(9) }, 'unsupported'],
  ];
  for (const [more, expected] of cases) t.is(await problem(() => sign(more)), expected, JSON.stringify(more));
  const { message } = await t.throwsAsync<LedgerError>(sign({ statuses: { 89: 0x1234 } }));
  t.is(message, 'The Ledger answered with the status 1234.');
});

test('answers that no app gives are refused', async (t) => {
  const tampered = (changed: (answer: Uint8Array) => Uint8Array) =>
    connected({ tamper: (ins, answer) => (ins === 1 ? answer : changed(answer)) });
  const cut = await tampered((answer) => answer.subarray(0, -1));
  t.is(await problem(() => cut.sign(story('Ironwood to Ironwood'))), 'answer');
  for (const changed of [
    () => Buffer.alloc(0),
    () => Buffer.from([0, 0]),
    () => Buffer.from([255, 255, 65]),
    () => Buffer.from([0, 3, 60, 97, 62]),
    (answer: Uint8Array) => Buffer.concat([answer, answer]),
  ]) {
    const ledger = await tampered(changed);
    t.is(await problem(() => ledger.viewingKey({ account: 0, coinType: 1 })), 'answer', String(changed));
  }
  for (const app of ['', 'Zcash\u0000'])
    t.is(await problem(() => connected({ app })), 'app', JSON.stringify(app));
});

test('reports in another form or order are refused, those of other channels passed over', async (t) => {
  const report = (bytes: readonly number[]) => Buffer.from([...bytes, ...new Uint8Array(64 - bytes.length)]);
  const answering = (reports: readonly Uint8Array[]) => connectLedger(plugged({ report: () => reports }).hid);
  const app = mock().apdu(Buffer.from([0xb0, 1, 0, 0, 0]));
  t.is((await answering([report([9, 9, 5]), ...reportsOf(app)])).version, '3.9.2');
  for (const reports of [
    [report([1, 1, 6])],
    [report([1, 1, 5, 0, 1])],
    [Buffer.from([1, 1, 5])],
    [report([1, 1, 5, 0, 0, 0, 1])],
    [report([1, 1, 5, 0, 0, 1, 0]), report([1, 1, 5, 0, 2])],
    [report([1, 1, 5, 0, 0, 0, 5, 1, 9, 90, 0x90, 0])],
  ])
    t.is(await problem(() => answering(reports)), 'answer');
});

test('a device that is not chosen, cannot be opened or is unplugged says so, and is let go', async (t) => {
  const none = { ...plugged(mock()).hid, requestDevice: async () => [] };
  t.is(await problem(() => connectLedger(none)), 'disconnected');
  const busy = plugged(mock());
  busy.hidDevice.open = () => Promise.reject(new Error('in use'));
  t.is(await problem(() => connectLedger(busy.hid)), 'disconnected');

  const silent = plugged({ report: () => [] });
  const waiting = problem(() => connectLedger(silent.hid));
  while (silent.inputs.size === 0) await Promise.resolve();
  silent.unplug();
  t.is(await waiting, 'disconnected');
  t.deepEqual([silent.inputs.size, silent.gone.size, silent.hidDevice.opened], [0, 0, false]);

  const open = plugged(mock());
  const ledger = await connectLedger(open.hid);
  await ledger.close();
  t.is(await problem(() => ledger.viewingKey({ account: 0, coinType: 1 })), 'disconnected');
  t.deepEqual([open.inputs.size, open.gone.size, open.hidDevice.opened], [0, 0, false]);
});
