// Payments: in one call, or prepared, kept, combined, signed, proved, sent by one call each; and what any PCZT does.

import type { FeatureHandlers } from '../../../protocol/operations.ts';
import { Batches } from './batches.ts';
import { handOut } from './handedOut.ts';
import { Inspections } from './inspections.ts';
import { Paying } from './paying.ts';
import { Preparation } from './preparation.ts';
import type { SpendingContext } from './proposalContext.ts';
import { Proving } from './proving.ts';
import { checkedReceipt, receiptsFor } from './receipts.ts';
import { SignerDoor } from './signerDoor.ts';

export function paymentHandlers(context: SpendingContext): FeatureHandlers<'payments'> {
  const { broadcasting, payments, returns, sessions } = context;
  const inspections = new Inspections(context);
  const preparation = new Preparation(context);
  const batches = new Batches(context, returns);
  const proving = new Proving(context, returns);
  const signers = new SignerDoor(context);
  const paying = new Paying(context, { preparation, signers, proving });
  return {
    'pczt.inspect': (input) => inspections.inspect(input),
    'payments.pay': (input, caller) => paying.pay(input, caller),
    'payments.prepare': (input, { grant }) => preparation.prepare(input, grant),
    'payments.shield': (input, { grant }) => preparation.shield(input, grant),
    'payments.refund': async (input, { grant }) => {
      const { input: payment, refunding } = context.refundRequest(input, grant);
      return preparation.prepare(payment, grant, { refunding });
    },
    'payments.list': (input, { grant }) => payments.list(input, grant),
    'payments.get': (input) => payments.get(input),
    'payments.pczt': (input) => handOut(context, input),
    'payments.combine': (input) => returns.combine(sessions.use(), input),
    'payments.batch': (input) => batches.batch(input),
    'payments.combine_batch': (input) => batches.combine(input),
    'payments.sign': (input, caller) => signers.sign(input, caller),
    'payments.prove': (input) => proving.prove(sessions.use(), input),
    'payments.broadcast': (input) => broadcasting.broadcast(input),
    'payments.discard': (input) => payments.discard(input),
    'receipts.create': (input) => receiptsFor(context, input),
    'receipts.verify': (input) => checkedReceipt(context, input),
  };
}
