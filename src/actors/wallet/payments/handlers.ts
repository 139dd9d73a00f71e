// Payments for an external signer: prepared, kept, combined, proved, sent; and what any PCZT does.

import type { FeatureHandlers } from '../../../protocol/operations.ts';
import type { WalletContext } from '../walletContext.ts';
import { Broadcasting } from './broadcasting.ts';
import { Inspections } from './inspections.ts';
import { Preparation } from './preparation.ts';
import { Returns } from './returned.ts';

export function paymentHandlers(context: WalletContext): FeatureHandlers<'payments'> {
  const { payments, sessions } = context;
  const inspections = new Inspections(context);
  const preparation = new Preparation(context);
  const returns = new Returns(payments);
  const broadcasting = new Broadcasting(payments);
  return {
    'pczt.inspect': (input) => inspections.inspect(input),
    'payments.prepare': (input) => preparation.prepare(input),
    'payments.list': (input) => payments.list(input),
    'payments.get': (input) => payments.get(input),
    'payments.pczt': (input) => payments.pczt(input),
    'payments.combine': (input) => returns.combine(sessions.use(), input),
    'payments.prove': ({ payment_id }) => returns.prove(sessions.use(), payment_id),
    'payments.broadcast': (input) => broadcasting.broadcast(input),
    'payments.discard': (input) => payments.discard(input),
  };
}
