// Has the user's signer program sign a payment. Its answer is taken as any signer's is.

import { decodePczt, missingOf } from '@wallet-companion/shielded/pczt';
import type { Output } from '../../../protocol/operations.ts';
import type { Session } from '../session/session.ts';
import { changedBy, leftUnsigned, signedNothing } from './paymentErrors.ts';
import type { Payments } from './payments.ts';
import { NOTHING_TAKEN, type Returns } from './returned.ts';
import { signedBy } from './signerAnswer.ts';

export class Signing {
  readonly #payments: Payments;
  readonly #returns: Returns;

  constructor(payments: Payments, returns: Returns) {
    this.#payments = payments;
    this.#returns = returns;
  }

  async sign(session: Session, id: string): Promise<Output<'payments.sign'>> {
    const { payment } = this.#payments.asked('sign', session, id);
    const { pczt } = decodePczt(payment.pczt);
    const { signatures, proofKeys } = missingOf(pczt);
    if (signatures.length + proofKeys.length === 0)
      return this.#returns.view(session, { payment, taken: NOTHING_TAKEN, otherProofs: [], isLate: false });
    const { signer } = this.#payments.environment;
    const done = await this.#returns.takeFrom(session, id, pczt, {
      view: 'signer',
      run: (bytes, stop) => signer.sign(bytes, stop),
      read: (answer) => signedBy(answer, pczt),
      replaceProofs: false,
      refusal: (changes) => changedBy('PCZT_CHANGED', changes),
      unreadable: signedNothing,
    });
    const view = this.#returns.view(session, done);
    if (done.taken.signatures.length + done.taken.proofKeys.length === 0 && !done.isLate)
      throw leftUnsigned();
    return view;
  }
}
