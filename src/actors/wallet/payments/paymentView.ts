// A prepared payment in the form of the response.

import { hexToBytes } from '@wallet-companion/base/bytes';
import { timeText } from '@wallet-companion/base/values';
import type { Disclosure } from '@wallet-companion/pczt/spending';
import { secondsBetween } from '@wallet-companion/zcash/blockTimes';
import { noteKey } from '@wallet-companion/zcash/identifiers';
import type { Output } from '../../../protocol/operations.ts';
import { memoBytesView } from '../noteViews/receivedView.ts';
import type { KeptState, StoredPayment } from '../ports/payment.ts';
import type { AddressBook } from '../session/addressBook.ts';
import { missingIn, type PaymentContext, type PaymentStatus, stateOf } from './paymentState.ts';

type PaymentView = Output<'payments.get'>;

export function paymentView(
  payment: StoredPayment,
  context: PaymentContext,
  book: Pick<AddressBook, 'at'>,
  provingSince?: number,
): PaymentView {
  const state = stateOf(payment, context);
  return {
    payment_id: payment.id,
    account: payment.account,
    status: state.status,
    txid: payment.txid,
    created_at: timeText(payment.createdAt),
    refund_of: payment.refundOf ?? null,
    payments: payment.payments.map(({ place, address, zatoshi, memo }) => ({
      pool: place,
      address,
      contact: book.at(address)?.name ?? null,
      amount_zatoshi: zatoshi,
      memo: memo === null ? null : memoBytesView(hexToBytes(memo)),
    })),
    change: payment.change && {
      pool: payment.change.pool,
      amount_zatoshi: payment.change.zatoshi,
      notes: payment.change.notes ?? 1,
    },
    fee_zatoshi: payment.fee,
    becomes_public: payment.disclosures.map(disclosureView),
    notes: payment.notes.map(({ pool, txid, outputIndex, zatoshi }) => ({
      pool,
      txid,
      output_index: outputIndex,
      value_zatoshi: zatoshi,
    })),
    inputs: (payment.inputs ?? []).map(({ txid, outputIndex, address, zatoshi }) => ({
      txid,
      output_index: outputIndex,
      address,
      value_zatoshi: zatoshi,
    })),
    reserved_zatoshi: state.isReserved ? unspentIn(payment, context) : 0,
    anchor_height: payment.anchorHeight,
    expiry_height: payment.expiryHeight,
    last_height: payment.lastHeight,
    expires_at: state.isReserved ? timeText(expiresAt(payment, context)) : null,
    missing: missingIn(payment, context),
    proving_since: provingSince === undefined ? null : timeText(provingSince),
    waits_for: waitsView(payment, state.status),
    mined_height: 'minedHeight' in state ? state.minedHeight : null,
    confirmations: 'minedHeight' in state ? state.confirmations : 0,
    last_sent: lastSent(payment.state),
  };
}

/** A payment that is over waits for nothing. */
export const waitsView = ({ waitsFor }: StoredPayment, status: PaymentStatus): PaymentView['waits_for'] =>
  waitsFor === undefined || status !== 'prepared'
    ? null
    : { kind: waitsFor.kind, until: waitsFor.kind === 'delay' ? timeText(waitsFor.until) : null };

function lastSent(state: KeptState): PaymentView['last_sent'] {
  const last = state.kind === 'sent' ? state : state.refused;
  if (last === null) return null;
  return {
    at: timeText(last.at),
    source: last.source,
    server: last.server ?? null,
    outcome: 'outcome' in last ? last.outcome : 'refused',
    detail: 'detail' in last ? last.detail : null,
  };
}

/** The value in notes of the balance: a note that was not found again yet during a rescan is in neither. */
const unspentIn = ({ account, notes }: StoredPayment, { noteStore }: PaymentContext): number =>
  notes
    .filter((note) => noteStore.note(noteKey({ ...note, account }))?.spent === null)
    .reduce((sum, { zatoshi }) => sum + zatoshi, 0);

const disclosureView = (disclosure: Disclosure): PaymentView['becomes_public'][number] => ({
  consent: disclosure.consent,
  pool: disclosure.consent === 'crossing_pools' ? disclosure.pool : null,
  address: 'address' in disclosure ? disclosure.address : null,
  amount_zatoshi: disclosure.zatoshi,
});

/**
 * Counted from the last known block, or from the tip at its preparation: the scan height is no better during a rescan, and
 * blocks of test networks may bear the time of another year.
 */
function expiresAt(
  { lastHeight, targetHeight, createdAt }: StoredPayment,
  { noteStore, params, now }: PaymentContext,
): number {
  const top = noteStore.scannedTop();
  const block = top === undefined || top < targetHeight ? undefined : noteStore.block(top);
  const known = block ?? { height: targetHeight - 1, time: 0 };
  const left = secondsBetween(params.activation, known.height, lastHeight);
  return Math.min(now, Math.max(known.time * 1000, createdAt)) + left * 1000;
}
