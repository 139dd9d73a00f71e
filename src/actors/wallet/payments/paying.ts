// One call that pays: prepares, has signed and proved, and sends. Its idempotency key is kept in the write that keeps the payment, so
// the key has no payment or this one, whatever ends the call: a repeated one goes on at the first step that is not done.

import { SerialQueue } from '@wallet-companion/base/async';
import { timeText } from '@wallet-companion/base/values';
import { decodePczt } from '@wallet-companion/pczt/pczt';
import { CompanionError } from '../../../protocol/errors.ts';
import { mayHave } from '../../../protocol/grants.ts';
import type { Caller, HandledInput, Output } from '../../../protocol/operations.ts';
import type { KeyedPayment } from '../ports/payment.ts';
import type { Session } from '../session/session.ts';
import { incomplete, keyInUse } from './paymentErrors.ts';
import { type PaymentStatus, stateOf, stateOfGone } from './paymentState.ts';
import { waitsView } from './paymentView.ts';
import type { Preparation } from './preparation.ts';
import type { SpendingContext } from './proposalContext.ts';
import type { Proving } from './proving.ts';
import { contentDigest } from './request.ts';
import type { SignerDoor } from './signerDoor.ts';

type PayInput = HandledInput<'payments.pay'>;
type Step = 'sign' | 'prove' | 'send';

/** In these something is left to do. */
const OPEN: readonly PaymentStatus[] = ['prepared', 'complete', 'sent'];

export interface PayingSteps {
  readonly preparation: Preparation;
  readonly signers: SignerDoor;
  readonly proving: Proving;
}

export class Paying {
  readonly #context: SpendingContext;
  readonly #steps: PayingSteps;
  /** By key: of two calls at once, the second waits and then finds what the first has made. */
  readonly #turns = new Map<string, { readonly queue: SerialQueue; calls: number }>();

  constructor(context: SpendingContext, steps: PayingSteps) {
    this.#context = context;
    this.#steps = steps;
  }

  /**
   * Returns when the network has taken the payment, or how it stands where nothing is left to do. What stops it once it is
   * kept is thrown with `stoppedAt`. Throws `IDEMPOTENCY_KEY_IN_USE` where the key is that of another payment.
   */
  pay(input: PayInput, caller: Caller): Promise<Output<'payments.pay'>> {
    const digest = contentDigest(input);
    return this.#inTurn(input.idempotency_key, async () => {
      const { sessions } = this.#context;
      const found = sessions.use(input.account).payments.keyed(input.idempotency_key);
      if (found === undefined) await this.#begin(input, caller, digest);
      else if (found.digest !== digest || !mayHave('payment', caller.grant, found.payment.grant))
        throw keyInUse();
      const session = sessions.use(input.account);
      const keyed = session.payments.keyed(input.idempotency_key)!;
      if (keyed.last === null) await this.#goOn(session, keyed.payment.id, input, caller);
      return this.#view(session, keyed, found !== undefined);
    });
  }

  async #inTurn<T>(key: string, work: () => Promise<T>): Promise<T> {
    const turn = this.#turns.get(key) ?? { queue: new SerialQueue(), calls: 0 };
    this.#turns.set(key, turn);
    turn.calls += 1;
    try {
      return await turn.queue.run(work);
    } finally {
      turn.calls -= 1;
      if (turn.calls === 0) this.#turns.delete(key);
    }
  }

  /** Reserves no notes for a payment that the caller cannot have signed. */
  async #begin(input: PayInput, caller: Caller, digest: string): Promise<void> {
    const { preparation, signers } = this.#steps;
    signers.requireSigner(this.#context.sessions.use(input.account), input, caller);
    const { password: _, ...order } = input;
    await preparation.prepare(order, caller.grant, { key: { key: input.idempotency_key, digest } });
  }

  async #goOn(session: Session, id: string, input: PayInput, caller: Caller): Promise<void> {
    let step: Step = 'sign';
    const { signer, password, source } = input;
    const { broadcasting, payments, environment } = this.#context;
    try {
      if (this.#status(session, id) === 'prepared') {
        const { txid } = session.payments.get(id);
        const signed = await this.#steps.signers.sign({ payment_id: id, txid, signer, password }, caller);
        if (signed.waits_for !== null) return;
        // A signer may have some of the keys alone.
        if (signed.missing.some(({ signatures }) => signatures > 0)) throw this.#unsigned(session, id);
        step = 'prove';
        await this.#steps.proving.prove(session, { payment_id: id, source });
      }
      step = 'send';
      const { state } = session.payments.get(id);
      const isTaken = state.kind === 'sent' && state.outcome === 'accepted';
      // The call names where blocks come from, which may be no place to send to.
      const by = environment.configFile.get().broadcast === 'source' && source ? { source } : undefined;
      if (OPEN.includes(this.#status(session, id)) && !isTaken) await broadcasting.send(session, id, by);
    } catch (error) {
      if (!(error instanceof CompanionError)) throw error;
      payments.requireOpen(session);
      // It came to its end meanwhile.
      if (error.code === 'PAYMENT_STATE' && !OPEN.includes(this.#status(session, id))) return;
      throw error.stopped({ payment_id: id, step });
    }
  }

  #unsigned(session: Session, id: string): CompanionError {
    const { pczt, account } = session.payments.get(id);
    return incomplete(decodePczt(pczt).pczt, account);
  }

  #status(session: Session, id: string): PaymentStatus {
    return stateOf(session.payments.get(id), this.#context.payments.context(session)).status;
  }

  #view(session: Session, { payment, last }: KeyedPayment, repeated: boolean): Output<'payments.pay'> {
    const context = this.#context.payments.context(session);
    const state =
      last === null
        ? stateOf(session.payments.get(payment.id), context)
        : stateOfGone({ payment, last }, context);
    const mined = state.status === 'mined' || state.status === 'confirmed' ? state : undefined;
    return {
      payment_id: payment.id,
      account: payment.account,
      status: state.status,
      txid: payment.txid,
      created_at: timeText(payment.createdAt),
      fee_zatoshi: payment.fee,
      waits_for: last === null ? waitsView(session.payments.get(payment.id), state.status) : null,
      mined_height: mined?.minedHeight ?? null,
      confirmations: mined?.confirmations ?? 0,
      repeated,
      kept: last === null,
    };
  }
}
