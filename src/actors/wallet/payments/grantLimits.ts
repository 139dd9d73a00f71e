// What a grant with limits may pay: so much at once, so much in a day, to these addresses; and that it signs and sends only
// what it has prepared itself.

import { isAhead } from '@wallet-companion/base/values';
import { badField, type CompanionError } from '../../../protocol/errors.ts';
import { type CallingGrant, mayHave } from '../../../protocol/grants.ts';
import type { StoredPayment } from '../ports/payment.ts';
import type { Sessions } from '../session/sessions.ts';

const DAY_MS = 24 * 3_600_000;
/** Those that count are kept, and a wallet keeps 256. */
const MOST_A_DAY = 64;
/** All grants together: the owner needs room for payments, too. */
const MOST_OF_ALL = 128;

type Paid = Pick<StoredPayment['payments'][number], 'address' | 'zatoshi'>;

const totalOf = (payments: readonly Paid[]): number =>
  payments.reduce((total, { zatoshi }) => total + zatoshi, 0);

const endOfDay = ({ countsUntil, createdAt }: StoredPayment): number => countsUntil ?? createdAt + DAY_MS;

/** The payments of grants whose day a clock that was ahead began, with one that begins now. */
export const daysFromNow = (kept: readonly StoredPayment[], now: number): StoredPayment[] =>
  kept
    .filter((payment) => payment.grant !== undefined && isAhead(endOfDay(payment), now + DAY_MS))
    .map((payment) => ({ ...payment, countsUntil: now + DAY_MS }));

/** `kept`: all payments of the wallet. Throws `GRANT_LIMIT`. */
export function requireLimits(
  grant: CallingGrant | undefined,
  payments: readonly Paid[],
  kept: readonly StoredPayment[],
  now: number,
): void {
  if (grant === undefined) return;
  const { payees, payment_zatoshi: ofPayment, day_zatoshi: ofDay } = grant.limits;
  if (payees !== undefined && !payments.every(({ address }) => payees.includes(address)))
    throw beyond('payees', 'An address of the payment is not among those that the grant may pay.');
  const total = totalOf(payments);
  if (ofPayment !== undefined && total > ofPayment)
    throw beyond('payment_zatoshi', `The grant allows ${ofPayment} zatoshi for one payment.`);
  if (ofDay === undefined) return;
  if (kept.filter(({ countsUntil = 0 }) => now < countsUntil).length >= MOST_OF_ALL)
    throw beyond(
      'day_zatoshi',
      `Grants have prepared ${MOST_OF_ALL} payments in 24 hours, and that is the most.`,
    );
  // Discarded ones as well: a signed copy can still be sent.
  const counted = kept.filter((payment) => payment.grant === grant.id && now < endOfDay(payment));
  if (counted.length >= MOST_A_DAY)
    throw beyond(
      'day_zatoshi',
      `The grant has prepared ${MOST_A_DAY} payments in 24 hours, and that is the most.`,
    );
  const before = counted.reduce((sum, payment) => sum + totalOf(payment.payments), 0);
  if (before + total > ofDay)
    throw beyond('day_zatoshi', `The grant allows ${ofDay} zatoshi in 24 hours, and has prepared ${before}.`);
}

/** What the payment keeps of the grant that prepared it. */
export const keptOf = (
  grant: CallingGrant | undefined,
  now: number,
): Pick<StoredPayment, 'grant' | 'countsUntil'> =>
  grant === undefined
    ? {}
    : { grant: grant.id, ...(grant.limits.day_zatoshi === undefined ? {} : { countsUntil: now + DAY_MS }) };

export const isShownTo = (grant: CallingGrant | undefined, { grant: madeBy }: StoredPayment): boolean =>
  mayHave('payment', grant, madeBy);

/** Throws `GRANT_LIMIT` for a payment of others that is not open to the grant. */
export function requireOwnPayment(
  { sessions }: { readonly sessions: Sessions },
  id: string,
  grant: CallingGrant,
): void {
  if (isShownTo(grant, sessions.open().payments.get(id))) return;
  throw beyond(
    'payment_id',
    'A grant with limits has to do with the payments alone that it has prepared itself.',
  );
}

const beyond = (path: string, detail: string): CompanionError =>
  badField(path, 'is beyond what the grant allows', detail, 'GRANT_LIMIT');
