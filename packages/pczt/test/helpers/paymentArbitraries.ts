// Random notes, recipients and wishes for payments, with values where the rules turn: dust, round sums, the last zatoshi.

import { POOLS, type Pool } from '@wallet-companion/zcash/pools';
import { seededBytes } from '@wallet-companion/zcash/test/noteMaker';
import fc from 'fast-check';
import { CONSENTS } from '../../src/spending/disclosure.ts';
import type { ProposalOptions } from '../../src/spending/proposal.ts';
import {
  type MadeUpNote,
  madeUpNotes,
  orchardAddress,
  saplingAddress,
  TARGET_HEIGHT,
  type TestRequest,
  unifiedAddress,
} from './spendingAccount.ts';
import { TRANSPARENT_ADDRESS } from './spendingStories.ts';

const noteValue = fc.oneof(
  fc.constantFrom(0, 1, 4_999, 5_000, 5_001, 10_000, 10_001, 15_000, 20_000, 25_000),
  fc.nat(60_000),
  fc.nat(300_000_000),
);
const paidValue = fc.oneof(
  fc.constantFrom(0, 1, 54, 5_000, 10_000, 90_000),
  fc.nat(60_000),
  fc.nat(200_000_000),
);

const pool = fc.constantFrom<Pool>(...POOLS);
const note = fc.record({
  pool,
  zatoshi: noteValue,
  scope: fc.constantFrom('external' as const, 'internal' as const),
  height: fc.oneof(
    { weight: 4, arbitrary: fc.constant(100) },
    fc.integer({ min: TARGET_HEIGHT - 12, max: TARGET_HEIGHT - 1 }),
  ),
  isReserved: fc.nat(9).map((n) => n === 0),
});

export const ownNotes = (maxLength: number): fc.Arbitrary<MadeUpNote[]> =>
  fc
    .record({ given: fc.array(note, { maxLength }), seed: fc.nat() })
    .map(({ given, seed }) => madeUpNotes(given, seededBytes(seed)));

const ADDRESSES = [
  orchardAddress(),
  unifiedAddress(),
  saplingAddress(),
  orchardAddress(1, 5n),
  TRANSPARENT_ADDRESS,
];

type Payment = NonNullable<TestRequest['payments']>[number];
const payment: fc.Arbitrary<Payment> = fc
  .record({
    address: fc.constantFrom(...ADDRESSES),
    zatoshi: paidValue,
    memo: fc.option(fc.uint8Array({ minLength: 1, maxLength: 512 }), { nil: undefined }),
  })
  .map(({ address, zatoshi, memo }) =>
    address === TRANSPARENT_ADDRESS
      ? { address, zatoshi: Math.max(54, zatoshi) }
      : { address, zatoshi, ...(memo === undefined ? {} : { memo }) },
  );

export interface PaymentCase {
  readonly notes: readonly MadeUpNote[];
  readonly payments: readonly Payment[];
  readonly options: ProposalOptions;
}

export function paymentCases({
  maxNotes,
  maxPayments,
  allConsents = false,
}: {
  readonly maxNotes: number;
  readonly maxPayments: number;
  readonly allConsents?: boolean;
}): fc.Arbitrary<PaymentCase> {
  const options = fc.record({
    consents: allConsents ? fc.constant([...CONSENTS]) : fc.subarray([...CONSENTS]),
    changePolicy: fc.constantFrom('kept' as const, 'moved' as const, undefined),
    everything: fc.nat(4).map((n) => n === 0),
    maxActions: fc.constantFrom(4, 32),
    changeNotes: fc.constantFrom(1, 4),
  });
  return fc
    .record({
      notes: ownNotes(maxNotes),
      payments: fc.array(payment, { minLength: 1, maxLength: maxPayments }),
      options,
    })
    .map(({ notes, payments, options: wanted }) =>
      wanted.everything
        ? { notes, options: wanted, payments: payments.slice(0, 1).map(({ zatoshi: _, ...rest }) => rest) }
        : { notes, options: wanted, payments },
    );
}

/** ZIP 317 as it is written, for counts after filling up. */
export function zip317(
  actions: number,
  sapling: readonly [number, number],
  transparentBytes: number,
): number {
  return 5000 * Math.max(2, Math.ceil(transparentBytes / 34) + Math.max(...sapling) + actions);
}
