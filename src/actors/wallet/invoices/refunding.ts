// Refunds: what an invoice received goes back to an address that a person named, at most once. Each is a payment like any other,
// prepared, signed and sent as they are; what is refundable is looked at before, when it is kept, and when it first leaves.

import type { NetworkParameters } from '@wallet-companion/zcash/network';
import { badField, CompanionError } from '../../../protocol/errors.ts';
import type { CallingGrant } from '../../../protocol/grants.ts';
import type { Input } from '../../../protocol/operations.ts';
import { memoView } from '../noteViews/receivedView.ts';
import { amountOf, type RefundRequest } from '../payments/request.ts';
import { zec } from '../payments/spendingErrors.ts';
import type { StoredPayment } from '../ports/payment.ts';
import type { Session } from '../session/session.ts';
import type { Invoices, InvoicesContext } from './invoices.ts';
import type { Evaluation } from './invoiceView.ts';
import { addressesIn, receiversIn, refundedIn } from './refunds.ts';

/** Each stays with its invoice for ever. */
const MAX_REFUNDS = 100;

type RefundInput = Input<'payments.refund'>;

export const refundRequest =
  ({ sessions, invoices, params }: InvoicesContext): RefundRequest =>
  ({ invoice_id: invoiceId, amount, zatoshi: typed, confirmed, ...payee }, grant) => {
    const session = sessions.use();
    const evaluation = invoices.evaluation(session, invoiceId);
    const zatoshi = refundableAmount(evaluation, amountOf({ amount, zatoshi: typed }));
    requireAgreed(evaluation, { ...payee, confirmed }, params, grant);
    return {
      input: { ...payee, account: evaluation.row.account, zatoshi },
      refunding: {
        invoiceId,
        check: () => void refundableAmount(invoices.evaluation(session, invoiceId), zatoshi),
      },
    };
  };

function unsettledText({ confirmations: wanted }: Evaluation['row'], state: Evaluation['state']): string {
  if (state.received === 0) return 'Nothing has come for the invoice that could be refunded.';
  if (state.confirmations < wanted)
    return `What came for the invoice is not settled yet: it has ${state.confirmations} of ${wanted} confirmations. Wait for it.`;
  return 'What came for the invoice lacks the mark that it demands: no node has shown it yet. Scan from a node.';
}

/** Default: all that is left. */
function refundableAmount({ row, refunds, settled, state }: Evaluation, wanted?: number): number {
  if (settled === 0) throw new CompanionError('INVOICE_STATE', unsettledText(row, state));
  const refunded = refundedIn(refunds);
  const left = settled - refunded;
  const zatoshi = wanted ?? left;
  if (left <= 0 || zatoshi > left) throw tooMuch(zatoshi, settled, refunded);
  if (zatoshi === 0) throw badField('amount', 'must be more than nothing');
  if (refunds.length >= MAX_REFUNDS)
    throw new CompanionError(
      'INVOICE_STATE',
      `${MAX_REFUNDS} refunds were prepared for the invoice, and that is the most.`,
    );
  return zatoshi;
}

const tooMuch = (zatoshi: number, settled: number, refunded: number): CompanionError =>
  refunded === 0
    ? badField(
        'amount',
        `is more than the ${zec(settled)} that came`,
        `A refund gives back at most the ${zec(settled)} that came for the invoice, and ${zec(zatoshi)} is more; the fee is added to it.`,
      )
    : new CompanionError(
        'ALREADY_REFUNDED',
        `Of the ${zec(settled)} that came for the invoice, ${zec(refunded)} were refunded or are on their way: ${zec(Math.max(0, settled - refunded))} can still be refunded.`,
      );

/** Whoever pays writes the memo, also of what is not mined yet: nothing goes to an address in it that nobody has looked at. */
function requireAgreed(
  { mined, unmined }: Evaluation,
  { address, contact, confirmed = false }: Pick<RefundInput, 'address' | 'contact' | 'confirmed'>,
  params: NetworkParameters,
  grant: CallingGrant | undefined,
): void {
  const written = new Set(
    [...mined, ...unmined].flatMap(({ memo }) => addressesIn(memoView(memo)?.text ?? '', params)),
  );
  if (address === undefined && contact === undefined) {
    const where =
      written.size === 0
        ? ''
        : `: the memo of what came names ${[...written].join(' and ')}; have a person agree to it`;
    throw badField('address', `or contact is needed${where}`);
  }
  if (address === undefined || confirmed || grant?.limits.payees?.includes(address)) return;
  // The same receivers have other texts: in capitals, or beside other receivers.
  const receivers = new Set([...written].flatMap((text) => receiversIn(text, params)));
  if (!receiversIn(address, params).some((one) => receivers.has(one))) return;
  throw badField(
    'confirmed',
    'is needed for an address that stands in a memo',
    `The memo of what came names the address ${address}, and anybody may write a memo: have a person agree to it, and say so with confirmed.`,
  );
}

/** Before a refund leaves for the first time. Throws `INVOICE_STATE` and `ALREADY_REFUNDED`. */
export function requireCovered(invoices: Invoices, session: Session, { id, refundOf }: StoredPayment): void {
  if (refundOf === undefined) return;
  const { settled, refunds } = invoices.evaluation(session, refundOf);
  const refunded = refundedIn(refunds);
  if (refunded <= settled) return;
  const others = refundedIn(refunds.filter(({ record }) => record.id !== id));
  const own = refunded - others;
  if (own <= settled) throw tooMuch(own, settled, others);
  throw new CompanionError(
    'INVOICE_STATE',
    `What the payment refunds is not on the chain any more, or not as deep as the invoice asks: ${zec(settled)} are. Sync, and wait for it; or discard the refund.`,
  );
}
