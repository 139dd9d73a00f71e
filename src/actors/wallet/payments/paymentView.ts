// A prepared payment in the form of the response.

import { secondsBetween } from '@wallet-companion/shielded/blockTimes';
import { hexToBytes, wipe } from '@wallet-companion/shielded/bytes';
import type { NetworkParameters } from '@wallet-companion/shielded/network';
import type { Disclosure } from '@wallet-companion/shielded/spending';
import type { Output } from '../../../protocol/operations.ts';
import { timeText, timeTextOrNull } from '../../../protocol/timeText.ts';
import { memoBytesView } from '../notes/memoView.ts';
import type { NoteStore } from '../notes/noteStore.ts';
import type { StoredPayment } from '../ports/payment.ts';
import type { MissingPart } from './missingParts.ts';
import { type PaymentContext, type PaymentState, stateOf } from './paymentState.ts';

export type PaymentView = Output<'payments.get'>;

export interface PaymentViewContext extends PaymentContext {
  readonly noteStore: PaymentContext['noteStore'] & Pick<NoteStore, 'block'>;
  readonly params: NetworkParameters;
  /** Milliseconds since 1970. */
  readonly now: number;
}

export function paymentView(payment: StoredPayment, context: PaymentViewContext): PaymentView {
  const state = stateOf(payment, context);
  return {
    payment_id: payment.id,
    account: payment.account,
    status: state.status,
    txid: payment.txid,
    created_at: timeText(payment.createdAt),
    payments: payment.payments.map(({ place, address, zatoshi, memo }) => ({
      pool: place,
      address,
      amount_zatoshi: zatoshi,
      memo: memo === null ? null : shownMemo(memo),
    })),
    change: payment.change && { pool: payment.change.pool, amount_zatoshi: payment.change.zatoshi },
    fee_zatoshi: payment.fee,
    becomes_public: payment.disclosures.map(disclosureView),
    notes: payment.notes.map(({ pool, txid, outputIndex, zatoshi }) => ({
      pool,
      txid,
      output_index: outputIndex,
      value_zatoshi: zatoshi,
    })),
    reserved_zatoshi: state.reserved,
    anchor_height: payment.anchorHeight,
    expiry_height: payment.expiryHeight,
    last_height: payment.lastHeight,
    expires_at: timeTextOrNull(expiresAt(payment, state, context)),
    missing: state.missing.map(missingView),
    mined_height: state.minedHeight,
    confirmations: state.confirmations,
    last_sent: payment.sent && {
      at: timeText(payment.sent.at),
      source: payment.sent.source,
      outcome: payment.sent.outcome,
      detail: payment.sent.detail,
    },
  };
}

function shownMemo(hex: string) {
  const bytes = hexToBytes(hex);
  try {
    return memoBytesView(bytes);
  } finally {
    wipe(bytes);
  }
}

const disclosureView = (disclosure: Disclosure): PaymentView['becomes_public'][number] => ({
  consent: disclosure.consent,
  pool: disclosure.consent === 'crossing_pools' ? disclosure.pool : null,
  address: disclosure.consent === 'transparent_recipients' ? disclosure.address : null,
  amount_zatoshi: disclosure.zatoshi,
});

const missingView = ({ pool, signatures, proofs, signerKeys }: MissingPart) => ({
  pool,
  signatures,
  proofs,
  signer_keys: signerKeys,
});

/**
 * Counted from the last known block, or from the tip at its preparation: the scan height is no better during a rescan, and
 * blocks of test networks may bear the time of another year.
 */
function expiresAt(
  { lastHeight, targetHeight, createdAt }: StoredPayment,
  { isReserved }: PaymentState,
  { noteStore, params, now }: PaymentViewContext,
): number | null {
  if (!isReserved) return null;
  const top = noteStore.scannedTop();
  const block = top === undefined || top < targetHeight ? undefined : noteStore.block(top);
  const known = block ?? { height: targetHeight - 1, time: 0 };
  const left = secondsBetween(params.activation, known.height, lastHeight);
  return Math.min(now, Math.max(known.time * 1000, createdAt)) + left * 1000;
}
