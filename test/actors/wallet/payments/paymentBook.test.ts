import test from 'ava';
import { PaymentBook } from '../../../../src/actors/wallet/payments/book/paymentBook.ts';
import { CompanionError } from '../../../../src/protocol/errors.ts';
import { failureOf } from '../../../helpers/failureOf.ts';
import { madeUpPayment } from '../../../helpers/madeUpPayment.ts';
import { MemoryNoteDatabase } from '../../../helpers/memoryNoteDatabase.ts';

test('a new payment that cannot be counted is not there, and one that was there stays as it was written', async (t) => {
  const store = new MemoryNoteDatabase();
  const book = new PaymentBook(() => store);
  const known = madeUpPayment(1);
  let isFull = false;
  await book.countBeside({
    counted: () => null,
    count: async () => {
      if (isFull) throw new CompanionError('STORAGE_FAILED', 'The disk is full.');
    },
    scannedTop: () => undefined,
  });
  await book.put(known);
  isFull = true;
  const keyed = madeUpPayment(2, { idempotencyKey: 'order-2' });
  t.is((await failureOf(book.put(keyed, 'd1'))).code, 'STORAGE_FAILED');
  t.is(book.keyed('order-2'), undefined, 'its key is free');
  const changed = { ...known, state: { kind: 'discarded', at: 9, refused: null } as const };
  t.is((await failureOf(book.put(changed))).code, 'STORAGE_FAILED');
  t.deepEqual(store.payments(), [changed]);
  t.deepEqual(book.all(), [changed]);
});
