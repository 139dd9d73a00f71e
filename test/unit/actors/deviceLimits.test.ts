// What each device signs: the table, fault by fault.

import { perPool } from '@wallet-companion/zcash/pools';
import test from 'ava';
import {
  type DevicePayment,
  deviceDoubts,
  deviceFaults,
  deviceOutlook,
} from '../../../src/actors/wallet/payments/deviceLimits.ts';
import type { SigningDevice } from '../../../src/actors/wallet/ports/walletFile.ts';

const KEYSTONE: SigningDevice = { kind: 'keystone', version: '3.0.2' };
const LEDGER: SigningDevice = { kind: 'ledger', version: '3.9.2' };

/** Any device signs it. */
const plain: DevicePayment = {
  spends: ['ironwood'],
  transparentInputs: 0,
  pays: ['ironwood'],
  hasOtherMemo: false,
  changePool: 'ironwood',
  signsZeroValue: false,
  actions: { ...perPool(() => 0), ironwood: 2 },
  encoding: 2,
  upgrade: 'nu6_3',
  hasPath: true,
};

const times = <T>(count: number, one: T): T[] => Array.from({ length: count }, () => one);

test('a payment within Ironwood is signed by each of them', (t) => {
  for (const device of [KEYSTONE, LEDGER, { kind: 'other' } as const, undefined]) {
    t.deepEqual(deviceFaults(device, plain), []);
    t.deepEqual(deviceDoubts(device, plain), []);
  }
});

const CASES: readonly [SigningDevice, Partial<DevicePayment>, field: string | undefined, words?: RegExp][] = [
  [KEYSTONE, { spends: ['ironwood', 'sapling'] }, 'pools', /Keystone.*Sapling.*pools orchard, ironwood/],
  [LEDGER, { spends: ['sapling'] }, 'pools', /Ledger.*Sapling/],
  [KEYSTONE, { pays: ['sapling'] }, undefined],
  [LEDGER, { pays: ['sapling'] }, 'address', /receiver in Sapling/],
  [KEYSTONE, { changePool: 'sapling' }, undefined],
  [LEDGER, { changePool: 'sapling' }, 'change', /no change in Sapling.*change moved/],
  [KEYSTONE, { changePool: 'orchard', signsZeroValue: true }, undefined],
  [LEDGER, { changePool: 'orchard', signsZeroValue: true }, 'change', /without value.*change moved/],
  [LEDGER, { changePool: undefined, signsZeroValue: false }, undefined],
  [KEYSTONE, { actions: { ...plain.actions, ironwood: 33 } }, undefined],
  [LEDGER, { actions: { ...plain.actions, ironwood: 32 } }, undefined],
  [LEDGER, { actions: { ...plain.actions, orchard: 33 } }, 'max_actions', /33 actions in Orchard.*32/],
  [LEDGER, { pays: times(10, 'transparent' as const) }, undefined],
  [LEDGER, { pays: times(11, 'transparent' as const) }, 'recipients', /11 transparent.*10/],
  [KEYSTONE, { pays: times(11, 'transparent' as const) }, undefined],
  [LEDGER, { pays: times(4, 'ironwood' as const) }, undefined],
  [LEDGER, { pays: times(5, 'ironwood' as const) }, 'recipients', /5 shielded.*4/],
  [LEDGER, { transparentInputs: 10 }, undefined],
  [LEDGER, { transparentInputs: 11 }, 'max_inputs', /11 transparent outputs.*10/],
  [LEDGER, { transparentInputs: 1, hasPath: false }, 'account_index', /seed_fingerprint and account_index/],
  [KEYSTONE, { transparentInputs: 200 }, undefined],
  [KEYSTONE, { hasPath: false }, 'account_index', /seed_fingerprint and account_index/],
  [LEDGER, { hasPath: false }, undefined],
];

for (const [device, change, field, words] of CASES) {
  const what = JSON.stringify(change).replaceAll('"', '').slice(0, 60);
  test(`${device.kind}, ${what}: ${field ?? 'signed'}`, (t) => {
    const faults = deviceFaults(device, { ...plain, ...change });
    t.deepEqual(
      faults.map((fault) => fault.field),
      field === undefined ? [] : [field],
    );
    if (words !== undefined) t.regex(faults[0]!.text, words);
  });
}

for (const [version, isRead] of [
  ['3.0.0', false],
  ['3.0.1', false],
  ['3.0.2', true],
  ['3.0.10', true],
  ['3.1.0', true],
  ['4.0.0', true],
  ['2.9.9', false],
  // As the device shows it.
  ['13.0.0', false],
  ['13.0.2', true],
  ['12.4.0', false],
] as const)
  test(`Keystone ${version} ${isRead ? 'reads' : 'does not read'} encoding 2`, (t) => {
    const device: SigningDevice = { kind: 'keystone', version };
    const fields = deviceFaults(device, plain).map(({ field }) => field);
    t.deepEqual(fields, isRead ? [] : ['device_version']);
    if (version.endsWith('3.0.0')) t.deepEqual(deviceFaults(device, { ...plain, encoding: 1 }), []);
  });

test('several errors are all reported', (t) => {
  const payment = { ...plain, spends: ['sapling'], pays: ['sapling'], changePool: 'sapling' } as const;
  t.is(deviceFaults(LEDGER, payment).length, 3);
  t.deepEqual(deviceFaults({ kind: 'other' }, payment), []);
});

test('what is not known is a doubt: the version, the path of an unknown signer, and new rules', (t) => {
  const doubts = (device: SigningDevice | undefined, change: Partial<DevicePayment>) =>
    deviceDoubts(device, { ...plain, ...change });
  t.regex(doubts({ kind: 'keystone' }, {}).join(), /from version 3\.0\.2 on/);
  t.deepEqual(doubts({ kind: 'keystone' }, { encoding: 1 }), []);
  t.regex(doubts({ kind: 'ledger' }, {}).join(), /from version 3\.9\.1 on/);
  t.deepEqual(doubts({ kind: 'ledger' }, { encoding: 1 }), []);
  for (const device of [undefined, { kind: 'other' } as const])
    t.regex(doubts(device, { hasPath: false }).join(), /wallet\.device/);
  t.regex(doubts(KEYSTONE, { upgrade: 'nu7' }).join(), /Keystone up to version 3\.0\.2.*NU7.*newer/);
  t.regex(doubts(LEDGER, { upgrade: 'nu7' }).join(), /3\.9\.2.*NU7/);
  // A newer version may know them or not: what was read says nothing of it.
  t.is(doubts({ kind: 'keystone', version: '3.2.0' }, { upgrade: 'nu7' }).length, 1);
  t.deepEqual(doubts({ kind: 'other' }, { upgrade: 'nu7' }), []);
});

test("what other wallets found with a Ledger is a doubt: Orchard's notes into Ironwood, and memos in other letters", (t) => {
  const doubts = (device: SigningDevice, change: Partial<DevicePayment>) =>
    deviceDoubts(device, { ...plain, ...change }).join();
  const moved = { spends: ['orchard', 'ironwood'], pays: ['transparent'], changePool: 'ironwood' } as const;
  t.regex(doubts(LEDGER, moved), /Orchard are spent into Ironwood/);
  t.regex(doubts(LEDGER, { spends: ['orchard'], changePool: undefined }), /into Ironwood/);
  t.is(doubts(LEDGER, { ...moved, changePool: 'orchard' }), '');
  t.is(doubts(KEYSTONE, { ...moved, hasOtherMemo: true }), '');
  t.regex(doubts(LEDGER, { hasOtherMemo: true }), /before version 3\.9\.4/);
  t.regex(doubts({ kind: 'ledger' }, { hasOtherMemo: true, encoding: 1 }), /before version 3\.9\.4/);
  t.is(doubts({ kind: 'ledger', version: '3.9.4' }, { hasOtherMemo: true }), '');
});

test('rules that a network has set and the device does not know are reported beforehand', (t) => {
  t.regex(deviceOutlook(KEYSTONE, () => true) ?? '', /NU7/);
  t.is(
    deviceOutlook(KEYSTONE, (upgrade) => upgrade !== 'nu7'),
    undefined,
  );
  t.is(
    deviceOutlook({ kind: 'other' }, () => true),
    undefined,
  );
  t.is(
    deviceOutlook(undefined, () => true),
    undefined,
  );
});
