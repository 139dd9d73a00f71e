// What a person is shown before signing: payments, change, fee and what becomes public, for every payment of the vectors;
// and that nothing that explains a field can be changed without a warning.

import { firstAddress, parseAddress } from '@wallet-companion/zcash/addresses';
import { encodeInteger32 } from '@wallet-companion/zcash/curves';
import { deriveViewingKeys, incomingKeys, mnemonicToSeed } from '@wallet-companion/zcash/keys';
import { regtestParameters } from '@wallet-companion/zcash/network';
import { sealOutgoing } from '@wallet-companion/zcash/notes';
import test from 'ava';
import { outputNoteOf } from '../../src/pczt/compactFields.ts';
import { type InspectionOptions, inspectPczt } from '../../src/pczt/inspect.ts';
import type { InspectedOutput, WarningCode } from '../../src/pczt/inspection.ts';
import { noteKeysOf, noteOf } from '../../src/pczt/outputNote.ts';
import type { Pczt } from '../../src/pczt/pczt.ts';
import { redactPczt } from '../../src/pczt/redactor.ts';
import { cases, edited, flipped, stage, withField } from '../helpers/pcztVectors.ts';

const PHRASE = `${'abandon '.repeat(23)}art`;
const seed = mnemonicToSeed(PHRASE, '');
const heightsOf = (name: string) =>
  regtestParameters({ nu6_3: 20, nu7: name.includes('nu7') ? 50 : undefined });
const ownKeys = incomingKeys(deriveViewingKeys(seed, regtestParameters(), 0), 0);
const payee = incomingKeys(deriveViewingKeys(seed, regtestParameters(), 1), 1);

const optionsOf = (name: string): InspectionOptions => ({
  params: heightsOf(name),
  tipHeight: cases.find((one) => one.name === name)!.target_height - 1,
  ownKeys,
});
const look = (name: string, pczt: Pczt, options: Partial<InspectionOptions> = {}) =>
  inspectPczt(pczt, { ...optionsOf(name), ...options });
const codesOf = (name: string, pczt: Pczt, options: Partial<InspectionOptions> = {}): WarningCode[] =>
  look(name, pczt, options).warnings.map(({ code }) => code);

type Payment = readonly [place: string, amount: number, memo: string | undefined];
interface Expected {
  readonly payments: readonly Payment[];
  readonly change: readonly Payment[];
  readonly spent: readonly Payment[];
  readonly balances: Readonly<Record<string, number>>;
}

const EXPECTED: Readonly<Record<string, Expected>> = {
  'v5-orchard-orchard': {
    payments: [['orchard', 30_000_000, 'v5: thank you']],
    change: [['orchard', 69_990_000, undefined]],
    spent: [['orchard', 100_000_000, 'external']],
    balances: { orchard: 10_000 },
  },
  'v6-ironwood-ironwood': {
    payments: [['ironwood', 75_000_000, 'Ironwood 🌳']],
    change: [['ironwood', 24_990_000, undefined]],
    spent: [
      ['ironwood', 60_000_000, 'internal'],
      ['ironwood', 40_000_000, 'external'],
    ],
    balances: { ironwood: 10_000 },
  },
  'v6-orchard-ironwood': {
    payments: [['ironwood', 20_000_000, 'out of Orchard']],
    change: [['ironwood', 79_980_000, undefined]],
    spent: [['orchard', 100_000_000, 'external']],
    balances: { orchard: 100_000_000, ironwood: -99_980_000 },
  },
  'v6-orchard-change-in-orchard': {
    payments: [['ironwood', 90_000_000, 'most of it']],
    change: [['orchard', 9_975_000, undefined]],
    spent: [
      ['orchard', 50_000_000, 'internal'],
      ['orchard', 50_000_000, 'external'],
    ],
    balances: { orchard: 90_025_000, ironwood: -90_000_000 },
  },
  'v6-sapling-sapling': {
    payments: [['sapling', 10_000_000, 'Sapling']],
    change: [['sapling', 39_990_000, undefined]],
    spent: [['sapling', 50_000_000, 'external']],
    balances: { sapling: 10_000 },
  },
  'v6-sapling-ironwood': {
    payments: [['ironwood', 10_000_000, 'from Sapling']],
    change: [['sapling', 39_980_000, undefined]],
    spent: [['sapling', 50_000_000, 'external']],
    balances: { sapling: 10_020_000, ironwood: -10_000_000 },
  },
  'v6-nu7-ironwood-transparent': {
    payments: [['transparent', 10_000_000, undefined]],
    change: [['ironwood', 39_985_000, undefined]],
    spent: [['ironwood', 50_000_000, 'external']],
    balances: { ironwood: 10_015_000 },
  },
};

const memoText = ({ memo }: InspectedOutput): string | undefined =>
  memo?.kind === 'text' ? memo.text : undefined;

for (const { name, fee } of cases) {
  test(`${name}: who is paid, what comes back, what it costs and what becomes public`, (t) => {
    const expected = EXPECTED[name]!;
    const seen = look(name, stage(name, 'ready'));
    const of = (role: InspectedOutput['role']): Payment[] =>
      seen.outputs
        .filter((output) => output.role === role)
        .map((output) => [output.place, Number(output.amount), memoText(output)]);
    t.deepEqual(of('payment'), expected.payments as Payment[]);
    t.deepEqual(of('change'), expected.change as Payment[]);
    t.true(of('padding').every(([, amount, memo]) => amount === 0 && !memo));
    t.deepEqual(
      seen.spends
        .filter(({ isPadding }) => !isPadding)
        .map(({ place, amount, owner }): Payment => [place, Number(amount), owner]),
      expected.spent as Payment[],
    );
    t.deepEqual(
      [...seen.spends, ...seen.outputs].filter(({ isVerified }) => !isVerified),
      [],
    );
    t.is(seen.fee, BigInt(fee));
    t.is(seen.conventionalFee, BigInt(fee));
    t.deepEqual(
      Object.fromEntries(seen.becomesPublic.valueBalances.map(({ pool, amount }) => [pool, Number(amount)])),
      expected.balances as Record<string, number>,
    );
    t.is(
      seen.becomesPublic.transparentOutputs,
      expected.payments.filter(([place]) => place === 'transparent').length,
    );
    t.is(seen.becomesPublic.transparentInputs, 0);
    t.deepEqual(seen.warnings, []);
    t.deepEqual(seen.missing.bindingKeys, []);
    t.deepEqual(
      seen.missing.proofs as string[],
      Object.keys(expected.balances).filter((pool) => pool in stage(name, 'ready')),
    );
    const change = seen.outputs.find(({ role }) => role === 'change')!;
    t.is(change.owner, 'internal');
    t.is(change.userAddress, undefined);
  });

  test(`${name}: what the payee is shown as is what was typed, and holds the receiver that is paid`, (t) => {
    const { outputs } = look(name, stage(name, 'ready'));
    const payment = outputs.find(({ role }) => role === 'payment')!;
    const typed = payment.userAddress!;
    if (payment.place === 'transparent') {
      t.is(payment.address, typed);
      return;
    }
    const protocol = payment.place === 'sapling' ? 'sapling' : 'orchard';
    const paid = parseAddress(payment.address!, heightsOf(name))[protocol];
    t.deepEqual(parseAddress(typed, heightsOf(name))[protocol], paid);
    const toPayee = look(name, stage(name, 'ready'), { ownKeys: payee }).outputs.find(({ owner }) => owner);
    t.deepEqual([toPayee?.index, toPayee?.owner], [payment.index, 'external']);
  });
}

test('without keys of the wallet, change of actions is known by the keys of what is spent', (t) => {
  const name = 'v6-orchard-ironwood';
  const { outputs, spends } = inspectPczt(stage(name, 'ready'), { params: heightsOf(name) });
  t.deepEqual(
    outputs.filter(({ role }) => role !== 'padding').map(({ role, owner }) => [role, owner]),
    [
      ['change', 'internal'],
      ['payment', undefined],
    ],
  );
  t.true(spends.every(({ owner, isVerified }) => owner === undefined && isVerified));
  // A key that no note is proven to belong to makes nothing its own.
  const foreign = flipped(stage(name, 'ready'), 'orchard.actions.0.spend.nullifier');
  t.false(inspectPczt(foreign, { params: heightsOf(name) }).outputs.some(({ owner }) => owner !== undefined));
});

test('a key with the nullifier key of the note, but of other addresses, makes nothing its own', (t) => {
  const name = 'v6-orchard-ironwood';
  const index = stage(name, 'ready').orchard.actions.findIndex(({ spend }) => spend.value! > 0n);
  const path = `orchard.actions.${index}.spend.fvk`;
  const forged = edited(stage(name, 'ready'), path, (fvk: Uint8Array) =>
    fvk.map((byte, i) => (i === 64 ? byte ^ 1 : byte)),
  );
  const seen = inspectPczt(forged, { params: heightsOf(name) });
  t.deepEqual(
    seen.warnings.map(({ field }) => field),
    [`orchard.actions[${index}].spend.nullifier`],
  );
  t.false(seen.outputs.some(({ owner }) => owner !== undefined));
});

test('Sapling spends are checked with the key that the signer adds, too', (t) => {
  const name = 'v6-sapling-sapling';
  const signed = stage(name, 'complete');
  const seen = inspectPczt(signed, { params: heightsOf(name) });
  t.deepEqual(
    seen.spends.map(({ isVerified }) => isVerified),
    [true],
  );
  t.deepEqual(seen.missing, { signatures: new Map(), proofs: [], bindingKeys: [] });
  t.false(inspectPczt(stage(name, 'ready'), { params: heightsOf(name) }).spends[0]!.isVerified);
});

test('the compact form shows the same', (t) => {
  const name = 'v6-ironwood-ironwood';
  const ready = look(name, stage(name, 'ready'));
  const compact = look(name, stage(name, 'compact'));
  t.deepEqual({ ...compact, missing: ready.missing }, ready);
  t.deepEqual(compact.missing.bindingKeys, ['ironwood']);
});

/** Every field that explains what is signed, or is explained. */
const EXPLAINING: Readonly<Record<string, readonly string[]>> = {
  'v6-ironwood-ironwood': [
    ...['nullifier', 'rk', 'recipient', 'value', 'rho', 'rseed', 'fvk', 'alpha'].map(
      (field) => `spend.${field}`,
    ),
    ...['cmx', 'ephemeralKey', 'encCiphertext', 'recipient', 'value', 'rseed'].map(
      (field) => `output.${field}`,
    ),
    ...['cvNet', 'rcv'],
  ].flatMap((field) => [`ironwood.actions.0.${field}`, `ironwood.actions.1.${field}`]),
  'v6-sapling-sapling': [
    ...['cv', 'nullifier', 'rk', 'recipient', 'value', 'rseed', 'rcv', 'alpha', 'proofGenerationKey'].map(
      (field) => `sapling.spends.0.${field}`,
    ),
    ...['cv', 'cmu', 'ephemeralKey', 'encCiphertext', 'recipient', 'value', 'rseed', 'rcv'].flatMap(
      (field) => [`sapling.outputs.0.${field}`, `sapling.outputs.1.${field}`],
    ),
  ],
};

const change = (value: unknown): unknown => {
  if (typeof value === 'bigint') return value + 1n;
  if (value instanceof Uint8Array) return value.map((byte, i) => (i === 0 ? byte ^ 1 : byte));
  const [name, part] = Object.entries(value as object).at(-1)!;
  return { ...(value as object), [name]: change(part) };
};

for (const [name, paths] of Object.entries(EXPLAINING)) {
  for (const path of paths) {
    test(`${path} that does not fit is warned of`, (t) => {
      const whole = stage(name, 'complete');
      const { warnings } = look(name, edited(whole, path, change));
      const item = path.replace(/\.(\d+)\..*/, '[$1]');
      const about = warnings.filter(({ code, field }) => code === 'mismatch' && field.startsWith(item));
      t.true(about.length > 0, JSON.stringify(warnings));
    });
  }
}

test('the whole address counts, not what it begins with', (t) => {
  const name = 'v6-ironwood-ironwood';
  const path = `ironwood.actions.${look(name, stage(name, 'ready')).outputs.find(({ role }) => role === 'payment')!.index}.output.userAddress`;
  const other = stage('v6-sapling-sapling', 'ready').sapling.outputs.find(({ userAddress }) => userAddress)!;
  for (const address of [other.userAddress!, 'u1nothing', '', 'x'.repeat(5000)]) {
    const seen = look(name, withField(stage(name, 'ready'), path, address));
    t.deepEqual(
      seen.warnings.map(({ code }) => code),
      ['addressMismatch'],
      address.slice(0, 20),
    );
    t.true(seen.outputs.every(({ userAddress }) => userAddress === undefined));
  }
  const nu7 = 'v6-nu7-ironwood-transparent';
  const transparent = withField(stage(nu7, 'ready'), 'transparent.outputs.0.userAddress', other.userAddress);
  t.deepEqual(codesOf(nu7, transparent), ['addressMismatch']);
  // The same on another network is another address.
  const main = look(nu7, stage(nu7, 'ready'), { params: { ...heightsOf(nu7), network: 'main' } });
  t.true(main.outputs[0]!.address!.startsWith('t1'));
  t.true(main.warnings.some(({ code }) => code === 'addressMismatch'));
});

test('an output whose fields were left out is not vouched for', (t) => {
  const name = 'v6-ironwood-ironwood';
  for (const field of ['recipient', 'value', 'rseed']) {
    const seen = look(name, withField(stage(name, 'ready'), `ironwood.actions.0.output.${field}`, undefined));
    t.deepEqual(
      seen.warnings.map(({ code, field: about }) => [code, about]).filter(([code]) => code === 'unverified'),
      [['unverified', 'ironwood.actions[0].output']],
    );
    t.false(seen.outputs[0]!.isVerified);
    t.is(seen.outputs[0]!.memo, undefined);
  }
  const extracted = look(name, redactPczt(stage(name, 'complete'), 'extractor'));
  t.true([...extracted.spends, ...extracted.outputs].every(({ isVerified }) => !isVerified));
  t.is(extracted.warnings.filter(({ code }) => code === 'unverified').length, 2);
});

test('an unreadable ciphertext hides nothing but nothing', (t) => {
  const name = 'v6-orchard-ironwood';
  const ready = stage(name, 'ready');
  const fabricated = look(name, ready).outputs.find(
    ({ place, memo }) => place === 'orchard' && memo === undefined,
  )!;
  t.is(fabricated.role, 'padding');
  t.true(fabricated.isVerified);
  const codes = codesOf(name, flipped(ready, `orchard.actions.${fabricated.index}.output.cmx`));
  t.deepEqual(
    codes.filter((code) => code !== 'signatureInvalid'),
    ['mismatch', 'mismatch'],
  );
  // It is another transaction than the one that the dummies were signed for.
  t.is(codes.filter((code) => code === 'signatureInvalid').length, 3);
});

test('what the sender is to read again is held against the key that it is given', (t) => {
  const name = 'v6-ironwood-ironwood';
  const whole = stage(name, 'ready');
  const action = whole.ironwood.actions[0]!;
  const note = outputNoteOf('ironwood', action)!;
  const { esk } = noteKeysOf('ironwood', note)!;
  const ock = new Uint8Array(32).fill(5);
  const codes = (key: Uint8Array, pkd: Uint8Array, secret: bigint): string[] => {
    const output = {
      ...action.output,
      ock: key,
      outCiphertext: sealOutgoing(ock, pkd, encodeInteger32(secret)),
    };
    return look(name, withField(whole, 'ironwood.actions.0.output', output)).warnings.map(
      ({ field }) => field,
    );
  };
  const pkd = note.recipient.slice(11);
  t.deepEqual(codes(ock, pkd, esk), []);
  const wrong = ['ironwood.actions[0].output.outCiphertext'];
  t.deepEqual(codes(new Uint8Array(32), pkd, esk), wrong);
  t.deepEqual(
    codes(
      ock,
      pkd.map((byte) => byte ^ 1),
      esk,
    ),
    wrong,
  );
  t.deepEqual(codes(ock, pkd, esk + 1n), wrong);
});

test('a memo of nothing to somebody is a payment', (t) => {
  const name = 'v6-ironwood-ironwood';
  const compact = stage(name, 'compact');
  const index = compact.ironwood.actions.findIndex(({ output }) => output.userAddress !== undefined);
  const path = `ironwood.actions.${index}.output.value`;
  const amount = compact.ironwood.actions[index]!.output.value!;
  const silent = withField(compact, path, 0n);
  const { outputs } = look(name, { ...silent, global: { ...silent.global } });
  t.is(amount > 0n, true);
  t.is(outputs[index]!.role, 'payment');
  t.is(outputs[index]!.amount, 0n);
});

const IRONWOOD = 'v6-ironwood-ironwood';
const ready = (): Pczt => stage(IRONWOOD, 'ready');

test('its end is given by the height of the chain', (t) => {
  const at = (tipHeight: number): WarningCode[] => codesOf(IRONWOOD, ready(), { tipHeight });
  // Expires at 140: block 140 may hold it.
  t.deepEqual(at(136), []);
  t.deepEqual(at(137), ['expiresSoon']);
  t.deepEqual(at(139), ['expiresSoon']);
  t.deepEqual(at(140), ['expired']);
  t.deepEqual(codesOf(IRONWOOD, withField(ready(), 'global.expiryHeight', 0), { tipHeight: 9_999 }), [
    'neverExpires',
  ]);
  const { tipHeight: _, ...withoutTip } = optionsOf(IRONWOOD);
  t.deepEqual(inspectPczt(ready(), withoutTip).warnings, []);
});

test('without an expiry it ends with its network upgrade, and the answer names that', (t) => {
  const { warnings } = look(IRONWOOD, withField(ready(), 'global.expiryHeight', 0), { tipHeight: 9_999 });
  t.deepEqual(
    warnings.map(({ text }) => text),
    ['it has no expiry: it can be mined until the next network upgrade'],
  );
});

test('an upgrade ends it before its expiry', (t) => {
  const { params } = optionsOf(IRONWOOD);
  const ending = { params: { ...params, activation: { ...params.activation, nu7: 50 } } };
  const lastOf = (pczt: Pczt, options: Partial<InspectionOptions> = {}) =>
    look(IRONWOOD, pczt, options).lastHeight;
  t.is(lastOf(ready()), 140);
  t.is(lastOf(ready(), ending), 49);
  const endless = withField(ready(), 'global.expiryHeight', 0);
  t.is(lastOf(endless), undefined);
  t.is(lastOf(endless, ending), 49);
  t.is(lastOf(withField(ready(), 'global.coinType', 133), ending), 140, 'heights of another network');
  const at = (tipHeight: number): string[] =>
    look(IRONWOOD, ready(), { ...ending, tipHeight }).warnings.map(({ field, text }) => `${field}: ${text}`);
  t.deepEqual(at(45), []);
  t.deepEqual(at(46), ['global.consensusBranchId: it can be mined for 3 blocks']);
  t.deepEqual(at(49), ['global.consensusBranchId: the next block is under another network upgrade']);
});

test('another network and another upgrade are reported', (t) => {
  t.deepEqual(codesOf(IRONWOOD, withField(ready(), 'global.coinType', 133)), ['otherNetwork']);
  t.deepEqual(codesOf(IRONWOOD, ready(), { tipHeight: 18 }), ['otherUpgrade']);
  t.deepEqual(codesOf(IRONWOOD, ready(), { tipHeight: 19 }), []);
});

test('a fee is held against what nodes take and what is usual', (t) => {
  const withFee = (fee: bigint): WarningCode[] =>
    codesOf(IRONWOOD, withField(ready(), 'ironwood.valueSum', fee));
  t.deepEqual(withFee(10_000n), []);
  t.deepEqual(withFee(2_000n), []);
  t.deepEqual(withFee(1_999n), ['feeLow']);
  t.deepEqual(withFee(110_000n), []);
  t.deepEqual(withFee(110_001n), ['feeHigh']);
  t.deepEqual(withFee(-1n), ['feeNegative']);
});

test('what is still open, inside or unknown is reported', (t) => {
  t.deepEqual(codesOf(IRONWOOD, withField(ready(), 'global.txModifiable', 0b1000_0000)), ['stillOpen']);
  t.deepEqual(codesOf(IRONWOOD, withField(ready(), 'global.txModifiable', 0b0000_0100)), []);
  const dummies = look('v6-sapling-ironwood', stage('v6-sapling-ironwood', 'created')).warnings;
  t.deepEqual(
    dummies.map(({ code }) => code),
    ['dummyKeyInside', 'dummyKeyInside'],
  );
  const entries = new Map([['somebody.else', Uint8Array.of(1)]]);
  const paths = ['global', 'ironwood.actions.1.spend', 'ironwood.actions.0.output'];
  const foreign = paths.reduce((pczt, path) => withField(pczt, `${path}.proprietary`, entries), ready());
  const seen = look(IRONWOOD, foreign).warnings;
  t.deepEqual(
    seen.map(({ code, field }) => [code, field]),
    [
      ['unknownProprietary', 'global.proprietary'],
      ['unknownProprietary', 'ironwood.actions[0].output.proprietary'],
      ['unknownProprietary', 'ironwood.actions[1].spend.proprietary'],
    ],
  );
  t.false(JSON.stringify(seen).includes('somebody'));
  t.deepEqual(codesOf(IRONWOOD, foreign, { knownProprietaryPrefixes: ['somebody.'] }), []);
});

test('a payment to another address in a pool that only drains is reported', (t) => {
  const name = 'v6-orchard-ironwood';
  const codes = codesOf(name, flipped(stage(name, 'ready'), 'orchard.actions.1.output.recipient'));
  t.true(codes.includes('crossesAddresses'));
});

test('a lock time is reported, also one that is impossible', (t) => {
  const locked = look(IRONWOOD, withField(ready(), 'global.fallbackLockTime', 77));
  t.is(locked.lockTime, 77);
  t.deepEqual(
    locked.warnings.map(({ code }) => code),
    ['lockedUntil'],
  );
});

test('more than anybody would sign is not looked into', (t) => {
  const [action] = ready().ironwood.actions;
  const many = withField(
    ready(),
    'ironwood.actions',
    Array.from({ length: 331 }, () => action),
  );
  t.throws(() => look(IRONWOOD, many), { message: /^at most 330 spends and outputs/ });
  const nu7 = 'v6-nu7-ironwood-transparent';
  const [output] = stage(nu7, 'ready').transparent.outputs;
  const paying = (length: number): Pczt =>
    withField(
      stage(nu7, 'ready'),
      'transparent.outputs',
      Array.from({ length }, () => output),
    );
  t.is(look(nu7, paying(5000)).becomesPublic.transparentOutputs, 5000);
  t.throws(() => look(nu7, paying(5001)), { message: /^at most 5000 transparent inputs and outputs/ });
});

test('each of many accounts knows its own', (t) => {
  const accounts = [6, 5, 4, 3, 2, 1, 0].flatMap((account) =>
    incomingKeys(deriveViewingKeys(seed, regtestParameters(), account), account),
  );
  const { spends, outputs } = look(IRONWOOD, ready(), { ownKeys: accounts });
  t.deepEqual(outputs.map(({ role, account }) => [role, account]).toSorted(), [
    ['change', 0],
    ['payment', 1],
  ]);
  t.true(spends.every(({ account }) => account === 0));
});

test('with notes of more owners than anybody pays with, nothing counts as change', (t) => {
  const [action] = ready().ironwood.actions;
  /** Notes that really are of these keys. */
  const spending = (owners: number): Pczt =>
    withField(
      ready(),
      'ironwood.actions',
      Array.from({ length: owners }, (_, account) => {
        const fvk = deriveViewingKeys(seed, regtestParameters(), account).orchard;
        const { addressBytes, nk } = ownerOfAccount(account);
        const note = { leadByte: 3, recipient: addressBytes, value: 5n, rseed: action!.spend.rseed! };
        const nullifier = noteOf('ironwood', { ...note, rho: action!.spend.rho! })!.nullifier(nk, 0);
        const spend = { ...action!.spend, fvk, recipient: addressBytes, value: 5n, nullifier };
        return { ...action!, spend, output: { ...action!.output, value: undefined } };
      }),
    );
  const seen = (owners: number) => inspectPczt(spending(owners), { params: heightsOf(IRONWOOD) });
  const few = seen(4);
  t.true(few.spends.every(({ isVerified }) => isVerified));
  t.false(few.warnings.some(({ code }) => code === 'manyOwners'));
  const many = seen(5);
  t.true(many.spends.every(({ isVerified }) => isVerified));
  t.deepEqual(
    many.warnings.filter(({ code }) => code === 'manyOwners').map(({ field }) => field),
    [''],
  );
  t.true(many.outputs.every(({ owner }) => owner === undefined));
});

function ownerOfAccount(account: number) {
  const keys = deriveViewingKeys(seed, regtestParameters(), account);
  const { unifiedAddress } = firstAddress(keys, regtestParameters(), 0n);
  const nk = incomingKeys(keys, account).find(
    ({ protocol, scope }) => protocol === 'orchard' && scope === 'external',
  )!.nk!;
  return { addressBytes: parseAddress(unifiedAddress, regtestParameters()).orchard!, nk };
}
