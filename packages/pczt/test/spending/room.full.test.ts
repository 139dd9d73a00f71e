// How much fits into one payment: 330 shielded items of all pools and 300 of Sapling, change and filling up included.

import { runs } from '@wallet-companion/base/test/atLength';
import { POOLS, type Pool } from '@wallet-companion/zcash/pools';
import test from 'ava';
import fc from 'fast-check';
import type { Proposal } from '../../src/spending/proposal.ts';
import { SpendingRefusal } from '../../src/spending/refusal.ts';
import {
  type MadeUpNote,
  madeUpNote,
  problemOf,
  propose,
  saplingAddress,
  unifiedAddress,
} from '../helpers/spendingAccount.ts';

const VALUE = 20_000;
const CONSENTS = { consents: ['crossing_pools' as const, 'unusual_fee' as const] };

const first = Object.fromEntries(
  POOLS.map((pool) => [pool, madeUpNote({ pool, zatoshi: VALUE }, (size) => new Uint8Array(size).fill(7))]),
) as Record<Pool, MadeUpNote>;

const notes = (counts: Partial<Record<Pool, number>>): MadeUpNote[] =>
  POOLS.flatMap((pool) =>
    Array.from({ length: counts[pool] ?? 0 }, (_, position) => ({ ...first[pool], position })),
  );

const everything = (own: readonly MadeUpNote[], maxActions = 330, address = unifiedAddress()) =>
  propose({
    notes: own,
    payments: [{ address }],
    options: { ...CONSENTS, everything: true, maxActions },
  });

/** Refused because the fee takes all: what it says to be needed is more than there is. */
function isLessThanFee(own: readonly MadeUpNote[], maxActions: number, address: string): boolean {
  try {
    everything(own, maxActions, address);
    return false;
  } catch (error) {
    if (!(error instanceof SpendingRefusal)) throw error;
    const { problem } = error;
    return problem.kind === 'notEnough' && problem.needed > problem.funds.spendable;
  }
}

/** As a block counts them, filled up as wallets do. */
function items({ spends, payments, change }: Proposal<MadeUpNote>): { sapling: number; all: number } {
  const spent = (pool: Pool) => spends.filter((note) => note.pool === pool).length;
  const made = (pool: Pool) =>
    payments.filter(({ place }) => place === pool).length + (change?.pool === pool ? 1 : 0);
  const least = (count: number) => (count === 0 ? 0 : Math.max(2, count));
  const sapling =
    spent('sapling') + (spent('sapling') + made('sapling') === 0 ? 0 : Math.max(2, made('sapling')));
  const orchard = least(spent('orchard') + made('orchard'));
  const ironwood = least(Math.max(spent('ironwood'), made('ironwood')));
  return { sapling, all: sapling + orchard + ironwood };
}

test('329 and 330 notes of one pool fit, of 331 one is left for another payment', (t) => {
  for (const [count, taken, left] of [
    [329, 329, { zatoshi: 0, payments: 0 }],
    [330, 330, { zatoshi: 0, payments: 0 }],
    [331, 330, { zatoshi: VALUE, payments: 1 }],
    [700, 330, { zatoshi: 370 * VALUE, payments: 2 }],
  ] as const) {
    const found = everything(notes({ ironwood: count }));
    t.is(found.spends.length, taken);
    t.deepEqual(found.left, left);
  }
});

test('of Sapling 300, its two outputs among them', (t) => {
  for (const [count, taken, payments] of [
    [297, 297, 0],
    [298, 298, 0],
    [299, 298, 1],
  ] as const) {
    const found = everything(notes({ sapling: count }), 330, saplingAddress());
    t.is(found.spends.length, taken);
    t.is(found.left!.payments, payments);
  }
});

test('a payment whose fee takes all that it brings is not announced', (t) => {
  const found = everything(notes({ ironwood: 33 }), 32, saplingAddress());
  t.is(found.spends.length, 32);
  t.deepEqual(found.left, { zatoshi: 0, payments: 0 });
});

test('a note that leaves its pool and is worth its fee is one zatoshi short', (t) => {
  t.like(
    problemOf(() => everything(notes({ orchard: 1 }))),
    { kind: 'notEnough', needed: VALUE + 1, funds: { spendable: VALUE } },
  );
});

test('everything out of three pools, and out of two', (t) => {
  for (const counts of [
    { sapling: 150, orchard: 150, ironwood: 150 },
    { orchard: 200, ironwood: 200 },
    { sapling: 200, ironwood: 200 },
  ]) {
    const found = everything(notes(counts), 200);
    const { all, sapling } = items(found);
    t.true(all <= 330 && all >= 329, `${all}`);
    t.true(sapling <= 300);
    t.is(found.left!.payments, 1);
  }
});

test('a payment of more notes than a block has room for is refused with the number of payments that it takes', (t) => {
  const own = notes({ ironwood: 400 });
  const paying = (zatoshi: number) =>
    propose({
      notes: own,
      payments: [{ address: unifiedAddress(), zatoshi }],
      options: { ...CONSENTS, maxActions: 330 },
    });
  const most = 330 * (VALUE - 5_000);
  t.is(paying(most).spends.length, 330);
  t.like(
    problemOf(() => paying(most + 1)),
    { kind: 'tooManyNotes', full: 'block', atMost: most, payments: 2 },
  );
  // So much that the fees of two payments cannot be paid beside it.
  t.like(
    problemOf(() => paying(400 * (VALUE - 5_000) + 1)),
    { kind: 'tooManyNotes', payments: undefined },
  );
});

test('whatever notes there are: no payment exceeds the limits, and as many as were announced, or one more or less, bring everything', (t) => {
  const count = fc.integer({ min: 0, max: 340 });
  fc.assert(
    fc.property(
      fc.record({ sapling: count, orchard: count, ironwood: count }),
      fc.constantFrom(32, 110, 165, 200, 330),
      fc.boolean(),
      (counts, maxActions, toSapling) => {
        let own = notes(counts);
        fc.pre(own.length > 0);
        let announced: number | undefined;
        let made = 0;
        for (let isOver = false; !isOver; ) {
          const address = toSapling ? saplingAddress() : unifiedAddress();
          if (made === 0 && isLessThanFee(own, maxActions, address)) return true;
          const found = everything(own, maxActions, address);
          const { all, sapling } = items(found);
          if (all > 330 || sapling > 300) return false;
          announced ??= found.left!.payments + 1;
          made += 1;
          isOver = found.left!.payments === 0;
          const spent = new Set(found.spends);
          own = own.filter((note) => !spent.has(note));
        }
        // Where notes nearly fill the payments, the order in which pools are taken decides on one more or less.
        return Math.abs(made - announced!) <= 1;
      },
    ),
    { numRuns: Math.ceil(runs(20, 300, 'WALLET_COMPANION_PAYMENT_RUNS') / 3) },
  );
  t.pass();
});
