// Takes into a payment what a signer or prover has added, and nothing else: the returned PCZT is compared with the kept one
// in steps, between which the thread answers other calls. The user's programs get only what they need.

import { ShortQueue } from '@wallet-companion/base/async';
import { FormatError, hexToBytes } from '@wallet-companion/base/bytes';
import { fromBase64 } from '@wallet-companion/base/memory';
import {
  type At,
  type BareProofKey,
  type BareSignature,
  type BatchSignature,
  decodePczt,
  encodePczt,
  isComplete,
  isNothingNew,
  type Pczt,
  type ReturnChange,
  type Taken,
  takingReturned,
  withBareProofKeys,
  withBareSignatures,
  withoutUsedProofKeys,
} from '@wallet-companion/pczt/pczt';
import { extractPczt, type View } from '@wallet-companion/pczt/pcztRoles';
import { type ActionPool, perPool } from '@wallet-companion/zcash/pools';
import { badField, type CompanionError } from '../../../protocol/errors.ts';
import type { Input, Output } from '../../../protocol/operations.ts';
import type { StoredPayment } from '../ports/payment.ts';
import type { Session } from '../session/session.ts';
import { encodeView } from './handedOut.ts';
import { inSteps } from './inSteps.ts';
import {
  brokenByReturn,
  busyWithPczts,
  changedBy,
  unreadablePczt,
  wrongProofsReturned,
} from './paymentErrors.ts';
import { combine, hasLostAnchor, waiting } from './paymentState.ts';
import type { PaymentChange, PaymentRequest, Payments } from './payments.ts';
import { verifyProofs } from './verifyProofs.ts';

/** A large PCZT takes seconds, and a caller does not wait for many. */
const MAX_WAITING = 16;

interface Return {
  /** May throw; it is called when its turn has come. */
  readonly read: () => Pczt;
  readonly replaceProofs: boolean;
  /** The error, with the right code, for changes that it made. */
  readonly refusal: (changes: readonly ReturnChange[]) => CompanionError;
  /** The same for proofs that are wrong; default: the words for what somebody returned. */
  readonly wrongProofs?: (pools: readonly ActionPool[]) => CompanionError;
  readonly unreadable: (error: FormatError) => CompanionError;
}

/** A program of the user, and what to make of its answer, which is wiped afterwards. */
interface Program extends Omit<Return, 'read'> {
  readonly view: View;
  readonly run: (pczt: Uint8Array<ArrayBuffer>, stop: AbortSignal) => Promise<Uint8Array>;
  readonly read: (answer: Uint8Array) => Pczt;
}

export interface TakenFor extends PaymentChange {
  /** What this return added. */
  readonly taken: Taken;
  /** Fields for which another proof came than the kept one, which stayed. */
  readonly otherProofs: readonly At[];
  /** Fields whose proof leads to an anchor that the chain no longer has. */
  readonly lostProofs: readonly At[];
  /** The payment was sent, so nothing in it is changed any more. */
  readonly isLate: boolean;
}

export const NOTHING_TAKEN: Taken = { signatures: [], proofs: [], proofKeys: [] };

export class Returns {
  readonly #payments: Payments;
  readonly #turns = new ShortQueue(MAX_WAITING);

  constructor(payments: Payments) {
    this.#payments = payments;
  }

  async combine(
    session: Session,
    { payment_id: id, pczt, replace_proofs: replaceProofs = false }: Input<'payments.combine'>,
  ): Promise<Output<'payments.combine'>> {
    const done = await this.#take(session, id, {
      read: () => decodePczt(fromBase64(pczt)).pczt,
      replaceProofs,
      refusal: (changes) => changedBy('PCZT_CHANGED', changes),
      unreadable: unreadablePczt,
    });
    return this.view(session, done);
  }

  /** Bare signatures, from a device that returns no PCZT. */
  async combineSignatures(
    session: Session,
    id: string,
    signatures: readonly BatchSignature[],
  ): Promise<Output<'payments.combine'>> {
    return this.view(session, await this.takeSignatures(session, id, signatures));
  }

  takeSignatures(
    session: Session,
    id: string,
    signatures: readonly BareSignature[],
    proofKeys: readonly BareProofKey[] = [],
  ): Promise<TakenFor> {
    return this.#take(session, id, {
      read: () => {
        const { pczt } = decodePczt(session.payments.get(id).pczt);
        return withBareProofKeys(withBareSignatures(pczt, signatures), proofKeys);
      },
      replaceProofs: false,
      refusal: (changes) => changedBy('PCZT_CHANGED', changes),
      unreadable: ({ message }) => badField('answer', `is refused: ${message}`),
    });
  }

  view(session: Session, done: TakenFor): Output<'payments.combine'> {
    const view = this.#payments.view(session, done.payment);
    return {
      ...view,
      signatures_added: done.taken.signatures.length,
      proofs_added: done.taken.proofs.length,
      left_out: leftOut(done, view),
    };
  }

  /** Has a program add what it can to the PCZT, and takes that. */
  async takeFrom(
    session: Session,
    id: string,
    pczt: Pczt,
    { view, run, read, ...returned }: Program,
  ): Promise<TakenFor> {
    const answer = await run(encodeView(pczt, view), new AbortController().signal);
    try {
      return await this.#take(session, id, { read: () => read(answer), ...returned });
    } finally {
      answer.fill(0);
    }
  }

  /** Payments are changed one at a time. */
  async #take(session: Session, id: string, returned: Return): Promise<TakenFor> {
    this.#payments.request(session, id, 'combine');
    if (this.#turns.isFull) throw busyWithPczts();
    try {
      return await this.#turns.run(async () => {
        const theirs = returned.read();
        return this.#payments.change(session, id, 'combine', (request) =>
          this.#taken(session, request, theirs, returned),
        );
      });
    } catch (error) {
      throw error instanceof FormatError ? returned.unreadable(error) : error;
    }
  }

  async #taken(
    session: Session,
    { payment, reaction }: PaymentRequest,
    theirs: Pczt,
    { replaceProofs, refusal, wrongProofs = wrongProofsReturned }: Return,
  ): Promise<TakenFor> {
    const isLate = reaction === 'same';
    const { encoding, pczt: ours } = decodePczt(payment.pczt);
    const steps = takingReturned(ours, theirs, {
      replaceProofs,
      earlierAnchors: earlierAnchorsOf(payment),
      isAnchorLost: hasLostAnchor(payment, session.noteStore),
    });
    const check = (): void => void this.#payments.request(session, payment.id, 'combine');
    const returned = await inSteps(steps, check);
    if (!returned.ok) throw refusal(returned.changes);
    const { pczt, taken, missing, otherProofs, lostProofs } = returned;
    const left = { otherProofs, lostProofs, isLate };
    if (isLate || isNothingNew(taken)) return { payment, taken: NOTHING_TAKEN, ...left };
    const { environment } = this.#payments;
    const proved = taken.proofs.map(({ place }) => place);
    // One that was kept wrong before is no fault of this return, and is named before the payment is sent.
    if (proved.length > 0) await verifyProofs(environment, pczt, wrongProofs, proved);
    // Sums and signatures are checked as soon as it is complete, and not only before it is sent.
    const { randomBytes } = environment;
    const whole = isComplete(missing) ? extractPczt(pczt, randomBytes) : undefined;
    if (whole?.ok === false) throw brokenByReturn(whole.problems);
    const kept = encodePczt(withoutUsedProofKeys(pczt), encoding);
    const still = missing.signatures.length > 0 ? payment : waiting(payment);
    const changed = { ...still, pczt: kept, state: combine(payment.state) };
    return { payment: changed, taken, ...left };
  }
}

const earlierAnchorsOf = ({ earlierAnchors = [] }: StoredPayment) =>
  perPool((pool) => earlierAnchors.filter((one) => one.pool === pool).map(({ root }) => hexToBytes(root)));

function leftOut(
  { taken, otherProofs, lostProofs, isLate }: TakenFor,
  { missing }: Pick<Output<'payments.get'>, 'missing'>,
): string[] {
  if (isLate) return ['everything: the payment was sent, and nothing of it is changed any more'];
  const proofs = [
    ...lostProofs.map(
      ({ field }) =>
        `the proof of ${field}: a reorganisation removed its anchor; have the payment proved as it is given out now`,
    ),
    ...otherProofs.map(
      ({ field }) => `another proof of ${field}, which has one: replace_proofs takes it in its place`,
    ),
  ];
  if (isNothingNew(taken) && proofs.length === 0 && missing.some(({ signatures }) => signatures > 0))
    return [
      'everything: this is the payment as it was given to the signer, without a signature that it lacks',
    ];
  return proofs;
}
