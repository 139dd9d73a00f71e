// Payments for an external signer: prepared, kept, combined, signed by a program, proved, sent; and what any PCZT does.

import type { CallingGrant } from '../../../protocol/grants.ts';
import type { FeatureHandlers } from '../../../protocol/operations.ts';
import type { WalletContext } from '../walletContext.ts';
import { Batches } from './batches.ts';
import { requireOwnPayment } from './grantLimits.ts';
import { handedOut } from './handedOut.ts';
import { Inspections } from './inspections.ts';
import { Preparation } from './preparation.ts';
import { Proving } from './proving.ts';
import { Returns } from './returned.ts';
import { Signing } from './signing.ts';

export function paymentHandlers(context: WalletContext): FeatureHandlers<'payments'> {
  const { broadcasting, payments, sessions } = context;
  const inspections = new Inspections(context);
  const preparation = new Preparation(context);
  const returns = new Returns(payments);
  const batches = new Batches(context, returns);
  const proving = new Proving(context, returns);
  const signing = new Signing(context, returns);
  /** A grant with limits has to do with its own payments alone. Throws `GRANT_LIMIT`. */
  const requireOwn = (grant: CallingGrant | undefined, ...ids: readonly string[]): void => {
    if (grant === undefined) return;
    const book = sessions.use().payments;
    for (const id of ids) requireOwnPayment(grant, book.get(id));
  };
  return {
    'pczt.inspect': (input) => inspections.inspect(input),
    'payments.prepare': (input, { grant }) => preparation.prepare(input, grant),
    'payments.shield': (input, { grant }) => preparation.shield(input, grant),
    'payments.list': (input, { grant }) => payments.list(input, grant),
    'payments.get': (input, { grant }) => {
      requireOwn(grant, input.payment_id);
      return payments.get(input);
    },
    'payments.pczt': (input, { grant }) => {
      requireOwn(grant, input.payment_id);
      return handedOut(context, input);
    },
    'payments.combine': (input, { grant }) => {
      requireOwn(grant, input.payment_id);
      return returns.combine(sessions.use(), input);
    },
    'payments.batch': (input, { grant }) => {
      requireOwn(grant, ...input.payment_ids);
      return batches.batch(input);
    },
    'payments.combine_batch': (input, { grant }) => {
      requireOwn(grant, ...input.payment_ids);
      return batches.combine(input);
    },
    'payments.sign': ({ payment_id }, { grant }) => {
      requireOwn(grant, payment_id);
      return signing.sign(sessions.use(), payment_id);
    },
    'payments.prove': (input, { grant }) => {
      requireOwn(grant, input.payment_id);
      return proving.prove(sessions.use(), input);
    },
    'payments.broadcast': (input, caller) => broadcasting.broadcast(input, caller),
    'payments.discard': (input, { grant }) => {
      requireOwn(grant, input.payment_id);
      return payments.discard(input);
    },
  };
}
