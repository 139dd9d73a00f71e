// Asks an allowance signer again about payments that wait there, when blocks were scanned: once a delay is over, and each time for
// those that wait for a person. Signatures are taken as after the first call; proving and sending remain the caller's.

import { CompanionError } from '../../../protocol/errors.ts';
import type { StoredPayment } from '../ports/payment.ts';
import type { Session } from '../session/session.ts';
import { stateOf } from './paymentState.ts';
import type { Payments } from './payments.ts';
import type { Signing } from './signing.ts';

export class AskingAgain {
  readonly #payments: Payments;
  readonly #signing: Signing;
  #isAsking = false;

  constructor(payments: Payments, signing: Signing) {
    this.#payments = payments;
    this.#signing = signing;
  }

  /** Blocks were scanned, or a mempool was read. Does not throw: a payment that fails waits on. */
  async look(session: Session): Promise<void> {
    if (this.#isAsking) return;
    this.#isAsking = true;
    try {
      const context = this.#payments.context(session);
      const isDue = (payment: StoredPayment): boolean =>
        isOver(payment, context.now) && stateOf(payment, context).status === 'prepared';
      for (const { id } of session.payments.all().filter(isDue)) await this.#ask(session, id);
    } catch (error) {
      this.#payments.environment.logFault('payments.sign', error);
    } finally {
      this.#isAsking = false;
    }
  }

  async #ask(session: Session, id: string): Promise<void> {
    try {
      await this.#signing.sign(session, id, () => this.#signing.byProgram(session, id));
    } catch (error) {
      if (!(error instanceof CompanionError)) throw error;
    }
  }
}

const isOver = ({ waitsFor }: StoredPayment, now: number): boolean =>
  waitsFor !== undefined && (waitsFor.kind === 'confirmation' || waitsFor.until <= now);
