// How an invoice stands, on one page: a pure function of its row, the notes to its address, the unmined ones, the scanned
// height and the clock. A wallet that is restored from nothing, with the same rows, comes to the same result.
//
//   state ...... confirmed   enough is mined in time, and lies deep enough
//                paid        enough is mined in time
//                cancelled   not that, and it was cancelled
//                expired     not that, and its time is over
//                seen        something is in the mempool; or it would be paid, and demands a mark that the block of a payment lacks
//                new         nothing is
//   exception .. reversed    less is mined than was announced once: a reorganisation or another transaction took it back
//                overpaid    more than the amount
//                late        something was mined after the invoice had expired or was cancelled
//                partial     something, but not the amount
//
// "In time" is by the time of the block, which every wallet knows, and not by when this one first saw the payment. After a
// cancel it is by height: this computer's clock may be ahead of the blocks.

import type { Height, Zatoshi } from '@wallet-companion/base/values';
import type { InvoiceStateName, StoredInvoice } from '../ports/invoice.ts';
import type { Verifier } from '../ports/noteDatabase.ts';
import type { StoredNote } from '../ports/storedNote.ts';

type Terms = Pick<
  StoredInvoice,
  'amount' | 'expiresAt' | 'cancelledAt' | 'cancelledHeight' | 'confirmations' | 'requireVerified'
> & {
  readonly announced: { readonly peak: Zatoshi };
};

export interface MinedPayment {
  readonly value: Zatoshi;
  readonly height: Height;
  /** The time of its block, in seconds since 1970. */
  readonly time: number;
  readonly verifiedWith: Verifier;
  /** It was announced with a mark: a later scan of its block without one takes nothing back. */
  readonly wasVerified: boolean;
}

export interface Context {
  /** The highest scanned block. */
  readonly top: Height;
  /** Milliseconds since 1970. */
  readonly now: number;
}

export interface InvoiceState {
  readonly state: InvoiceStateName;
  readonly exception: 'reversed' | 'overpaid' | 'late' | 'partial' | null;
  /** All that is mined, in time or late. */
  readonly received: Zatoshi;
  readonly unmined: Zatoshi;
  /** Those of the payment with which the amount was reached; without one, of the newest payment. */
  readonly confirmations: number;
  /** With this block it is confirmed. */
  readonly confirmedFrom: Height | null;
  /** It would be paid: a mark moves it on, and neither height nor time do. */
  readonly lacksMark: boolean;
}

export function invoiceState(
  { amount, expiresAt, cancelledAt, cancelledHeight, confirmations, requireVerified, announced }: Terms,
  mined: readonly MinedPayment[],
  unmined: readonly Zatoshi[],
  { top, now }: Context,
): InvoiceState {
  const isCancelledBefore = ({ time, height }: MinedPayment) =>
    cancelledAt !== null &&
    (cancelledHeight === undefined ? time * 1000 > cancelledAt : height > cancelledHeight);
  const isInTime = (payment: MinedPayment) => payment.time * 1000 <= expiresAt && !isCancelledBefore(payment);
  const inOrder = mined.toSorted((a, b) => a.height - b.height);
  const inTime = inOrder.filter(isInTime);
  const last = lastNeeded(inTime, amount ?? 1);
  const lacksMark = last !== undefined && requireVerified === true && inTime.some(isUnmarked);
  const depth = (height: Height | undefined) => (height === undefined ? 0 : Math.max(0, top - height + 1));
  const [received, punctual] = [sumOf(mined), sumOf(inTime)];
  const waiting = unmined.reduce((sum, value) => sum + value, 0);
  const isOver = cancelledAt !== null || now >= expiresAt;
  const stateName = (): InvoiceStateName => {
    if (last !== undefined && !lacksMark) return depth(last) >= confirmations ? 'confirmed' : 'paid';
    if (cancelledAt !== null) return 'cancelled';
    if (lacksMark) return 'seen';
    if (isOver) return 'expired';
    return waiting > 0 ? 'seen' : 'new';
  };
  const exception = (): InvoiceState['exception'] => {
    if (received < announced.peak) return 'reversed';
    // What waits counts while it can still be in time, and beside what is paid.
    const isCounted = last !== undefined || !isOver;
    const counted = (last === undefined ? punctual : received) + (isCounted ? waiting : 0);
    if (amount !== null && counted > amount) return 'overpaid';
    if (received > punctual) return 'late';
    return amount !== null && counted > 0 && counted < amount ? 'partial' : null;
  };
  return {
    state: stateName(),
    exception: exception(),
    received,
    unmined: waiting,
    confirmations: depth(last ?? inOrder.at(-1)?.height),
    confirmedFrom: last === undefined || lacksMark ? null : last + confirmations - 1,
    lacksMark,
  };
}

/** A payment in the text of what was announced. */
export const announcedName = ({
  txid,
  outputIndex,
  height,
}: Pick<StoredNote, 'txid' | 'outputIndex' | 'height'>): string =>
  `${txid.slice(0, 16)}.${outputIndex}@${height}`;

export const isUnmarked = ({ verifiedWith, wasVerified }: MinedPayment): boolean =>
  verifiedWith === null && !wasVerified;

const sumOf = (payments: readonly MinedPayment[]): Zatoshi =>
  payments.reduce((sum, { value }) => sum + value, 0);

/** The height at which the sum of the payments reaches the amount. */
function lastNeeded(inOrder: readonly MinedPayment[], amount: Zatoshi): Height | undefined {
  let sum = 0;
  for (const { value, height } of inOrder) {
    sum += value;
    if (sum >= amount) return height;
  }
  return undefined;
}
