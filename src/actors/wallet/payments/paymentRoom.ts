// How many payments are kept: all of them are in memory once they are asked for, and a PCZT tells much. Those that are over
// go first, the earliest of them.

import { CompanionError } from '../../../protocol/errors.ts';
import type { PaymentBook } from '../notes/paymentBook.ts';
import { isOpen, type PaymentStatus, type Surroundings, statusOf } from './paymentStanding.ts';

const MAX_PAYMENTS = 256;
/** What may still be undone by a reorganisation stays a little longer. */
const LAST: readonly PaymentStatus[] = ['mined', 'conflicted', 'expired', 'lost_note'];

/** For one more. Throws `PAYMENT_STATE` where all of them are open. */
export function makeRoom(book: PaymentBook, surroundings: Surroundings, limit = MAX_PAYMENTS): void {
  const all = book.all();
  if (all.length < limit) return;
  const over = all
    .map((payment) => ({ payment, status: statusOf(payment, surroundings) }))
    .filter(({ payment, status }) => !isOpen(payment, surroundings, status))
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
