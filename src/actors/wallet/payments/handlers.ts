// Payments for an external signer: prepared, kept, combined, proved, sent; and what any PCZT does.

import type { FeatureHandlers } from '../../../protocol/operations.ts';
import type { WalletContext } from '../walletContext.ts';
import { Inspections } from './inspections.ts';
import { Preparation } from './preparation.ts';

export function paymentHandlers(context: WalletContext): FeatureHandlers<'payments'> {
  const { payments, paymentTransitions } = context;
  const inspections = new Inspections(context);
  const preparation = new Preparation(context);
  return {
    'pczt.inspect': (input) => inspections.inspect(input),
    'payments.prepare': (input) => paymentTransitions.telling(() => preparation.prepare(input)),
    'payments.list': (input) => payments.list(input),
    'payments.get': (input) => payments.get(input),
    'payments.pczt': (input) => payments.pczt(input),
    'payments.combine': (input) => paymentTransitions.combine(input),
    'payments.prove': (input) => paymentTransitions.prove(input),
    'payments.broadcast': (input) => paymentTransitions.broadcast(input),
    'payments.discard': (input) => paymentTransitions.telling(() => payments.discard(input)),
  };
}
