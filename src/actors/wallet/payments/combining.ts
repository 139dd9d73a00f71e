// Takes signatures and proofs from a PCZT that came back.

import { decodePczt } from '@wallet-companion/shielded/pczt';
import type { Input, Output } from '../../../protocol/operations.ts';
import type { Session } from '../session/session.ts';
import { changedBy, type Merging, type TakenFor } from './merging.ts';
import { type PaymentViewContext, paymentView } from './paymentView.ts';
import { unreadablePczt } from './unreadablePczt.ts';

export async function combine(
  session: Session,
  merging: Merging,
  { payment_id: id, pczt, replace_proofs }: Input<'payments.combine'>,
  context: (session: Session) => PaymentViewContext,
): Promise<Output<'payments.combine'>> {
  const done = await merging.take(session, id, () => decodePczt(Buffer.from(pczt, 'base64')).pczt, {
    replaceProofs: replace_proofs ?? false,
    refusal: (changes) => changedBy('PCZT_CHANGED', changes),
    unreadable: unreadablePczt,
  });
  const view = paymentView(done.payment, context(session));
  const { signatures, proofs } = done.taken;
  return {
    ...view,
    signatures_added: signatures.length,
    proofs_added: proofs.length,
    left_out: leftOut(done),
  };
}

function leftOut({ otherProofs, isLate }: TakenFor): string[] {
  if (isLate) return ['everything: the payment was sent, and nothing of it is changed any more'];
  return otherProofs.map(
    ({ field }) => `another proof of ${field}, which has one: replace_proofs takes it in its place`,
  );
}
