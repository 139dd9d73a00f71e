// Takes into a payment what a signer or the prover has added, and nothing else: the returned PCZT is compared with the
// kept one in steps, between which the thread answers other calls, and the result is durable before any response or event.

import { FormatError } from '@wallet-companion/shielded/bytes';
import {
  type At,
  decodePczt,
  encodePczt,
  isComplete,
  isNothingNew,
  type Pczt,
  type ReturnChange,
  sentenceOf,
  type Taken,
  takingReturned,
} from '@wallet-companion/shielded/pczt';
import { extractPczt } from '@wallet-companion/shielded/pcztRoles';
import type { RandomBytes } from '@wallet-companion/shielded/signing';
import { inSteps } from '../../../async/inSteps.ts';
import { ShortQueue } from '../../../async/shortQueue.ts';
import { CompanionError } from '../../../protocol/errors.ts';
import type { StoredPayment } from '../ports/payment.ts';
import type { Session } from '../session/session.ts';
import type { Sessions } from '../session/sessions.ts';
import { MAX_FIELDS, problemFields, refuseOver } from './paymentErrors.ts';
import { type PaymentContext, statusOf, wasSent } from './paymentState.ts';

/** A large PCZT takes seconds, and a caller does not wait for many. */
const MAX_WAITING = 16;

export interface MergingEnvironment {
  readonly randomBytes: RandomBytes;
}

export interface MergingOptions {
  readonly replaceProofs?: boolean;
  /** The error, with the right code, for changes that a return made. */
  readonly refusal: (changes: readonly ReturnChange[]) => CompanionError;
  /** The error for a return that cannot be read. */
  readonly unreadable: (error: FormatError) => CompanionError;
}

export interface TakenFor {
  readonly payment: StoredPayment;
  /** What this return added. */
  readonly taken: Taken;
  /** Fields for which another proof came than the kept one, which stayed. */
  readonly otherProofs: readonly At[];
  /** The payment was sent, so nothing in it is changed any more. */
  readonly isLate: boolean;
}

const NOTHING: Taken = { signatures: [], proofs: [], proofKeys: [] };

export class Merging {
  readonly #environment: MergingEnvironment;
  readonly #sessions: Pick<Sessions, 'current' | 'exclusive'>;
  readonly #context: (session: Session) => PaymentContext;
  readonly #turns = new ShortQueue(MAX_WAITING);

  constructor(
    environment: MergingEnvironment,
    sessions: Pick<Sessions, 'current' | 'exclusive'>,
    context: (session: Session) => PaymentContext,
  ) {
    this.#environment = environment;
    this.#sessions = sessions;
    this.#context = context;
  }

  /** `read` may throw; it is called when its turn has come. Payments are changed one at a time. */
  async take(session: Session, id: string, read: () => Pczt, options: MergingOptions): Promise<TakenFor> {
    this.#current(session, id);
    if (this.#turns.isFull)
      throw new CompanionError('BUSY', 'Other PCZTs are being looked into; try again in a moment.');
    try {
      return await this.#turns.run(async () => {
        const theirs = read();
        for (;;) {
          const done = await this.#takeOnce(session, id, theirs, options);
          if (done !== undefined) return done;
        }
      });
    } catch (error) {
      throw error instanceof FormatError ? options.unreadable(error) : error;
    }
  }

  /** Undefined where the payment was changed meanwhile. */
  async #takeOnce(
    session: Session,
    id: string,
    theirs: Pczt,
    options: MergingOptions,
  ): Promise<TakenFor | undefined> {
    const { payment, isSent: isLate } = this.#current(session, id);
    const { encoding, pczt: ours } = decodePczt(payment.pczt);
    const steps = takingReturned(ours, theirs, { replaceProofs: options.replaceProofs ?? false });
    const returned = await inSteps(steps, () => void this.#current(session, id));
    if (!returned.ok) throw options.refusal(returned.changes);
    const { pczt, taken, otherProofs, missing } = returned;
    if (isLate || isNothingNew(taken)) return { payment, taken: NOTHING, otherProofs, isLate };
    if (isComplete(missing)) this.#refuseBroken(pczt);
    const bytes = encodePczt(pczt, encoding);
    return this.#sessions.exclusive(async () => {
      const now = this.#current(session, id);
      if (now.isSent || now.payment.pczt !== payment.pczt) return undefined;
      const changed = { ...now.payment, pczt: bytes, sent: withoutBytes(now.payment) };
      await session.payments.put(changed);
      return { payment: changed, taken, otherProofs, isLate };
    });
  }

  /** Its present state. Throws where the session has ended, or the payment can no longer change. */
  #current(session: Session, id: string): { readonly payment: StoredPayment; readonly isSent: boolean } {
    if (this.#sessions.current !== session)
      throw new CompanionError('WALLET_LOCKED', 'The wallet was locked meanwhile; nothing was changed.');
    const payment = session.payments.get(id);
    const status = statusOf(payment, this.#context(session));
    refuseOver(payment, status);
    // Another program that got the complete PCZT may have sent it.
    return { payment, isSent: wasSent(payment) || status === 'in_mempool' };
  }

  /** Sums and signatures are checked as soon as it is complete, and not only before it is sent. */
  #refuseBroken(pczt: Pczt): void {
    const extraction = extractPczt(pczt, this.#environment.randomBytes);
    if (extraction.ok) return;
    throw new CompanionError(
      'PCZT_CHANGED',
      'With what came back the payment would be complete, and yet no transaction. Nothing of it was taken.',
      { errors: problemFields(extraction.problems) },
    );
  }
}

/** The payment no longer makes the transaction that was refused. */
const withoutBytes = ({ sent }: StoredPayment): StoredPayment['sent'] =>
  sent && { ...sent, transaction: null };

/** The message is about the first change, and the fields of the others are listed. */
export function changedBy(
  code: 'PCZT_CHANGED' | 'PROVER_FAILED',
  changes: readonly ReturnChange[],
  who?: string,
): CompanionError {
  const errors = changes
    .slice(0, MAX_FIELDS)
    .map((change) => ({ path: change.field || 'pczt', message: sentenceOf(change, who) }));
  return new CompanionError(code, `${sentenceOf(changes[0]!, who)} Nothing of it was taken.`, { errors });
}
