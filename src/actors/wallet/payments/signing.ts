// Has a payment signed, by the user's signer program or another signer. Its answer is taken as any signer's is.

import { decodePczt, missingOf } from '@wallet-companion/pczt/pczt';
import { CompanionError } from '../../../protocol/errors.ts';
import type { Output } from '../../../protocol/operations.ts';
import type { StoredPayment, WaitsFor } from '../ports/payment.ts';
import type { Session } from '../session/session.ts';
import { changedBy, leftUnsigned, signedNothing } from './paymentErrors.ts';
import { waiting } from './paymentState.ts';
import { anchorAnew, type Reanchoring } from './reanchoring.ts';
import { NOTHING_TAKEN, type Returns, type TakenFor } from './returned.ts';
import { readSignerAnswer, SignerWaits } from './signerAnswer.ts';

export class Signing {
  readonly #context: Reanchoring;
  readonly #returns: Returns;

  constructor(context: Reanchoring, returns: Returns) {
    this.#context = context;
    this.#returns = returns;
  }

  /** `signer` is called where a signature or proof key is missing. */
  async sign(
    session: Session,
    id: string,
    signer: () => Promise<TakenFor>,
  ): Promise<Output<'payments.sign'>> {
    const { payment } = this.#context.payments.request(session, id, 'sign');
    if (!lacksSigner(payment))
      return this.#returns.view(session, {
        payment,
        taken: NOTHING_TAKEN,
        otherProofs: [],
        lostProofs: [],
        isLate: false,
      });
    const done = await signer();
    const view = this.#returns.view(session, done);
    const { signatures, proofKeys } = done.taken;
    // Another call may have had it signed meanwhile.
    const isUnsigned = signatures.length + proofKeys.length === 0 && lacksSigner(done.payment);
    if (isUnsigned && !done.isLate && done.payment.waitsFor === undefined) throw leftUnsigned();
    return view;
  }

  async byProgram(session: Session, id: string): Promise<TakenFor> {
    const { pczt } = decodePczt((await anchorAnew(this.#context, 'pczt', session, id)).pczt);
    const { signer } = this.#context.payments.environment;
    try {
      return await this.#returns.takeFrom(session, id, pczt, {
        view: 'signer',
        run: (bytes, stop) => signer.sign(bytes, stop),
        read: (answer) => readSignerAnswer(answer, pczt),
        replaceProofs: false,
        refusal: (changes) => changedBy('PCZT_CHANGED', changes),
        unreadable: signedNothing,
      });
    } catch (error) {
      if (error instanceof SignerWaits) return this.#waits(session, id, error.for);
      // It waits no longer.
      if (error instanceof CompanionError && error.code === 'ALLOWANCE_LIMIT') await this.#waits(session, id);
      throw error;
    }
  }

  async #waits(session: Session, id: string, waitsFor?: WaitsFor): Promise<TakenFor> {
    const { payment } = await this.#context.payments.change(
      session,
      id,
      'sign',
      ({ payment: now, reaction }) => ({
        payment: reaction === 'same' || isSameValue(now.waitsFor, waitsFor) ? now : waiting(now, waitsFor),
      }),
    );
    return { payment, taken: NOTHING_TAKEN, otherProofs: [], lostProofs: [], isLate: false };
  }
}

const isSameValue = (one: WaitsFor | undefined, other: WaitsFor | undefined): boolean =>
  JSON.stringify(one) === JSON.stringify(other);

const lacksSigner = ({ pczt }: StoredPayment): boolean => {
  const { signatures, proofKeys } = missingOf(decodePczt(pczt).pczt);
  return signatures.length + proofKeys.length > 0;
};
