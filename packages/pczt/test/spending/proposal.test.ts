// Which notes are chosen, what it costs, what shows, and everything that a payment is refused for.

import { u32ToLeBytes, u64ToLeBytes } from '@wallet-companion/base/bytes';
import {
  encodeBech32,
  encodeReceiver,
  encodeUnifiedContainer,
  TYPECODE,
} from '@wallet-companion/zcash/addresses';
import { circuitOfBranch, MAIN, regtestParameters, UPGRADES } from '@wallet-companion/zcash/network';
import { parseMemo } from '@wallet-companion/zcash/notes';
import { seededBytes } from '@wallet-companion/zcash/test/noteMaker';
import { parsePaymentUri } from '@wallet-companion/zcash/zip321';
import test from 'ava';
import { canCreatePczt } from '../../src/spending/creator.ts';
import type { ProposalOptions } from '../../src/spending/proposal.ts';
import { type SpendingProblem, SpendingRefusal } from '../../src/spending/refusal.ts';
import {
  incomingOf,
  type MadeUpNote,
  madeUpNotes,
  NOW,
  orchardAddress,
  PARAMS,
  payTo,
  problemOf,
  propose,
  receiverOf,
  saplingAddress,
  TARGET_HEIGHT,
  type TestRequest,
  unifiedAddress,
} from '../helpers/spendingAccount.ts';
import { STORIES, TRANSPARENT_ADDRESS } from '../helpers/spendingStories.ts';

const TIP = TARGET_HEIGHT - 1;
const ZEC = 100_000_000;
const random = seededBytes(7);
const notesOf = (...given: Parameters<typeof madeUpNotes>[0][number][]): MadeUpNote[] =>
  madeUpNotes(given, random);
const ironwood = (...values: number[]): MadeUpNote[] =>
  notesOf(...values.map((zatoshi) => ({ pool: 'ironwood' as const, zatoshi })));
const values = (spends: readonly MadeUpNote[]): number[] => spends.map(({ zatoshi }) => zatoshi);

for (const { name, notes, address, zatoshi, options, fee, sent, change } of STORIES) {
  test(`${name}: the sums, to the zatoshi`, (t) => {
    const own = notesOf(...notes);
    const proposal = payTo(address, zatoshi, own, options);
    t.is(proposal.fee, fee);
    t.is(proposal.payments[0]!.zatoshi, sent);
    t.deepEqual(proposal.change, change);
    const spent = values(proposal.spends).reduce((sum, value) => sum + value, 0);
    t.is(spent, sent + fee + (change?.zatoshi ?? 0));
  });
}

test('what becomes public is listed with its amounts, and refused by name without consent', (t) => {
  const own = notesOf({ pool: 'orchard', zatoshi: ZEC });
  t.deepEqual(
    problemOf(() => payTo(orchardAddress(), 20_000_000, own)),
    {
      kind: 'consentNeeded',
      consents: ['crossing_pools'],
      disclosures: [
        { consent: 'crossing_pools', pool: 'orchard', zatoshi: 20_020_000 },
        { consent: 'crossing_pools', pool: 'ironwood', zatoshi: -20_000_000 },
      ],
    },
  );
  t.deepEqual(
    problemOf(() => payTo(TRANSPARENT_ADDRESS, ZEC / 2, ironwood(ZEC), { consents: ['crossing_pools'] })),
    {
      kind: 'consentNeeded',
      consents: ['transparent_recipients'],
      disclosures: [{ consent: 'transparent_recipients', address: TRANSPARENT_ADDRESS, zatoshi: ZEC / 2 }],
    },
  );
  // Two kinds at once: both are named.
  const both = problemOf(() =>
    propose({
      notes: own,
      payments: [
        { address: TRANSPARENT_ADDRESS, zatoshi: 1000 },
        { address: orchardAddress(), zatoshi: 2000 },
      ],
      options: { consents: ['crossing_pools'] },
    }),
  );
  t.like(both, { kind: 'consentNeeded', consents: ['transparent_recipients'] });
});

test('change of Orchard notes moved to Ironwood shows the notes, kept it shows the payment', (t) => {
  const own = notesOf({ pool: 'orchard', zatoshi: ZEC });
  const shown = (changePolicy: 'kept' | 'moved') =>
    payTo(orchardAddress(), 20_000_000, own, { changePolicy, consents: ['crossing_pools'] }).valueBalances;
  t.deepEqual(shown('kept'), { orchard: 20_020_000, ironwood: -20_000_000 });
  t.deepEqual(shown('moved'), { orchard: ZEC, ironwood: -99_980_000 });
});

test('a pool that shows nothing is taken where there is one, whatever was agreed to', (t) => {
  const own = notesOf({ pool: 'orchard', zatoshi: ZEC }, { pool: 'ironwood', zatoshi: ZEC });
  const proposal = payTo(unifiedAddress(), 1000, own, { consents: ['crossing_pools'] });
  t.deepEqual(proposal.disclosures, []);
  t.deepEqual(proposal.valueBalances, { ironwood: 10_000 });
  // Sapling funds pay the Sapling receiver, where the address has one.
  for (const consents of [[], ['crossing_pools' as const]]) {
    const sapling = payTo(unifiedAddress(), 1000, notesOf({ pool: 'sapling', zatoshi: ZEC }), { consents });
    t.is(sapling.payments[0]!.place, 'sapling');
    t.deepEqual(sapling.valueBalances, { sapling: 10_000 });
  }
});

test("one pool that has enough comes before two, and of two the recipient's first", (t) => {
  const crossing = { consents: ['crossing_pools' as const] };
  const own = notesOf(
    { pool: 'ironwood', zatoshi: 20_000 },
    { pool: 'orchard', zatoshi: 40_000 },
    { pool: 'orchard', zatoshi: 40_000 },
  );
  t.deepEqual(values(payTo(orchardAddress(), 30_000, own, crossing).spends), [40_000, 40_000]);
  const both = notesOf(
    { pool: 'ironwood', zatoshi: 100_000 },
    { pool: 'ironwood', zatoshi: 30_000 },
    { pool: 'sapling', zatoshi: 50_000 },
    { pool: 'sapling', zatoshi: 40_000 },
  );
  t.deepEqual(values(payTo(saplingAddress(), 130_000, both, crossing).spends), [50_000, 40_000, 100_000]);
});

test('the recipient is paid in the newest pool, and never in Orchard', (t) => {
  const crossing = { consents: ['crossing_pools' as const] };
  const own = notesOf({ pool: 'orchard', zatoshi: ZEC });
  t.is(payTo(unifiedAddress(), 1000, own, crossing).payments[0]!.place, 'ironwood');
  t.is(payTo(saplingAddress(), 1000, own, crossing).payments[0]!.place, 'sapling');
  const before = propose({
    params: regtestParameters({ nu6_3: undefined }),
    notes: own,
    payments: [{ address: unifiedAddress(), zatoshi: 1000 }],
  });
  t.is(before.payments[0]!.place, 'orchard');
  t.is(before.fee, 10_000);
});

test('one note that is enough is better than several, and the smallest such', (t) => {
  t.deepEqual(
    values(payTo(unifiedAddress(), 50_000, ironwood(30_000, 200_000, 70_000, 40_000)).spends),
    [70_000],
  );
  t.deepEqual(
    values(payTo(unifiedAddress(), 250_000, ironwood(30_000, 200_000, 70_000, 40_000)).spends),
    [200_000, 70_000],
  );
});

test('each note beyond the second costs, and the change pays for it', (t) => {
  const { spends, fee, change } = payTo(unifiedAddress(), 250_000, ironwood(100_000, 100_000, 100_000));
  t.is(spends.length, 3);
  t.is(fee, 15_000);
  t.deepEqual(change, { pool: 'ironwood', zatoshi: 35_000, notes: 1 });
});

test('change of nothing is made all the same, as payments without it would stand out', (t) => {
  const { fee, change } = payTo(unifiedAddress(), 90_000, ironwood(100_000));
  t.is(fee, 10_000);
  t.deepEqual(change, { pool: 'ironwood', zatoshi: 0, notes: 1 });
});

test('no change where only its own action could not be paid for', (t) => {
  const crossing = { consents: ['crossing_pools' as const] };
  // A third note could, but the fewest are taken.
  const own = notesOf(...[60_000, 60_000, 60_000].map((zatoshi) => ({ pool: 'orchard' as const, zatoshi })));
  const { fee, change, spends } = payTo(orchardAddress(), 100_000, own, crossing);
  t.is(spends.length, 2);
  t.is(fee, 20_000);
  t.is(change, undefined);
});

test('change that is not worth a note takes another note', (t) => {
  const { spends, change } = payTo(unifiedAddress(), 87_000, ironwood(100_000, 20_000));
  t.is(spends.length, 2);
  t.deepEqual(change, { pool: 'ironwood', zatoshi: 23_000, notes: 1 });
  // 5,000 is worth one.
  t.deepEqual(payTo(unifiedAddress(), 85_000, ironwood(100_000)).change, {
    pool: 'ironwood',
    zatoshi: 5000,
    notes: 1,
  });
});

test('and is left to the miner only where nothing else is there, with consent', (t) => {
  t.deepEqual(
    problemOf(() => payTo(unifiedAddress(), 85_001, ironwood(100_000))),
    {
      kind: 'consentNeeded',
      consents: ['unusual_fee'],
      disclosures: [{ consent: 'unusual_fee', zatoshi: 4999 }],
    },
  );
  const { fee, change } = payTo(unifiedAddress(), 85_001, ironwood(100_000), { consents: ['unusual_fee'] });
  t.is(fee, 14_999);
  t.is(change, undefined);
  // Dust that changes nothing about it is left where it is.
  const consents = { consents: ['unusual_fee' as const] };
  t.is(payTo(unifiedAddress(), 85_002, ironwood(100_000, 1), consents).spends.length, 1);
});

test('into Orchard strictly less returns than leaves: what would be more goes to Ironwood', (t) => {
  const own = notesOf({ pool: 'ironwood', zatoshi: 1_000_000 }, { pool: 'orchard', zatoshi: 300_000 });
  const { spends, change } = payTo(orchardAddress(), 1_100_000, own, { consents: ['crossing_pools'] });
  t.is(spends.length, 2);
  t.is(change!.pool, 'orchard');
  t.true(change!.zatoshi < 300_000);
  const two = notesOf({ pool: 'orchard', zatoshi: 30_000 }, { pool: 'ironwood', zatoshi: 100_000 });
  // Only both are enough, and nearly all of the Orchard note would come back.
  const back = payTo(orchardAddress(), 80_000, two, { consents: ['crossing_pools'] });
  t.true(back.change === undefined || back.change.pool !== 'orchard' || back.change.zatoshi < 30_000);
});

test('dust is used where it fits into an action that is paid anyway, and never costs more than it brings', (t) => {
  t.deepEqual(values(payTo(unifiedAddress(), 30_000, ironwood(40_000, 4_000)).spends), [40_000]);
  const { spends, fee } = payTo(unifiedAddress(), 34_000, ironwood(40_000, 4_000));
  t.deepEqual(values(spends), [40_000, 4_000]);
  t.is(fee, 10_000);
  t.is(problemOf(() => payTo(unifiedAddress(), 71_000, ironwood(40_000, 40_000, 4_000))).kind, 'notEnough');
});

test('everything: no change, the fee from the amount, notes that cost more than they bring stay', (t) => {
  const everything = { everything: true };
  const { payments, change, fee, spends } = payTo(
    unifiedAddress(),
    undefined,
    ironwood(1_000_000, 500_000, 4_000, 3_000),
    everything,
  );
  t.deepEqual(values(spends), [1_000_000, 500_000]);
  t.is(payments[0]!.zatoshi, 1_490_000);
  t.is(fee, 10_000);
  t.is(change, undefined);
  // A pool whose own actions cost more than its notes stays whole, and shows nothing.
  const own = notesOf({ pool: 'ironwood', zatoshi: ZEC }, { pool: 'orchard', zatoshi: 9_000 });
  const one = payTo(orchardAddress(), undefined, own, everything);
  t.deepEqual(values(one.spends), [ZEC]);
  t.deepEqual(one.disclosures, []);
  // One that is worth it asks for consent; `sources` leaves it out.
  const two = notesOf({ pool: 'ironwood', zatoshi: ZEC }, { pool: 'orchard', zatoshi: 11_000 });
  t.like(
    problemOf(() => payTo(orchardAddress(), undefined, two, everything)),
    { kind: 'consentNeeded', consents: ['crossing_pools'] },
  );
  t.deepEqual(
    values(payTo(orchardAddress(), undefined, two, { ...everything, sources: ['ironwood'] }).spends),
    [ZEC],
  );
  t.is(problemOf(() => payTo(unifiedAddress(), undefined, ironwood(10_000), everything)).kind, 'notEnough');
  t.is(payTo(unifiedAddress(), undefined, ironwood(10_001), everything).payments[0]!.zatoshi, 1);
});

test('everything has one recipient without an amount', (t) => {
  const own = ironwood(ZEC);
  const fault = (payments: TestRequest['payments']) => {
    const problem = problemOf(() =>
      propose({ notes: own, payments: payments!, options: { everything: true } }),
    );
    return 'fault' in problem ? problem.fault : undefined;
  };
  const [address, zatoshi] = [unifiedAddress(), 1];
  t.is(fault([]), 'none');
  t.is(fault([{ address }, { address }]), 'everythingTakesOne');
  t.is(fault([{ address, zatoshi }]), 'everythingHasAmount');
});

test('three confirmations of own change and ten of what others sent, or as asked', (t) => {
  const at = (confirmations: number, scope: 'external' | 'internal') =>
    notesOf({ pool: 'ironwood', zatoshi: ZEC, scope, height: TIP - confirmations + 1 });
  const isTaken = (notes: MadeUpNote[], options = {}): boolean => {
    try {
      return payTo(unifiedAddress(), 1000, notes, options).spends.length === 1;
    } catch (error) {
      if (error instanceof SpendingRefusal && error.problem.kind === 'notEnough') return false;
      throw error;
    }
  };
  t.true(isTaken(at(3, 'internal')));
  t.false(isTaken(at(2, 'internal')));
  t.true(isTaken(at(10, 'external')));
  t.false(isTaken(at(9, 'external')));
  t.true(isTaken(at(1, 'external'), { confirmations: { change: 1, received: 1 } }));
  t.is(payTo(unifiedAddress(), 1000, at(10, 'external')).anchorHeight, TIP - 2);
  const scanned = propose({
    notes: at(20, 'external'),
    scannedHeight: TIP - 5,
    payments: [{ address: unifiedAddress(), zatoshi: 1 }],
  });
  t.is(scanned.anchorHeight, TIP - 5);
  for (const change of [0, -1, 1.5, Number.NaN])
    t.is(
      problemOf(() =>
        payTo(unifiedAddress(), 1, at(10, 'external'), { confirmations: { change, received: 10 } }),
      ).kind,
      'confirmations',
    );
});

test('not enough: what is spendable, what waits and until when, what is reserved, what is dust', (t) => {
  const own = notesOf(
    { pool: 'ironwood', zatoshi: 50_000 },
    { pool: 'ironwood', zatoshi: 3_000 },
    { pool: 'ironwood', zatoshi: 70_000, height: TIP },
    { pool: 'orchard', zatoshi: 1_000, height: TIP },
    { pool: 'ironwood', zatoshi: 80_000, height: TIP, scope: 'internal' },
    { pool: 'ironwood', zatoshi: 90_000, isReserved: true },
    { pool: 'ironwood', zatoshi: 0 },
  );
  t.deepEqual(
    problemOf(() => payTo(unifiedAddress(), 60_000, own)),
    {
      kind: 'notEnough',
      needed: 70_000,
      funds: {
        spendable: 50_000,
        dust: 3_000,
        waiting: [
          { zatoshi: 80_000, height: TIP + 2 },
          { zatoshi: 71_000, height: TIP + 9 },
        ],
        reserved: 90_000,
      },
    },
  );
  t.like(
    problemOf(() => payTo(unifiedAddress(), 60_000, [])),
    { kind: 'notEnough', needed: 70_000 },
  );
});

test('a reserved note is never taken, and none twice', (t) => {
  const own = notesOf(
    { pool: 'ironwood', zatoshi: ZEC, isReserved: true },
    { pool: 'ironwood', zatoshi: 50_000 },
  );
  t.deepEqual(values(payTo(unifiedAddress(), 1000, own).spends), [50_000]);
  t.throws(() => payTo(unifiedAddress(), 1000, [own[1]!, own[1]!]), { instanceOf: RangeError });
});

test('no more notes than a signer has room for', (t) => {
  const own = ironwood(...Array.from({ length: 10 }, () => 20_000));
  const options = { maxActions: 4 };
  t.is(payTo(unifiedAddress(), 60_000, own, options).spends.length, 4);
  t.like(
    problemOf(() => payTo(unifiedAddress(), 61_000, own, options)),
    { kind: 'tooManyNotes', needed: 81_000, atMost: 60_000 },
  );
  t.is(payTo(unifiedAddress(), undefined, own, { ...options, everything: true }).spends.length, 4);
  // Where a note and its change are two actions, both count.
  const orchard = notesOf(
    ...Array.from({ length: 10 }, () => ({ pool: 'orchard' as const, zatoshi: 20_000 })),
  );
  const crossing = { ...options, consents: ['crossing_pools' as const] };
  t.is(payTo(orchardAddress(), 22_000, orchard, crossing).spends.length, 3);
  t.is(problemOf(() => payTo(orchardAddress(), 60_000, orchard, crossing)).kind, 'tooManyNotes');
});

const FAULTS: readonly (readonly [fault: string, payment: NonNullable<TestRequest['payments']>[number]])[] = [
  ['address', { address: `${unifiedAddress()}x`, zatoshi: 1 }],
  [
    'address',
    {
      address: encodeReceiver('sapling', receiverOf('sapling', 1, 'external'), {
        ...PARAMS,
        hrp: { ...PARAMS.hrp, saplingAddress: 'zs' },
      }),
      zatoshi: 1,
    },
  ],
  ['tex', { address: encodeBech32('bech32m', PARAMS.hrp.tex, new Uint8Array(20)), zatoshi: 100 }],
  [
    'internalAddress',
    { address: encodeReceiver('orchard', receiverOf('orchard', 0, 'internal'), PARAMS), zatoshi: 1 },
  ],
  [
    'internalAddress',
    { address: encodeReceiver('sapling', receiverOf('sapling', 1, 'internal'), PARAMS), zatoshi: 1 },
  ],
  ['memoTooLong', { address: unifiedAddress(), zatoshi: 1, memo: new Uint8Array(513) }],
  ['memoToTransparent', { address: TRANSPARENT_ADDRESS, zatoshi: 100, memo: Uint8Array.of(65) }],
  ['amountMissing', { address: unifiedAddress() }],
  ['amountRange', { address: unifiedAddress(), zatoshi: -1 }],
  ['amountRange', { address: unifiedAddress(), zatoshi: 0.5 }],
  ['amountRange', { address: unifiedAddress(), zatoshi: 2_100_000_000_000_001 }],
  ['amountDust', { address: TRANSPARENT_ADDRESS, zatoshi: 53 }],
];
for (const [i, [fault, payment]] of FAULTS.entries()) {
  test(`a recipient that must not be paid: ${fault} (${i})`, (t) => {
    const problem = problemOf(() =>
      propose({
        notes: ironwood(ZEC),
        ownKeys: [...incomingOf(0), ...incomingOf(1)],
        payments: [{ address: unifiedAddress(2), zatoshi: 1 }, payment],
        options: { consents: ['transparent_recipients'] },
      }),
    );
    t.deepEqual(problem, { kind: 'recipient', faults: [{ index: 1, fault }] } as SpendingProblem);
  });
}

test('what may just be asked for', (t) => {
  const consents = { consents: ['transparent_recipients' as const] };
  t.is(payTo(TRANSPARENT_ADDRESS, 54, ironwood(ZEC), consents).payments[0]!.zatoshi, 54);
  const memo = new Uint8Array(512).fill(65);
  const [paid] = payTo(unifiedAddress(), 0, ironwood(ZEC), {}, memo).payments;
  t.deepEqual(paid!.memo, memo);
  // The proposal's is wiped, and the request may be tried again.
  t.not(paid!.memo, memo);
  const silent = payTo(unifiedAddress(), 0, ironwood(ZEC), {}, new Uint8Array(0)).payments[0]!.memo!;
  t.deepEqual(parseMemo(silent), { kind: 'none' });
  // An own address that others pay may be paid too.
  t.is(payTo(orchardAddress(0), 1, ironwood(ZEC)).payments.length, 1);
});

test('an address that ends is paid before that, or not at all', (t) => {
  const ending = (typecode: number, value: Uint8Array): string =>
    encodeUnifiedContainer(PARAMS.hrp.shieldedOnlyAddress, [
      { typecode: TYPECODE.orchard, value: receiverOf('orchard', 1, 'external') },
      { typecode, value },
    ]);
  const until = (height: number) => ending(TYPECODE.expiryHeight, u32ToLeBytes(height));
  const by = (time: number) => ending(TYPECODE.expiryTime, u64ToLeBytes(BigInt(time)));
  const expiryOf = (address: string, options: ProposalOptions = {}) =>
    payTo(address, 1, ironwood(ZEC), options).expiryHeight;
  const expired = { kind: 'recipient', faults: [{ index: 0, fault: 'expired' }] } as const;
  t.is(expiryOf(until(TIP + 5)), TIP + 5);
  t.is(expiryOf(until(TIP + 500)), TIP + 121);
  t.deepEqual(
    problemOf(() => expiryOf(until(TIP + 3))),
    expired,
  );
  t.deepEqual(
    problemOf(() => expiryOf(until(TIP + 50), { expiryHeight: TIP + 51 })),
    {
      kind: 'expiry',
      fault: 'tooLate',
      latest: TIP + 50,
    },
  );
  t.is(expiryOf(by(NOW)), TIP + 121);
  t.deepEqual(
    problemOf(() => expiryOf(by(NOW - 1))),
    expired,
  );
  // A day of blocks of 25 seconds.
  t.is(expiryOf(by(NOW), { expiryHeight: TIP + 1 + 3456 }), TIP + 3457);
  t.like(
    problemOf(() => expiryOf(by(NOW), { expiryHeight: TIP + 1 + 3457 })),
    { fault: 'tooLate' },
  );
});

test('too many recipients, and more than there is money', (t) => {
  const many = (count: number, address: string, zatoshi: number) =>
    problemOf(() =>
      propose({
        notes: ironwood(ZEC),
        payments: Array.from({ length: count }, () => ({ address, zatoshi })),
        options: { consents: ['transparent_recipients'] },
      }),
    );
  t.deepEqual(many(32, unifiedAddress(), 1), { kind: 'recipients', fault: 'tooMany' });
  t.deepEqual(many(33, TRANSPARENT_ADDRESS, 100), { kind: 'recipients', fault: 'tooMany' });
  t.deepEqual(many(2, unifiedAddress(), 2_000_000_000_000_000), { kind: 'recipients', fault: 'totalRange' });
  t.is(many(31, unifiedAddress(), ZEC).kind, 'notEnough');
});

test('expiry: 50 minutes ahead, as asked, and never too near or for ever', (t) => {
  const own = ironwood(ZEC);
  const expiring = (expiryHeight: number | undefined, params = PARAMS) =>
    propose({
      params,
      notes: own,
      payments: [{ address: unifiedAddress(), zatoshi: 1 }],
      options: expiryHeight === undefined ? {} : { expiryHeight },
    });
  t.is(expiring(undefined).expiryHeight, TIP + 1 + 120);
  t.is(expiring(undefined, regtestParameters({ nu7: undefined })).expiryHeight, TIP + 1 + 40);
  t.is(expiring(TIP + 4).expiryHeight, TIP + 4);
  t.is(expiring(TIP + 4).lastHeight, TIP + 4);
  t.deepEqual(
    problemOf(() => expiring(TIP + 3)),
    { kind: 'expiry', fault: 'tooNear', earliest: TIP + 4 },
  );
  t.deepEqual(
    problemOf(() => expiring(500_000_000)),
    { kind: 'expiry', fault: 'noHeight', latest: 499_999_999 },
  );
  for (const never of [0, -1, 1.5])
    t.deepEqual(
      problemOf(() => expiring(never)),
      { kind: 'expiry', fault: 'range', earliest: TIP + 4 },
    );
  // An upgrade ends it before its own height does.
  const near = regtestParameters({ nu7: TIP + 20 });
  t.like(expiring(undefined, near), { expiryHeight: TIP + 41, lastHeight: TIP + 19 });
  t.deepEqual(
    problemOf(() => expiring(undefined, regtestParameters({ nu7: TIP + 4 }))),
    { kind: 'upgradeNear', height: TIP + 4 },
  );
  t.is(expiring(undefined, regtestParameters({ nu7: TIP + 5 })).lastHeight, TIP + 4);
});

test('rules that are not known here end it as an upgrade does', (t) => {
  const before = (unknownUpgrade: number, params = PARAMS) =>
    propose({
      params,
      unknownUpgrade,
      notes: ironwood(ZEC),
      payments: [{ address: unifiedAddress(), zatoshi: 1 }],
    });
  t.like(before(TIP + 20), { expiryHeight: TIP + 121, lastHeight: TIP + 19 });
  t.is(before(TIP + 20, regtestParameters({ nu7: TIP + 10 })).lastHeight, TIP + 9);
  t.is(before(TIP + 5).lastHeight, TIP + 4);
  for (const height of [TIP + 4, TIP + 1])
    t.deepEqual(
      problemOf(() => before(height)),
      { kind: 'unknownUpgrade', height },
    );
});

test("notes of a pool without viewing key are not the account's to spend", (t) => {
  const own = notesOf({ pool: 'sapling', zatoshi: ZEC }, { pool: 'ironwood', zatoshi: ZEC });
  const request = { notes: own, payments: [{ address: unifiedAddress(), zatoshi: 1 }] };
  t.is(propose({ ...request, protocols: ['sapling'] }).payments[0]!.place, 'sapling');
  t.is(problemOf(() => propose({ ...request, protocols: [] })).kind, 'noSource');
  t.is(problemOf(() => propose({ ...request, options: { sources: [] } })).kind, 'noSource');
  // Change cannot go where the account has no key.
  const paid = propose({
    notes: own,
    protocols: ['sapling'],
    payments: [{ address: orchardAddress(), zatoshi: 1 }],
    options: { consents: ['crossing_pools'], changePolicy: 'moved' },
  });
  t.is(paid.change!.pool, 'sapling');
});

test('there are no PCZTs for heights before NU5', (t) => {
  const params = regtestParameters({ nu5: 50_000, nu6: 50_000, nu6_1: 50_000, nu6_2: 50_000, nu6_3: 50_000 });
  t.deepEqual(
    problemOf(() => propose({ params, notes: [], payments: [{ address: saplingAddress(), zatoshi: 1 }] })),
    { kind: 'height', fault: 'noVersion' },
  );
});

test('no payment is prepared where the circuit of its proofs is unknown, and from NU6.2 on it is known', (t) => {
  const late = regtestParameters({ nu6_2: 50_000 });
  const request = { notes: [], payments: [{ address: saplingAddress(), zatoshi: 1 }] };
  t.deepEqual(
    problemOf(() => propose({ ...request, params: late })),
    { kind: 'height', fault: 'noCircuit' },
  );
  t.deepEqual(
    [49_999, 50_000].map((height) => canCreatePczt(late, height)),
    [false, true],
  );
  for (const { branchId, circuit, main } of UPGRADES.slice(-3)) {
    t.is(circuitOfBranch(branchId), circuit);
    t.true(canCreatePczt(MAIN, main));
  }
  t.is(circuitOfBranch(0x1234), undefined);
});

test('a payment request is taken as it was read', (t) => {
  const uri = `zcash:?address=${unifiedAddress()}&amount=0.5&memo=SGVsbG8&address.1=${saplingAddress()}&amount.1=0.25`;
  const own = notesOf({ pool: 'sapling', zatoshi: ZEC });
  const { payments } = propose({ notes: own, payments: parsePaymentUri(uri, PARAMS) });
  t.deepEqual(
    payments.map(({ place, zatoshi, memo }) => [place, zatoshi, parseMemo(memo!)]),
    [
      ['sapling', ZEC / 2, { kind: 'text', text: 'Hello' }],
      ['sapling', ZEC / 4, { kind: 'none' }],
    ],
  );
});

test('of very many notes the few are weighed that can matter, and the plan is the same', (t) => {
  const rich = Array.from({ length: 300 }, (_, i) => ({
    pool: 'ironwood' as const,
    zatoshi: 1_000_000 + i * 10_000,
  }));
  const own = notesOf(...rich);
  // The smallest that is enough, though it is far from being one of the largest.
  const small = payTo(unifiedAddress(), 1_500_000, own);
  t.deepEqual(
    small.spends.map(({ zatoshi }) => zatoshi),
    [1_510_000],
  );
  // The largest, where it takes many.
  const large = payTo(unifiedAddress(), 20_000_000, own);
  t.deepEqual(
    large.spends.map(({ zatoshi }) => zatoshi),
    [3_990_000, 3_980_000, 3_970_000, 3_960_000, 3_950_000, 3_940_000],
  );
  t.is(
    large.funds.spendable,
    rich.reduce((sum, { zatoshi }) => sum + zatoshi, 0),
  );
  t.like(
    problemOf(() => payTo(unifiedAddress(), 150_000_000, own)),
    { kind: 'tooManyNotes' },
  );
});

test('however many confirmations are asked for, the anchor is one that the wallet still knows', (t) => {
  const own = notesOf({ pool: 'ironwood', zatoshi: ZEC, height: 100 });
  const deep = payTo(unifiedAddress(), 1000, own, { confirmations: { change: 2_000, received: 2_000 } });
  t.is(deep.anchorHeight, deep.targetHeight - 100);
});
