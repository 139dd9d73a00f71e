// Has the user's prover make the proofs that a payment lacks. The prover gets only what it needs, and its answer is
// compared with the kept PCZT like any other return: it adds proofs, or nothing.

import { decodePczt, encodePczt, missingOf, oldestEncoding } from '@wallet-companion/shielded/pczt';
import { redactPczt } from '@wallet-companion/shielded/pcztRoles';
import type { Output } from '../../../protocol/operations.ts';
import type { Prover } from '../ports/prover.ts';
import type { Session } from '../session/session.ts';
import { changedBy, type Merging } from './merging.ts';
import { failed, leftProofsOut, needsSigner, refuseOver, refuseSent } from './paymentErrors.ts';
import { statusOf } from './paymentState.ts';
import { type PaymentViewContext, paymentView } from './paymentView.ts';

const WHO = 'The prover';

export interface ProvingEnvironment {
  readonly prover: Prover;
}

export async function prove(
  session: Session,
  id: string,
  { prover }: ProvingEnvironment,
  merging: Merging,
  context: (session: Session) => PaymentViewContext,
): Promise<Output<'payments.prove'>> {
  const payment = session.payments.get(id);
  const status = statusOf(payment, context(session));
  refuseOver(payment, status);
  const { pczt } = decodePczt(payment.pczt);
  const { proofs, proofKeys } = missingOf(pczt);
  if (proofs.length === 0) return { ...paymentView(payment, context(session)), proofs_added: 0 };
  refuseSent(status);
  if (proofKeys.length > 0) throw needsSigner(proofKeys.length);
  const asked = redactPczt(pczt, 'prover');
  const bytes = Uint8Array.from(encodePczt(asked, oldestEncoding(asked)));
  const answer = await prover.prove(bytes, new AbortController().signal);
  try {
    const { payment: proved, taken } = await merging.take(session, id, () => decodePczt(answer).pczt, {
      refusal: (changes) => changedBy('PROVER_FAILED', changes, WHO),
      unreadable: () => failed('wrote something that is no PCZT'),
    });
    const around = context(session);
    if (missingOf(decodePczt(proved.pczt).pczt).proofs.length > 0) throw leftProofsOut();
    return { ...paymentView(proved, around), proofs_added: taken.proofs.length };
  } finally {
    answer.fill(0);
  }
}
