// Whatever notes, recipients and wishes there are: the sums are right, the fee is that of ZIP 317, nothing shows without
// consent, and only what cannot be paid is refused for want of money.

import { runs } from '@wallet-companion/base/test/atLength';
import { POOLS, type Pool } from '@wallet-companion/zcash/pools';
import { seededBytes } from '@wallet-companion/zcash/test/noteMaker';
import test from 'ava';
import fc from 'fast-check';
import { splitChange } from '../../src/pczt/change.ts';
import type { Proposal } from '../../src/spending/proposal.ts';
import { SpendingRefusal } from '../../src/spending/refusal.ts';
import { type PaymentCase, paymentCases, zip317 } from '../helpers/paymentArbitraries.ts';
import {
  type MadeUpNote,
  madeUpNotes,
  orchardAddress,
  propose,
  saplingAddress,
  TARGET_HEIGHT,
} from '../helpers/spendingAccount.ts';
import { TRANSPARENT_ADDRESS } from '../helpers/spendingStories.ts';

const RUNS = runs(20, 300, 'WALLET_COMPANION_PAYMENT_RUNS');
const P2PKH_OUTPUT = 34;
const TENTH = 10_000_000;

const sum = (items: readonly { readonly zatoshi: number }[]): number =>
  items.reduce((total, { zatoshi }) => total + zatoshi, 0);

/** From NU6.3 on. */
function feeOf(spends: readonly MadeUpNote[], outputs: readonly (Pool | 'transparent')[]): number {
  const spent = (pool: Pool) => spends.filter((note) => note.pool === pool).length;
  const made = (pool: Pool | 'transparent') => outputs.filter((place) => place === pool).length;
  const padded = (count: number, least: number) => (count === 0 ? 0 : Math.max(least, count));
  const actions =
    padded(spent('orchard') + made('orchard'), 2) + padded(Math.max(spent('ironwood'), made('ironwood')), 2);
  const isSapling = spent('sapling') + made('sapling') > 0;
  return zip317(
    actions,
    [spent('sapling'), isSapling ? Math.max(2, made('sapling')) : 0],
    P2PKH_OUTPUT * made('transparent'),
  );
}

const placesOf = ({ payments, change }: Proposal<MadeUpNote>): (Pool | 'transparent')[] => [
  ...payments.map(({ place }) => place),
  ...(change ? Array<Pool>(change.notes).fill(change.pool) : []),
];

const confirmations = ({ height }: MadeUpNote): number => TARGET_HEIGHT - height;
const isSpendable = (note: MadeUpNote): boolean =>
  note.zatoshi > 0 && !note.isReserved && confirmations(note) >= (note.isChange ? 3 : 10);

function outcome(given: PaymentCase): Proposal<MadeUpNote> | SpendingRefusal {
  try {
    return propose(given);
  } catch (error) {
    if (error instanceof SpendingRefusal) return error;
    throw error;
  }
}

test('every proposal adds up, costs what ZIP 317 says, and shows only what was agreed to', (t) => {
  fc.assert(
    fc.property(paymentCases({ maxNotes: 7, maxPayments: 3 }), (given) => {
      const found = outcome(given);
      if (found instanceof SpendingRefusal) return fc.pre(false);
      const { spends, payments, change, fee, valueBalances } = found;
      const { consents = [], everything, maxActions = 32, changeNotes = 1 } = given.options;
      t.is(sum(spends), sum(payments) + (change?.zatoshi ?? 0) + fee);
      t.true(spends.every(isSpendable));
      t.is(new Set(spends).size, spends.length);
      t.is(payments.length, given.payments.length);
      if (!everything)
        t.deepEqual(
          payments.map(({ zatoshi }) => zatoshi),
          given.payments.map(({ zatoshi }) => zatoshi!),
        );
      if (everything) t.is(change, undefined);
      if (change) t.true(change.zatoshi === 0 || change.zatoshi >= 5000);
      if (change && change.notes > 1) {
        const rest = given.notes.filter((note) => !spends.includes(note) && !note.isReserved);
        t.true(change.notes + rest.filter(({ zatoshi }) => zatoshi >= TENTH).length <= changeNotes);
        t.true(splitChange(change).every((zatoshi) => zatoshi >= TENTH));
        t.is(
          splitChange(change).reduce((sum, zatoshi) => sum + zatoshi),
          change.zatoshi,
        );
        t.not(change.pool, 'orchard');
        t.true(placesOf(found).filter((place) => place === change.pool).length <= maxActions);
      }

      const places = placesOf(found);
      const excess = fee - feeOf(spends, places);
      t.true(excess >= 0 && excess <= 100_000);
      const pools = new Set([
        ...spends.map(({ pool }) => pool),
        ...places.filter((place) => place !== 'transparent'),
      ]);
      const needed = [
        ...(pools.size > 1 ? ['crossing_pools'] : []),
        ...(places.includes('transparent') ? ['transparent_recipients'] : []),
        ...(excess > 0 ? ['unusual_fee'] : []),
      ];
      t.deepEqual([...new Set(found.disclosures.map(({ consent }) => consent as string))], needed);
      t.true(needed.every((name) => consents.some((consent) => consent === name)));
      t.deepEqual(Object.keys(valueBalances).sort(), [...pools].sort());
      t.is(
        Object.values(valueBalances).reduce((total, amount) => total + amount, 0),
        fee + sum(payments.filter(({ place }) => place === 'transparent')),
      );
      // Nothing is paid into Orchard, and strictly less comes back than leaves.
      t.false(payments.some(({ place }) => place === 'orchard'));
      if (change?.pool === 'orchard')
        t.true(change.zatoshi < sum(spends.filter(({ pool }) => pool === 'orchard')));
      for (const pool of pools) t.true(spends.filter((note) => note.pool === pool).length <= maxActions);
    }),
    { numRuns: RUNS },
  );
});

const ADDRESS = { ironwood: orchardAddress(), orchard: orchardAddress(), sapling: saplingAddress() };

test('a rest goes to the fee only where no set of notes has change that is worth a note', (t) => {
  let rests = 0;
  const cases = fc.record({
    pool: fc.constantFrom(...POOLS),
    values: fc.array(fc.integer({ min: 1, max: 24 }), { minLength: 1, maxLength: 6 }),
    paid: fc.integer({ min: 1, max: 60 }),
    rest: fc.integer({ min: 0, max: 4 }),
  });
  fc.assert(
    // In thousands, so that sums often meet.
    fc.property(cases, ({ pool, values, paid, rest }) => {
      const notes = madeUpNotes(
        values.map((value) => ({ pool, zatoshi: value * 1000 + rest * 100 })),
        seededBytes(7),
      );
      const zatoshi = paid * 1000;
      const consents = ['crossing_pools', 'unusual_fee'] as const;
      const payments = [{ address: ADDRESS[pool], zatoshi }];
      const found = outcome({ notes, payments, options: { consents, changePolicy: 'kept' } });
      if (found instanceof SpendingRefusal) return fc.pre(false);
      const excess = found.disclosures.find(({ consent }) => consent === 'unusual_fee');
      if (excess === undefined) return;
      rests++;
      const place = pool === 'sapling' ? 'sapling' : 'ironwood';
      for (const set of subsets(notes)) {
        const change = sum(set) - zatoshi - feeOf(set, [place, pool]);
        t.true(change < 5000, `${sum(set)} leaves ${change}`);
      }
    }),
    { numRuns: runs(300) },
  );
  t.true(rests > 0);
});

function subsets<T>([first, ...rest]: readonly T[]): T[][] {
  if (first === undefined) return [[]];
  return subsets(rest).flatMap((set) => [set, [first, ...set]]);
}

test('with all consents, funds are reported as missing only where no set of notes is enough', (t) => {
  let refused = 0;
  fc.assert(
    fc.property(paymentCases({ maxNotes: 5, maxPayments: 2, allConsents: true }), ({ options, ...given }) => {
      const found = outcome({ ...given, options: { ...options, maxActions: 32 } });
      const spendable = subsets(given.notes.filter(isSpendable)).filter((set) => set.length > 0);
      const ways = ['ironwood', 'sapling'].map((wanted) =>
        given.payments.map(({ address }): Pool | 'transparent' => {
          if (address === TRANSPARENT_ADDRESS) return 'transparent';
          if (address.startsWith('zregtestsapling')) return 'sapling';
          // Only the unified address with both receivers leaves a choice.
          return wanted === 'sapling' && address.length > 150 ? 'sapling' : 'ironwood';
        }),
      );
      const paid = sum(given.payments.map(({ zatoshi = 0 }) => ({ zatoshi })));
      const mostOf = (wanted: readonly (readonly (Pool | 'transparent')[])[]): number =>
        Math.max(...spendable.flatMap((set) => wanted.map((places) => sum(set) - paid - feeOf(set, places))));
      const surplus = mostOf(ways);
      if (found instanceof SpendingRefusal) {
        refused++;
        t.is(found.problem.kind, 'notEnough');
        const least = given.payments[0]!.address === TRANSPARENT_ADDRESS ? 54 : 1;
        t.true(options.everything ? surplus < least : surplus < 0);
      } else if (options.everything) t.is(found.payments[0]!.zatoshi, mostOf([placesOf(found)]));
      else t.true(surplus >= 0);
    }),
    { numRuns: RUNS },
  );
  t.true(refused > 0);
});
