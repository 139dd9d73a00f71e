// What was given back of an invoice, and what may still be. A refund is a prepared payment that names the invoice: while the wallet
// keeps the payment, its status is the refund's, and afterwards the chain and what the invoice has kept of it tell.
//
// Nothing here is stored but that: a reorganisation of either side, a refund that is given up or expires, gives the amount back by
// itself.

import { FormatError } from '@wallet-companion/base/bytes';
import { type Height, timeText, type Zatoshi } from '@wallet-companion/base/values';
import { receiverTexts } from '@wallet-companion/zcash/addresses';
import type { NetworkParameters } from '@wallet-companion/zcash/network';
import type { Output } from '../../../protocol/operations.ts';
import { confirmationTop } from '../noteViews/views.ts';
import {
  hasExpired,
  minedIn,
  type PaymentContext,
  type PaymentStatus,
  stateOf,
} from '../payments/paymentState.ts';
import type { KeptRefund, StoredInvoice } from '../ports/invoice.ts';
import type { StoredPayment } from '../ports/payment.ts';
import { isUnmarked, type MinedPayment } from './invoiceState.ts';

type RefundView = Output<'invoices.get'>['refunds'][number];

export interface Refund {
  readonly record: KeptRefund;
  readonly status: PaymentStatus;
  readonly minedHeight: Height | null;
  /** It is mined, or may still be. */
  readonly counts: boolean;
  /** The payment is kept, and reports its changes. */
  readonly isKept: boolean;
}

const OVER: readonly PaymentStatus[] = ['expired', 'conflicted', 'discarded'];

/**
 * What was sent and has expired may be mined by another branch: it counts until that would have to be as long as the invoice
 * asks of payments.
 */
const mayReturn = (
  { lastHeight, changeConfirmations }: KeptRefund,
  confirmations: number,
  { noteStore }: PaymentContext,
): boolean => confirmationTop(noteStore) - lastHeight < Math.max(confirmations, changeConfirmations);

/** `payments`: those of the wallet that name the invoice. */
export function refundsOf(
  row: Pick<StoredInvoice, 'account' | 'refunds' | 'confirmations'>,
  payments: readonly StoredPayment[],
  context: PaymentContext,
): Refund[] {
  const kept = new Set(payments.map(({ id }) => id));
  const gone = (row.refunds ?? []).filter(({ id }) => !kept.has(id));
  return [
    ...gone.map((record) => goneRefund(record, row, context)),
    ...payments.map((payment) => keptRefund(payment, row.confirmations, context)),
  ].sort(({ record: a }, { record: b }) => a.createdAt - b.createdAt || (a.id < b.id ? -1 : 1));
}

function keptRefund(payment: StoredPayment, confirmations: number, context: PaymentContext): Refund {
  const { id, createdAt, txid, anchorHeight, lastHeight, changeConfirmations, state } = payment;
  const { status, ...found } = stateOf(payment, context);
  // What has left may be mined where a later branch gives the note back.
  const isLost = status === 'lost_note' && state.kind !== 'sent';
  const record = {
    ...{ id, createdAt, txid, anchorHeight, lastHeight, changeConfirmations },
    zatoshi: payment.payments.reduce((sum, { zatoshi }) => sum + zatoshi, 0),
    isDiscarded: state.kind === 'discarded',
  };
  const isOut = status === 'expired' && state.kind === 'sent' && mayReturn(record, confirmations, context);
  return {
    record,
    status,
    minedHeight: 'minedHeight' in found ? found.minedHeight : null,
    counts: isOut || !(isLost || OVER.includes(status)),
    isKept: true,
  };
}

function goneRefund(
  record: KeptRefund,
  { account, confirmations }: Pick<StoredInvoice, 'account' | 'confirmations'>,
  context: PaymentContext,
): Refund {
  const mined = minedIn(record, context);
  if (mined !== undefined)
    return { record, status: mined.status, minedHeight: mined.minedHeight, counts: true, isKept: false };
  const end = record.isDiscarded ? 'discarded' : undefined;
  const status = hasExpired({ ...record, account }, context.noteStore) ? 'expired' : end;
  const isOut = status === 'expired' && !record.isDiscarded && mayReturn(record, confirmations, context);
  const counts = isOut || status === undefined;
  return { record, status: status ?? 'sent', minedHeight: null, counts, isKept: false };
}

/** Zatoshi that are given back, or may still be. */
export const refundedIn = (refunds: readonly Refund[]): Zatoshi =>
  refunds.reduce((sum, { record, counts }) => sum + (counts ? record.zatoshi : 0), 0);

/** Zatoshi that came so that hardly anybody takes them back: as deep as the invoice asks, and with the mark that it demands. */
export const settledIn = (
  { confirmations, requireVerified }: Pick<StoredInvoice, 'confirmations' | 'requireVerified'>,
  mined: readonly MinedPayment[],
  top: Height,
): Zatoshi =>
  mined
    .filter((note) => top - note.height + 1 >= confirmations && !(requireVerified && isUnmarked(note)))
    .reduce((sum, { value }) => sum + value, 0);

/** Signatures, proofs and the mempool are the payment's own news. */
const ANNOUNCED_AS: Partial<Record<PaymentStatus, PaymentStatus>> = {
  complete: 'prepared',
  in_mempool: 'sent',
};

/** In the text of what was announced. */
export const refundName = ({ record, status, minedHeight }: Refund): string =>
  `${record.id.slice(0, 16)}:${ANNOUNCED_AS[status] ?? status}@${minedHeight ?? ''}`;

export const refundView = ({ record, status, minedHeight }: Refund): RefundView => ({
  payment_id: record.id,
  txid: record.txid,
  status,
  amount_zatoshi: record.zatoshi,
  created_at: timeText(record.createdAt),
  mined_height: minedHeight,
});

const REPLY_TO = /^reply-to:/i;

/** Addresses of the network that stand alone on a line of the text, or behind "Reply-To:", each once. */
export function addressesIn(text: string, params: NetworkParameters): string[] {
  const lines = text.split(/\r\n|[\r\n]/).map((line) => line.trim().replace(REPLY_TO, '').trim());
  return [...new Set(lines)].filter((line) => receiversIn(line, params).length > 0);
}

/** None for a text that is no address of the network. */
export function receiversIn(text: string, params: NetworkParameters): string[] {
  try {
    return receiverTexts(text, params);
  } catch (error) {
    if (error instanceof FormatError) return [];
    throw error;
  }
}
