// The limit of kept payments: all of them are in memory once they are used, and a PCZT is large. Finished ones are deleted
// first, the earliest first.

import { CompanionError } from '../../../protocol/errors.ts';
import type { PaymentBook } from '../notes/paymentBook.ts';
import { isOpen, type PaymentContext, type PaymentStatus, statusOf } from './paymentState.ts';

const MAX_PAYMENTS = 256;
/** A status that a reorganisation may still undo is kept a little longer. */
const LAST: readonly PaymentStatus[] = ['mined', 'conflicted', 'expired', 'lost_note'];

/** Makes space for one more. Throws `PAYMENT_STATE` where all payments are open. */
export function makeRoom(book: PaymentBook, context: PaymentContext, limit = MAX_PAYMENTS): void {
  const all = book.all();
  if (all.length < limit) return;
  const over = all
    .map((payment) => ({ payment, status: statusOf(payment, context) }))
    .filter(({ payment, status }) => !isOpen(payment, context, status))
    .sort(
      (a, b) =>
        Number(LAST.includes(a.status)) - Number(LAST.includes(b.status)) ||
        a.payment.createdAt - b.payment.createdAt,
    );
  const [first] = over;
  if (first === undefined) {
    throw new CompanionError(
      'PAYMENT_STATE',
      `${limit} payments wait to be signed, sent or mined. Discard some of them first.`,
    );
  }
  book.delete(first.payment.id);
}
