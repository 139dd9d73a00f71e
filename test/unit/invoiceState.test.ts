// The rules of docs/invoices.md, one row each, and what holds for all invoices.

import test from 'ava';
import fc from 'fast-check';
import {
  type InvoiceState,
  invoiceState,
  type MinedPayment,
} from '../../src/actors/wallet/invoices/invoiceState.ts';

const EXPIRES = 1_000_000;
/** Blocks have even seconds: height 400 is mined at 800 s. */
const at = (height: number, value: number, mark: object = {}): MinedPayment => ({
  height,
  value,
  time: height * 2,
  verifiedWith: 'node',
  wasVerified: false,
  ...mark,
});
const ALONE = { verifiedWith: null };
const asked = (more: object = {}) => ({
  amount: 100 as number | null,
  expiresAt: EXPIRES,
  cancelledAt: null as number | null,
  confirmations: 3,
  announced: { peak: 0 },
  ...more,
});
const EARLY = { top: 400, now: 900_000 };
const AFTER = { top: 600, now: 1_200_000 };

interface Row {
  readonly says: string;
  readonly invoice?: object;
  readonly mined?: readonly MinedPayment[];
  readonly unmined?: readonly number[];
  readonly when?: typeof EARLY;
  readonly is: Partial<InvoiceState>;
}

const ROWS: readonly Row[] = [
  { says: 'nothing yet', is: { state: 'new', exception: null, received: 0, confirmations: 0 } },
  { says: 'all of it unmined', unmined: [100], is: { state: 'seen', exception: null, unmined: 100 } },
  { says: 'a part unmined', unmined: [40], is: { state: 'seen', exception: 'partial' } },
  { says: 'two unmined that are enough', unmined: [40, 60], is: { state: 'seen', exception: null } },
  { says: 'too much unmined', unmined: [101], is: { state: 'seen', exception: 'overpaid' } },
  {
    says: 'mined',
    mined: [at(400, 100)],
    is: { state: 'paid', exception: null, confirmations: 1, confirmedFrom: 402 },
  },
  {
    says: 'mined, and the block of one part lacks the mark that is demanded',
    invoice: { requireVerified: true },
    mined: [at(300, 60, ALONE), at(301, 40)],
    when: AFTER,
    is: { state: 'seen', exception: null, received: 100, confirmedFrom: null, lacksMark: true },
  },
  {
    says: 'the same where no mark is demanded',
    mined: [at(300, 60, ALONE), at(301, 40)],
    is: { state: 'confirmed', lacksMark: false },
  },
  {
    says: 'more is paid in a block that lacks the mark',
    invoice: { requireVerified: true },
    mined: [at(300, 100), at(301, 40, ALONE)],
    is: { state: 'seen', exception: 'overpaid' },
  },
  {
    says: 'scanned again without the mark that it was accepted with, and paid once more too late',
    invoice: { requireVerified: true },
    mined: [at(300, 100, { ...ALONE, wasVerified: true }), at(590, 7, ALONE)],
    when: AFTER,
    is: { state: 'confirmed', lacksMark: false },
  },
  {
    says: 'cancelled before the mark came',
    invoice: { requireVerified: true, cancelledAt: 950_000 },
    mined: [at(300, 100, ALONE)],
    is: { state: 'cancelled', lacksMark: true },
  },
  { says: 'deep', mined: [at(398, 100)], is: { state: 'confirmed', confirmations: 3 } },
  {
    says: 'a part mined',
    mined: [at(398, 99)],
    is: { state: 'new', exception: 'partial', confirmations: 3 },
  },
  {
    says: 'a part mined, the rest unmined',
    mined: [at(398, 99)],
    unmined: [1],
    is: { state: 'seen', exception: null },
  },
  {
    says: 'two parts: the second one counts',
    mined: [at(400, 60), at(390, 40)],
    is: { state: 'paid', confirmations: 1, received: 100 },
  },
  {
    says: 'paid twice: the first one counts',
    mined: [at(390, 100), at(400, 100)],
    is: { state: 'confirmed', exception: 'overpaid', confirmations: 11 },
  },
  {
    says: 'paid, and more unmined',
    mined: [at(390, 100)],
    unmined: [5],
    is: { state: 'confirmed', exception: 'overpaid' },
  },
  { says: 'expired', when: AFTER, is: { state: 'expired', exception: null } },
  { says: 'expired at its very time', when: { top: 400, now: EXPIRES }, is: { state: 'expired' } },
  { says: 'not a moment before', when: { top: 400, now: EXPIRES - 1 }, is: { state: 'new' } },
  {
    says: 'expired with something unmined',
    when: AFTER,
    unmined: [100],
    is: { state: 'expired', exception: null },
  },
  {
    says: 'expired with a part',
    when: AFTER,
    mined: [at(400, 40)],
    is: { state: 'expired', exception: 'partial' },
  },
  {
    says: 'mined in the last second',
    when: AFTER,
    mined: [at(500, 100)],
    is: { state: 'confirmed', exception: null },
  },
  {
    says: 'mined too late',
    when: AFTER,
    mined: [at(501, 100)],
    is: { state: 'expired', exception: 'late', received: 100 },
  },
  {
    says: 'a part in time, the rest late',
    when: AFTER,
    mined: [at(500, 60), at(501, 40)],
    is: { state: 'expired', exception: 'late', confirmations: 100 },
  },
  {
    says: 'paid in time, and again late',
    when: AFTER,
    mined: [at(500, 100), at(501, 100)],
    is: { state: 'confirmed', exception: 'overpaid' },
  },
  { says: 'cancelled', invoice: { cancelledAt: 850_000 }, is: { state: 'cancelled', exception: null } },
  {
    says: 'cancelled, and expired since',
    invoice: { cancelledAt: 850_000 },
    when: AFTER,
    is: { state: 'cancelled' },
  },
  {
    says: 'mined before it was cancelled',
    invoice: { cancelledAt: 850_000 },
    mined: [at(400, 100)],
    is: { state: 'paid', exception: null },
  },
  {
    says: 'mined after it was cancelled',
    invoice: { cancelledAt: 850_000 },
    when: { top: 430, now: 900_000 },
    mined: [at(426, 100)],
    is: { state: 'cancelled', exception: 'late' },
  },
  {
    says: 'cancelled by a clock that went back since',
    invoice: { cancelledAt: 950_000 },
    is: { state: 'cancelled' },
  },
  { says: 'taken back', invoice: { announced: { peak: 100 } }, is: { state: 'new', exception: 'reversed' } },
  {
    says: 'a part of two taken back',
    invoice: { announced: { peak: 100 } },
    mined: [at(398, 40)],
    is: { state: 'new', exception: 'reversed' },
  },
  {
    says: 'mined again',
    invoice: { announced: { peak: 100 } },
    mined: [at(400, 100)],
    is: { state: 'paid', exception: null },
  },
  {
    says: 'open: anything is enough',
    invoice: { amount: null },
    mined: [at(398, 1)],
    is: { state: 'confirmed', exception: null },
  },
  { says: 'open: nothing is not', invoice: { amount: null }, is: { state: 'new' } },
  { says: 'open: unmined', invoice: { amount: null }, unmined: [1], is: { state: 'seen', exception: null } },
  {
    says: 'open: too late',
    invoice: { amount: null },
    when: AFTER,
    mined: [at(501, 1)],
    is: { state: 'expired', exception: 'late' },
  },
  {
    says: 'open: more after its time',
    invoice: { amount: null },
    when: AFTER,
    mined: [at(500, 1), at(501, 1)],
    is: { state: 'confirmed', exception: 'late' },
  },
];

for (const { says, invoice = {}, mined = [], unmined = [], when = EARLY, is } of ROWS) {
  test(says, (t) => {
    t.like(invoiceState(asked(invoice), mined, unmined, when), is);
  });
}

const payments = fc.array(
  fc.record({ height: fc.integer({ min: 1, max: 700 }), value: fc.integer({ min: 1, max: 150 }) }),
  { maxLength: 6 },
);
const anyCase = fc.record({
  amount: fc.option(fc.integer({ min: 1, max: 300 })),
  cancelledAt: fc.option(fc.integer({ min: 0, max: 1_400_000 })),
  peak: fc.integer({ min: 0, max: 300 }),
  mined: payments,
  unmined: fc.array(fc.integer({ min: 1, max: 150 }), { maxLength: 3 }),
  now: fc.integer({ min: 0, max: 1_400_000 }),
});

test('the order in which notes are found makes no difference, and the sums are those of the notes', (t) => {
  fc.assert(
    fc.property(
      anyCase,
      fc.infiniteStream(fc.nat()),
      ({ amount, cancelledAt, peak, mined, unmined, now }, order) => {
        const invoice = asked({ amount, cancelledAt, announced: { peak } });
        const notes = mined.map(({ height, value }) => at(height, value));
        const shuffled = notes
          .map((note) => ({ note, key: order.next().value }))
          .sort((a, b) => a.key - b.key);
        const when = { top: 700, now };
        const state = invoiceState(invoice, notes, unmined, when);
        t.deepEqual(
          invoiceState(
            invoice,
            shuffled.map(({ note }) => note),
            unmined,
            when,
          ),
          state,
        );
        t.is(
          state.received,
          notes.reduce((sum, { value }) => sum + value, 0),
        );
        t.is(state.exception === 'reversed', state.received < peak);
      },
    ),
  );
});

test('paid is paid: neither the clock, nor the mempool, nor a later payment takes it back', (t) => {
  fc.assert(
    fc.property(anyCase, payments, fc.nat(2_000_000), (given, more, later) => {
      const { amount, cancelledAt, mined, unmined, now } = given;
      const invoice = asked({ amount, cancelledAt });
      const notes = mined.map(({ height, value }) => at(height, value));
      const isPaid = ({ state }: InvoiceState) => state === 'paid' || state === 'confirmed';
      const before = invoiceState(invoice, notes, unmined, { top: 700, now });
      const others = more.map(({ height, value }) => at(height, value));
      const after = invoiceState(invoice, [...notes, ...others], [], { top: 700, now: later });
      t.true(!isPaid(before) || isPaid(after));
      const enough = notes.filter(({ time }) => time * 1000 <= Math.min(EXPIRES, cancelledAt ?? EXPIRES));
      t.is(isPaid(before), enough.reduce((sum, { value }) => sum + value, 0) >= (amount ?? 1));
    }),
  );
});
