// The payments of the open wallet: how each stands, the list of them, and giving one up. What else is done with them changes
// them here, one change at a time, durable and told before anything is answered or sent.

import { noteKey } from '@wallet-companion/zcash/identifiers';
import type { NetworkParameters } from '@wallet-companion/zcash/network';
import { CompanionError } from '../../../protocol/errors.ts';
import type { CallingGrant } from '../../../protocol/grants.ts';
import type { Input, Output } from '../../../protocol/operations.ts';
import type { MempoolWatch } from '../mempool/mempoolWatch.ts';
import { type Order, pageOf, refuseOtherCursor, sortKey } from '../noteStore/book/chainOrder.ts';
import { isOf } from '../noteViews/scanReach.ts';
import type { ReservedBy } from '../noteViews/views.ts';
import type { StoredPayment } from '../ports/payment.ts';
import type { WalletEnvironment } from '../ports/walletEnvironment.ts';
import type { Session } from '../session/session.ts';
import type { Sessions } from '../session/sessions.ts';
import type { PaymentBook } from './book/paymentBook.ts';
import { isShownTo } from './grantLimits.ts';
import { refusal } from './paymentErrors.ts';
import { PaymentEvents } from './paymentEvents.ts';
import {
  discard,
  isReserved,
  type PaymentContext,
  type PaymentEvent,
  type PaymentStatus,
  type Reaction,
  reactionTo,
  reservations,
  stateOf,
} from './paymentState.ts';
import { paymentView } from './paymentView.ts';

/** The latest first. */
const PAYMENT_ORDER: Order<StoredPayment> = {
  compare: (a, b) => b.createdAt - a.createdAt || (a.id < b.id ? 1 : -1),
  keyOf: ({ createdAt, id }) => sortKey(Math.floor(createdAt / 1000), createdAt % 1000, id),
};

const STILL_SENDABLE =
  'Anyone with a signed copy can still send it until it expires: its notes are free here, and of two payments that spend one note only the first is mined.';

const LOCKED_MEANWHILE = 'The wallet was locked meanwhile. Unlock it, and see how the payment stands.';
const LOCKED: Readonly<Partial<Record<PaymentEvent, string>>> = {
  combine: 'The wallet was locked meanwhile; nothing was changed.',
  broadcast:
    'The wallet was locked while the payment was being sent: it may have arrived. Unlock, and send it again: that asks first, and never pays twice.',
};

// All of them are in memory once they are used, and a PCZT is large.
const MAX_PAYMENTS = 256;
/** A status that a reorganisation may still undo is kept a little longer. */
const LAST: readonly PaymentStatus[] = ['mined', 'conflicted', 'expired', 'lost_note'];

export interface PaymentRequest {
  readonly payment: StoredPayment;
  readonly reaction: Exclude<Reaction, 'no'>;
}

/** What a payment becomes; nothing is stored where it is the one of the request. */
export interface PaymentChange {
  readonly payment: StoredPayment;
  /** Called right before it is stored; throws where the chain has moved. */
  readonly check?: () => void;
}

export interface Proved {
  readonly payment: StoredPayment;
  readonly count: number;
  readonly isAnchoredAgain: boolean;
}

interface ProofRun {
  readonly session: Session;
  readonly since: number;
  readonly done: Promise<Proved>;
}

export class Payments {
  /** Proofs that are being made, by payment. */
  readonly proofRuns = new Map<string, ProofRun>();
  readonly environment: WalletEnvironment;
  readonly sessions: Sessions;
  readonly events: PaymentEvents;
  readonly #params: NetworkParameters;
  readonly #mempool: MempoolWatch;

  constructor(
    environment: WalletEnvironment,
    params: NetworkParameters,
    sessions: Sessions,
    mempool: MempoolWatch,
  ) {
    this.environment = environment;
    this.sessions = sessions;
    this.events = new PaymentEvents(environment, (session) => this.context(session));
    this.#params = params;
    this.#mempool = mempool;
  }

  /** What the status of a payment depends on. Throws `WALLET_LOCKED` after the session: its payments are wiped. */
  context(session: Session, event?: PaymentEvent): PaymentContext {
    this.requireOpen(session, event);
    return {
      noteStore: session.noteStore,
      holders: session.payments.holders,
      unmined: this.#mempool.state(session).book.unmined,
      minConfirmations: this.environment.configFile.get().min_confirmations,
      params: this.#params,
      now: this.environment.clock.now(),
    };
  }

  requireOpen(session: Session, event?: PaymentEvent): void {
    if (this.sessions.current === session) return;
    throw new CompanionError('WALLET_LOCKED', (event && LOCKED[event]) ?? LOCKED_MEANWHILE);
  }

  /** Throws `PAYMENT_STATE` where the event is refused. */
  request(session: Session, id: string, event: PaymentEvent): PaymentRequest {
    const context = this.context(session, event);
    const payment = session.payments.get(id);
    const { status } = stateOf(payment, context);
    const reaction = reactionTo(event, payment, status);
    if (reaction === 'no') throw refusal(event, payment, status);
    return { payment, reaction };
  }

  /**
   * Compare and swap: stores what `work` makes of the payment, which may take its time. Where the payment was changed meanwhile,
   * it works again on what is there by then.
   */
  async change<T extends PaymentChange>(
    session: Session,
    id: string,
    event: PaymentEvent,
    work: (request: PaymentRequest) => T | Promise<T>,
  ): Promise<T> {
    for (;;) {
      const request = this.request(session, id, event);
      const done = await this.#whileOpen(session, event, () => work(request));
      if (done.payment === request.payment) return done;
      const isStored = await this.sessions.exclusive(async () => {
        const { payment, reaction } = this.request(session, id, event);
        if (payment !== request.payment || reaction !== request.reaction) return false;
        done.check?.();
        await this.put(session, done.payment);
        return true;
      });
      if (isStored) return done;
    }
  }

  /** What fails after a lock fails because of it: payments are wiped, and the note store is closed. */
  async #whileOpen<T>(session: Session, event: PaymentEvent, work: () => T | Promise<T>): Promise<T> {
    try {
      return await work();
    } catch (error) {
      this.requireOpen(session, event);
      throw error;
    }
  }

  /** Durable and told when it resolves. Call within `sessions.exclusive`. `digest`: of a new one with an idempotency key. */
  async put(session: Session, payment: StoredPayment, digest?: string): Promise<StoredPayment> {
    await session.payments.put(payment, digest);
    this.events.report(session);
    return payment;
  }

  view(session: Session, payment: StoredPayment): Output<'payments.get'> {
    return this.#view(session, payment, this.context(session));
  }

  #view(session: Session, payment: StoredPayment, context: PaymentContext): Output<'payments.get'> {
    const since = this.proofRuns.get(payment.id)?.since;
    return paymentView(payment, context, session.addressBook, since);
  }

  /** For each reserved note key, the payment that reserves it. */
  reserved(session: Session): Map<string, StoredPayment> {
    return reservations(this.context(session));
  }

  /** For a note, the id of the payment that reserves it. */
  reservedBy(session: Session): ReservedBy {
    const reserved = this.reserved(session);
    return (note) => reserved.get(noteKey(note))?.id;
  }

  list(input: Input<'payments.list'>, grant?: CallingGrant): Output<'payments.list'> {
    refuseOtherCursor(input);
    const session = this.sessions.use(input.account);
    const context = this.context(session);
    const isWanted = (payment: StoredPayment): boolean =>
      isOf(input.account, payment) &&
      isShownTo(grant, payment) &&
      (input.open !== true || isReserved(payment, context));
    const sorted = session.payments.all().sort(PAYMENT_ORDER.compare);
    const { page, nextCursor } = pageOf(sorted, PAYMENT_ORDER, isWanted, input);
    const shown = page.map((payment) => this.#view(session, payment, context));
    return { payments: shown, next_cursor: nextCursor };
  }

  get({ payment_id }: Input<'payments.get'>): Output<'payments.get'> {
    const session = this.sessions.use();
    return this.view(session, session.payments.get(payment_id));
  }

  async discard({ payment_id: id }: Input<'payments.discard'>): Promise<Output<'payments.discard'>> {
    const session = this.sessions.use();
    const { payment } = await this.change(session, id, 'discard', ({ payment: now }) => {
      const state = discard(now.state, this.environment.clock.now());
      return { payment: state === now.state ? now : { ...now, state } };
    });
    return { ...this.view(session, payment), warning: STILL_SENDABLE };
  }
}

/**
 * Makes space for one more: finished payments go first, the earliest first. `isNeeded`: whether something else still reads it.
 * Throws `PAYMENT_STATE` where all payments are open.
 */
export function makeRoom(
  book: PaymentBook,
  context: PaymentContext,
  isNeeded: (payment: StoredPayment) => boolean,
  limit = MAX_PAYMENTS,
): void {
  const all = book.all();
  if (all.length < limit) return;
  const over = all
    .flatMap((payment) => {
      const state = stateOf(payment, context);
      const isOver = !state.isReserved && (payment.countsUntil ?? 0) <= context.now && !isNeeded(payment);
      return isOver ? [{ payment, status: state.status }] : [];
    })
    .sort(
      (a, b) =>
        Number(LAST.includes(a.status)) - Number(LAST.includes(b.status)) ||
        a.payment.createdAt - b.payment.createdAt,
    );
  const [first] = over;
  if (first === undefined) {
    throw new CompanionError(
      'PAYMENT_STATE',
      `${limit} payments wait to be signed, sent or mined. Discard some of them first.`,
    );
  }
  book.delete(first.payment.id, first.status);
}
