// An invoice in the form that clients see, and what its state is made from: the notes to its address, mined and unmined.

import {
  blockTimeText,
  type Height,
  timeText,
  timeTextOrNull,
  type Zatoshi,
} from '@wallet-companion/base/values';
import type { TxIdHex } from '@wallet-companion/zcash/identifiers';
import type { Output } from '../../../protocol/operations.ts';
import type { MempoolState } from '../mempool/mempoolWatch.ts';
import type { UnminedNote, UnminedTransaction } from '../mempool/unmined.ts';
import { NOTE_ORDER } from '../noteStore/book/chainOrder.ts';
import { invoiceKey } from '../noteStore/book/noteTables.ts';
import type { NoteStore } from '../noteStore/noteStore.ts';
import { memoView } from '../noteViews/receivedView.ts';
import { confirmationTop } from '../noteViews/views.ts';
import type { PaymentContext } from '../payments/paymentState.ts';
import type { InvoicePrice, StoredInvoice } from '../ports/invoice.ts';
import type { StoredPayment } from '../ports/payment.ts';
import type { StoredNote } from '../ports/storedNote.ts';
import { addressKey } from './invoiceBook.ts';
import { announcedName, type InvoiceState, invoiceState, type MinedPayment } from './invoiceState.ts';
import { addressesIn, type Refund, refundedIn, refundsOf, refundView, settledIn } from './refunds.ts';

export type InvoiceView = Output<'invoices.get'>;

const MOST_PAYMENTS = 100;

export interface UnminedPayment extends UnminedNote {
  readonly txid: TxIdHex;
}

/** What all invoices are evaluated by at one time. */
export interface Snapshot {
  readonly noteStore: NoteStore;
  readonly top: Height;
  readonly now: number;
  /** By the invoice's address; null where the mempool was not looked at. */
  readonly unmined: ReadonlyMap<string, readonly UnminedPayment[]> | null;
  readonly payments: PaymentContext;
  /** The payments that the wallet keeps and that refund an invoice, by its id. */
  readonly refunding: ReadonlyMap<string, readonly StoredPayment[]>;
}

export const snapshotOf = (
  payments: PaymentContext,
  { book, lookedAt }: MempoolState,
  kept: readonly StoredPayment[],
): Snapshot => ({
  noteStore: payments.noteStore,
  top: confirmationTop(payments.noteStore),
  now: payments.now,
  unmined: lookedAt === null ? null : unminedByInvoice(book.unmined),
  payments,
  refunding: refundsByInvoice(kept),
});

function refundsByInvoice(payments: readonly StoredPayment[]): Map<string, StoredPayment[]> {
  const byInvoice = new Map<string, StoredPayment[]>();
  for (const payment of payments) {
    const { refundOf: id } = payment;
    if (id !== undefined) byInvoice.set(id, [...(byInvoice.get(id) ?? []), payment]);
  }
  return byInvoice;
}

function unminedByInvoice(transactions: readonly UnminedTransaction[]): Map<string, UnminedPayment[]> {
  const byInvoice = new Map<string, UnminedPayment[]>();
  for (const { txid, notes } of transactions) {
    for (const note of notes) {
      const key = invoiceKey(note);
      if (key === undefined) continue;
      byInvoice.set(key, [...(byInvoice.get(key) ?? []), { ...note, txid }]);
    }
  }
  return byInvoice;
}

/** An invoice with its payments, by a snapshot. */
export interface Evaluation {
  readonly row: StoredInvoice;
  /** The oldest first. */
  readonly mined: readonly (StoredNote & MinedPayment)[];
  readonly unmined: readonly UnminedPayment[];
  /** The height of the last change, and the blocks of its payments, are scanned. */
  readonly isKnown: boolean;
  readonly state: InvoiceState;
  /** The earliest first. */
  readonly refunds: readonly Refund[];
  /** What may be given back in all. */
  readonly settled: Zatoshi;
}

const isScannedAgain = ({ account, announced }: StoredInvoice, { noteStore, top }: Snapshot): boolean =>
  top >= announced.top && announced.heights.every((height) => noteStore.isScannedFor(account, height));

export function evaluate(row: StoredInvoice, snapshot: Snapshot): Evaluation {
  const { noteStore, top, now } = snapshot;
  const key = addressKey(row);
  const marked = new Set(row.requireVerified ? row.announced.fingerprint.split(' ') : []);
  const mined = noteStore.tables.notes
    .paidTo(key)
    .filter(({ value }) => value > 0)
    .toSorted((a, b) => NOTE_ORDER.compare(b, a))
    .map((note) => ({
      ...note,
      time: noteStore.transaction(note.txid)?.time ?? 0,
      verifiedWith: noteStore.verifiedAt(note.height),
      wasVerified: marked.has(announcedName(note)),
    }));
  const unmined = (snapshot.unmined?.get(key) ?? []).filter(({ value }) => value > 0);
  const values = unmined.map(({ value }) => value);
  // While the blocks of the payments are scanned again, nobody knows whether one was taken back.
  const isKnown = isScannedAgain(row, snapshot);
  const asked = isKnown ? row : { ...row, announced: { peak: 0 } };
  return {
    row,
    mined,
    unmined,
    isKnown,
    state: invoiceState(asked, mined, values, { top, now }),
    refunds: refundsOf(row, snapshot.refunding.get(row.id) ?? [], snapshot.payments),
    settled: settledIn(row, mined, top),
  };
}

const priceView = (price: InvoicePrice | undefined): InvoiceView['price'] =>
  price === undefined
    ? null
    : {
        currency: price.currency,
        value: price.value,
        rate: price.rate,
        rate_time: timeText(price.rateTime),
        source: price.source,
      };

/** `memos`: whether those of the payments are in it, and the addresses that they name. */
export function invoiceView(
  { row, mined, unmined, state, refunds, settled }: Evaluation,
  snapshot: Snapshot,
  memos: 'with' | 'without' = 'with',
): InvoiceView {
  const paymentView = (
    note: UnminedPayment,
    block: Pick<MinedPayment, 'height' | 'time' | 'verifiedWith'> | null,
  ) => {
    const memo = memoView(note.memo);
    return {
      txid: note.txid,
      pool: note.pool,
      output_index: note.outputIndex,
      height: block?.height ?? null,
      time: block && blockTimeText(block.time),
      amount_zatoshi: note.value,
      verified_with: block?.verifiedWith ?? null,
      ...(memos === 'with' && {
        memo,
        refund_addresses: addressesIn(memo?.text ?? '', snapshot.payments.params),
      }),
    };
  };
  return {
    invoice_id: row.id,
    account: row.account,
    reference: row.reference,
    state: state.state,
    exception: state.exception,
    amount_zatoshi: row.amount,
    price: priceView(row.price),
    received_zatoshi: state.received,
    unmined_zatoshi: snapshot.unmined === null ? null : state.unmined,
    confirmations: state.confirmations,
    required_confirmations: row.confirmations,
    require_verified: row.requireVerified === true,
    verified_with: mined.some(({ verifiedWith }) => verifiedWith === null)
      ? null
      : (mined[0]?.verifiedWith ?? null),
    address: row.address,
    diversifier_index: row.diversifierIndex,
    uri: row.uri,
    label: row.label,
    memo: row.memo,
    metadata: row.metadata,
    grant_id: row.grant ?? null,
    created_at: timeText(row.createdAt),
    expires_at: timeText(row.expiresAt),
    cancelled_at: timeTextOrNull(row.cancelledAt),
    changed_at: timeText(row.announced.at),
    sequence: row.announced.sequence,
    payments: [
      ...mined.map((note) => paymentView(note, note)),
      ...unmined.map((note) => paymentView(note, null)),
    ].slice(-MOST_PAYMENTS),
    refunds: refunds.map(refundView),
    refunded_zatoshi: refundedIn(refunds),
    refundable_zatoshi: Math.max(0, settled - refundedIn(refunds)),
  };
}
