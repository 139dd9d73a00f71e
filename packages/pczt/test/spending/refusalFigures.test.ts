// The figures in a refusal are those of the case: what is needed is more than what can be spent, the most that fits into one
// payment can be paid and no zatoshi more, and with the amount that a fee leaves over the fee is the usual one.

import { runs } from '@wallet-companion/base/test/atLength';
import { seededBytes } from '@wallet-companion/zcash/test/noteMaker';
import test from 'ava';
import fc from 'fast-check';
import type { Consent } from '../../src/spending/disclosure.ts';
import { type SpendingProblem, SpendingRefusal } from '../../src/spending/refusal.ts';
import { outputsAt, shield } from '../helpers/shieldingStories.ts';
import {
  madeUpNotes,
  orchardAddress,
  propose,
  saplingAddress,
  type TestRequest,
  unifiedAddress,
} from '../helpers/spendingAccount.ts';
import { TRANSPARENT_ADDRESS } from '../helpers/spendingStories.ts';

function refusalOf(make: () => unknown): SpendingProblem | undefined {
  try {
    make();
    return undefined;
  } catch (error) {
    if (error instanceof SpendingRefusal) return error.problem;
    throw error;
  }
}

const sum = (items: readonly { readonly zatoshi?: number }[]): number =>
  items.reduce((all, { zatoshi = 0 }) => all + zatoshi, 0);

/** Notes about as large as their fee, and an amount about as large as all of them. */
const scarce: fc.Arbitrary<TestRequest> = fc
  .record({
    values: fc.array(
      fc.record({
        pool: fc.constantFrom('orchard' as const, 'ironwood' as const, 'sapling' as const),
        zatoshi: fc.constantFrom(4_999, 5_001, 6_000, 9_000, 20_000, 90_000, 1_000_000),
      }),
      { maxLength: 14 },
    ),
    isOnePool: fc.boolean(),
    address: fc.constantFrom(orchardAddress(), saplingAddress(), unifiedAddress(), TRANSPARENT_ADDRESS),
    share: fc.double({ min: 0.2, max: 1, noNaN: true }),
    everything: fc.nat(3).map((n) => n === 0),
    maxActions: fc.constantFrom(2, 3, 4, 6),
    consents: fc.constantFrom<Consent[]>(
      ['crossing_pools', 'transparent_recipients'],
      ['crossing_pools', 'transparent_recipients', 'unusual_fee'],
    ),
  })
  .map(({ values, isOnePool, address, share, ...options }) => {
    const pool = values[0]?.pool;
    const notes = madeUpNotes(
      values.map((one) => ({ ...one, ...(isOnePool && pool !== undefined ? { pool } : {}) })),
      seededBytes(1),
    );
    const zatoshi = Math.max(54, Math.floor(sum(notes) * share));
    return { notes, options, payments: [options.everything ? { address } : { address, zatoshi }] };
  });

test('the figures in the refusal of a payment are those of the case', (t) => {
  const seen = new Set<string>();
  fc.assert(
    fc.property(scarce, (given) => {
      const problem = refusalOf(() => propose(given));
      if (problem === undefined) return;
      seen.add(problem.kind);
      const [payment] = given.payments!;
      const { everything } = given.options!;
      const least = payment!.address === TRANSPARENT_ADDRESS ? 54 : 1;
      const paying = (zatoshi: number) =>
        refusalOf(() => propose({ ...given, payments: [{ ...payment!, zatoshi }] }));
      if (problem.kind === 'notEnough') {
        const fee = problem.needed - (everything ? least : payment!.zatoshi!);
        t.true(problem.needed > problem.funds.spendable);
        t.true(fee % 5_000 === 0 && fee >= 10_000 && fee <= 5_000 * (given.notes.length + 6), `fee ${fee}`);
      } else if (problem.kind === 'tooManyNotes' && !everything) {
        const isShort = (zatoshi: number) =>
          ['notEnough', 'tooManyNotes'].includes(paying(zatoshi)?.kind ?? '');
        if (problem.atMost >= least) t.false(isShort(problem.atMost));
        t.true(isShort(Math.max(problem.atMost + 1, least)));
      } else if (problem.kind === 'consentNeeded') {
        const over = problem.disclosures.find(({ consent }) => consent === 'unusual_fee')!.zatoshi;
        t.is(paying(payment!.zatoshi! + over), undefined);
      }
    }),
    { numRuns: runs(400, 10_000), seed: 1 },
  );
  t.deepEqual([...seen].sort(), ['consentNeeded', 'notEnough', 'tooManyNotes']);
});

test('ten notes of 4,999 take a fee and one zatoshi, and the fee of a batch that brings nothing is named', (t) => {
  const notes = madeUpNotes(
    Array.from({ length: 10 }, () => ({ pool: 'ironwood' as const, zatoshi: 4_999 })),
    seededBytes(2),
  );
  const payments = [{ address: unifiedAddress() }];
  t.like(
    refusalOf(() => propose({ notes, payments, options: { everything: true } })),
    { kind: 'notEnough', needed: 10_001 },
  );
  // The address with the most does not bring its fee, and another one does.
  const scattered = outputsAt([0, 5_100], [0, 5_100], [0, 5_100], [1, 15_200]);
  t.like(shield(scattered), { fee: 15_000, change: { zatoshi: 200 }, left: undefined });
});
