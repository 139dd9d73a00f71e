// Has the user's prover make the proofs of a payment, which it sees no more of than it needs. Proofs for an anchor that the chain
// no longer has would be refused, so such a payment gets another anchor first.

import { decodePczt, missingOf } from '@wallet-companion/pczt/pczt';
import { withoutProofs } from '@wallet-companion/pczt/pcztRoles';
import type { Input, Output } from '../../../protocol/operations.ts';
import type { StoredPayment } from '../ports/payment.ts';
import type { Session } from '../session/session.ts';
import {
  changedBy,
  leftProofsOut,
  needsSigner,
  provedNoPczt,
  sentAlready,
  wrongProofsMade,
} from './paymentErrors.ts';
import { anchorState, missingIn } from './paymentState.ts';
import type { Proved } from './payments.ts';
import { anchorAnew, type Reanchoring } from './reanchoring.ts';
import type { Returns } from './returned.ts';

export class Proving {
  readonly #context: Reanchoring;
  readonly #returns: Returns;

  constructor(context: Reanchoring, returns: Returns) {
    this.#context = context;
    this.#returns = returns;
  }

  async prove(session: Session, input: Input<'payments.prove'>): Promise<Output<'payments.prove'>> {
    const { payments } = this.#context;
    const { payment, count, isAnchoredAgain } = await this.#joined(session, input);
    return {
      ...payments.view(session, payment),
      proofs_added: count,
      anchored_again: isAnchoredAgain,
    };
  }

  /** A page that was loaded again asks for proofs that are being made. */
  async #joined(session: Session, input: Input<'payments.prove'>): Promise<Proved> {
    const { environment, proofRuns } = this.#context.payments;
    const { payment_id: id, replace = false } = input;
    const running = proofRuns.get(id);
    if (running?.session === session && !replace) return running.done;
    const run = { session, since: environment.clock.now(), done: this.#proved(session, input) };
    proofRuns.set(id, run);
    try {
      return await run.done;
    } finally {
      if (proofRuns.get(id) === run) proofRuns.delete(id);
    }
  }

  async #proved(
    session: Session,
    { payment_id: id, replace = false, source }: Input<'payments.prove'>,
  ): Promise<Proved> {
    const { payments } = this.#context;
    const { payment, reaction } = payments.request(session, id, replace ? 'reprove' : 'prove');
    const lacks = missingIn(payment, payments.context(session)).some(({ proofs }) => proofs);
    if (!lacks && !replace) return { payment, count: 0, isAnchoredAgain: false };
    if (reaction === 'same') throw sentAlready();
    const leaving = await anchorAnew(this.#context, 'reprove', session, id, source);
    const { isLost, ...proved } = await this.#prove(session, leaving, replace);
    // A reorganisation during the proof.
    if (isLost) return this.#proved(session, { payment_id: id, source });
    const isAnchoredAgain = leaving.earlierAnchors !== payment.earlierAnchors;
    return { ...proved, isAnchoredAgain };
  }

  /** `replace`: proofs that are there are made again. */
  async #prove(
    session: Session,
    { id, pczt: bytes }: StoredPayment,
    replace: boolean,
  ): Promise<{ readonly payment: StoredPayment; readonly count: number; readonly isLost: boolean }> {
    const { payments } = this.#context;
    const { pczt: kept } = decodePczt(bytes);
    // The key of a Sapling spend is dropped when it has its proof.
    const pczt = replace
      ? withoutProofs(kept, ({ proofGenerationKey }) => proofGenerationKey !== undefined)
      : kept;
    const { proofKeys } = missingOf(pczt);
    if (proofKeys.length > 0) throw needsSigner(proofKeys.length);
    const { prover } = payments.environment;
    const { payment, taken } = await this.#returns.takeFrom(session, id, pczt, {
      view: 'prover',
      run: (asked, stop) => prover.prove(asked, stop),
      read: (answer) => {
        const { pczt: theirs } = decodePczt(answer);
        // What it leaves out would leave the proof there that is to be replaced.
        if (replace && missingOf(theirs).proofs.length > 0) throw leftProofsOut();
        return theirs;
      },
      replaceProofs: replace,
      refusal: (changes) => changedBy('PROVER_FAILED', changes, 'The prover'),
      wrongProofs: wrongProofsMade,
      unreadable: provedNoPczt,
    });
    // A lock wipes the payment, and is noticed here.
    const context = payments.context(session);
    const isLost = anchorState(payment, session.noteStore) === 'lost';
    if (!isLost && missingIn(payment, context).some(({ proofs }) => proofs)) throw leftProofsOut();
    return { payment, count: taken.proofs.length, isLost };
  }
}
