import test from 'ava';
import { PaymentBook } from '../../../../src/actors/wallet/payments/book/paymentBook.ts';
import { type PaymentContext, stateOfGone } from '../../../../src/actors/wallet/payments/paymentState.ts';
import { makeRoom } from '../../../../src/actors/wallet/payments/payments.ts';
import { CompanionError } from '../../../../src/protocol/errors.ts';
import { madeUpPayment } from '../../../helpers/madeUpPayment.ts';
import { MemoryNoteDatabase } from '../../../helpers/memoryNoteDatabase.ts';

const NOT_NEEDED = () => false;
const DISCARDED = { kind: 'discarded', at: 9, refused: null } as const;

/** Scanned up to the block in which payment 3 could have been at last. */
const AROUND = {
  noteStore: {
    tables: { notes: { spentIn: () => [], madeIn: () => [] } },
    note: () => ({ position: 7, spent: null }),
    block: () => undefined,
    scanned: () => [{ start: 1, end: 120 }],
    scannedTop: () => 120,
    missing: () => [],
  },
  holders: new Map(),
  unmined: [],
  minConfirmations: 1,
  now: 1_000,
} as unknown as PaymentContext;

test('the earliest of those that were given up goes first, then of those that are over; an open one never', (t) => {
  const store = new MemoryNoteDatabase();
  const book = new PaymentBook(() => store);
  const [open, later, expired, earlier] = [
    madeUpPayment(1),
    madeUpPayment(4, { state: DISCARDED }),
    madeUpPayment(2, { lastHeight: 120 }),
    madeUpPayment(3, { state: DISCARDED }),
  ];
  for (const payment of [open!, later!, expired!, earlier!]) book.put(payment);
  const left = () => new Set(store.payments().map(({ id }) => id));
  const isNeeded = ({ id }: { id: string }) => id !== open!.id;
  t.throws(() => makeRoom(book, AROUND, isNeeded, 4), { code: 'PAYMENT_STATE' });
  makeRoom(book, AROUND, NOT_NEEDED, 5);
  t.is(left().size, 4);
  for (const gone of [earlier!, later!, expired!]) {
    makeRoom(book, AROUND, NOT_NEEDED, left().size);
    t.false(left().has(gone.id));
  }
  const error = t.throws(() => makeRoom(book, AROUND, NOT_NEEDED, 1), { instanceOf: CompanionError });
  t.is(error?.code, 'PAYMENT_STATE');
  t.deepEqual([...left()], [open!.id]);
});

test('its key keeps how it stood, and the chain has the last word', async (t) => {
  const store = new MemoryNoteDatabase();
  const book = new PaymentBook(() => store);
  const payment = madeUpPayment(2, { lastHeight: 120, idempotencyKey: 'order-2' });
  await book.put(payment, 'd1');
  t.like(book.keyed('order-2'), { digest: 'd1', payment: { id: payment.id }, last: null });
  makeRoom(book, AROUND, NOT_NEEDED, 1);
  t.deepEqual(store.payments(), []);
  const gone = { ...book.keyed('order-2')!, last: 'expired' } as const;
  t.deepEqual(book.keyed('order-2'), gone);
  const mined = {
    ...AROUND,
    noteStore: { ...AROUND.noteStore, tables: { notes: { spentIn: () => [{ spent: { height: 119 } }] } } },
  } as unknown as PaymentContext;
  t.like(stateOfGone(gone, mined), { status: 'mined', minedHeight: 119, confirmations: 2 });
  t.is(stateOfGone(gone, AROUND).status, 'expired');
  t.is(stateOfGone({ ...gone, last: 'confirmed' }, AROUND).status, 'sent', 'until its block is read again');
});

test('what still counts for the day of a grant stays, given up or not', (t) => {
  const store = new MemoryNoteDatabase();
  const book = new PaymentBook(() => store);
  const [counts, counted] = [
    madeUpPayment(1, { state: DISCARDED, countsUntil: 1_001 }),
    madeUpPayment(2, { state: DISCARDED, countsUntil: 1_000 }),
  ];
  for (const payment of [counts!, counted!]) book.put(payment);
  makeRoom(book, AROUND, NOT_NEEDED, 2);
  t.deepEqual(
    store.payments().map(({ id }) => id),
    [counts!.id],
  );
  t.throws(() => makeRoom(book, AROUND, NOT_NEEDED, 1), { code: 'PAYMENT_STATE' });
});
