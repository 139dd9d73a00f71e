// Sends a payment, and never two versions of it: an attempt is durable before the first byte leaves, the bytes are the
// same at each attempt, and a repeated call first asks the server what became of the last one.

import { bytesToHex, hexToBytes } from '@wallet-companion/shielded/bytes';
import { txIdFromHex } from '@wallet-companion/shielded/identifiers';
import { decodePczt } from '@wallet-companion/shielded/pczt';
import { extractPczt } from '@wallet-companion/shielded/pcztRoles';
import { SerialQueue } from '../../../async/serialQueue.ts';
import { CompanionError } from '../../../protocol/errors.ts';
import type { Input } from '../../../protocol/operations.ts';
import type { Source } from '../../chain/ports/types.ts';
import type { SendAttempt, StoredPayment } from '../ports/payment.ts';
import type { WalletEnvironment } from '../ports/walletEnvironment.ts';
import type { Session } from '../session/session.ts';
import type { Sessions } from '../session/sessions.ts';
import { broken, expiring, incomplete, mayHaveArrived, refused, refuseOver } from './paymentErrors.ts';
import { type PaymentContext, type PaymentStatus, statusOf } from './paymentState.ts';

type Environment = Pick<WalletEnvironment, 'chain' | 'clock' | 'randomBytes'>;
type OpenSessions = Pick<Sessions, 'current' | 'exclusive'>;

/** Errors before the server has looked at the transaction, or before it was asked. */
const NOT_SENT: ReadonlySet<string> = new Set([
  'INVALID_URL',
  'INVALID_REQUEST',
  'NETWORK_MISMATCH',
  'NODE_UNAUTHORIZED',
  'NODE_BEHIND',
]);

interface Current {
  readonly payment: StoredPayment;
  readonly status: PaymentStatus;
}

export class Broadcasting {
  readonly #environment: Environment;
  readonly #sessions: OpenSessions;
  readonly #context: (session: Session) => PaymentContext;
  readonly #told: (session: Session) => void;
  /** One queue per payment: of two calls at once, the second waits and then finds the payment sent. */
  readonly #turns = new Map<string, { readonly queue: SerialQueue; waiting: number }>();

  /** `told`: called when something of a payment was written. */
  constructor(
    environment: Environment,
    sessions: OpenSessions,
    context: (session: Session) => PaymentContext,
    told: (session: Session) => void,
  ) {
    this.#environment = environment;
    this.#sessions = sessions;
    this.#context = context;
    this.#told = told;
  }

  /** Returns the payment when the server has it. */
  async send(
    session: Session,
    { payment_id: id, source = 'node' }: Pick<Input<'payments.broadcast'>, 'payment_id' | 'source'>,
  ): Promise<StoredPayment> {
    this.#current(session, id);
    const turn = this.#turns.get(id) ?? { queue: new SerialQueue(), waiting: 0 };
    this.#turns.set(id, turn);
    turn.waiting += 1;
    try {
      return await turn.queue.run(() => this.#inTurn(session, id, source));
    } finally {
      turn.waiting -= 1;
      if (turn.waiting === 0) this.#turns.delete(id);
    }
  }

  async #inTurn(session: Session, id: string, source: Source): Promise<StoredPayment> {
    const { payment, status } = this.#current(session, id);
    if (isMined(status)) return payment;
    const raw = this.#transactionOf(payment);
    if (payment.sent?.mayBeMined === true && (await this.#isKnown(payment, source)))
      return this.#settle(session, id, { outcome: 'accepted', detail: null });
    await this.#refuseExpiring(payment, source);
    const attempt = await this.#begin(session, payment, raw, source);
    if (attempt === undefined) return this.#current(session, id).payment;
    return this.#attempt(session, payment, attempt);
  }

  /** From here on it may be mined, also after a crash. Undefined where it was mined during the call. */
  #begin(
    session: Session,
    before: StoredPayment,
    made: Uint8Array,
    source: Source,
  ): Promise<Attempt | undefined> {
    return this.#sessions.exclusive(async () => {
      const { payment, status } = this.#current(session, before.id);
      if (isMined(status)) return undefined;
      // Other proofs may have come during the request to the server.
      const raw = payment.pczt === before.pczt ? made : this.#transactionOf(payment);
      const sent: SendAttempt = {
        at: this.#environment.clock.now(),
        source,
        outcome: 'unanswered',
        detail: null,
        transaction: bytesToHex(raw),
        mayBeMined: true,
      };
      await session.payments.put({ ...payment, sent });
      this.#told(session);
      return { raw, source, before: payment.sent };
    });
  }

  async #attempt(
    session: Session,
    payment: StoredPayment,
    { source, raw, before }: Attempt,
  ): Promise<StoredPayment> {
    const { id } = payment;
    const outcome = await this.#environment.chain
      .sendTransaction({ source, raw, txid: txIdFromHex(payment.txid) })
      .catch((error: unknown) => this.#unanswered(session, id, before, error));
    if (outcome.kind !== 'refused') return this.#settle(session, id, { outcome: 'accepted', detail: null });
    // A server also refuses a transaction that is already in a block: its notes are spent by itself.
    const isThere = await this.#isKnown(payment, source).catch(() => false);
    if (isThere) return this.#settle(session, id, { outcome: 'accepted', detail: null });
    const mayBeMined = before?.mayBeMined === true;
    await this.#settle(session, id, { outcome: 'refused', detail: outcome.text, mayBeMined });
    throw refused(outcome, mayBeMined);
  }

  /** Always throws. */
  async #unanswered(
    session: Session,
    id: string,
    before: SendAttempt | null,
    error: unknown,
  ): Promise<never> {
    if (!(error instanceof CompanionError)) throw error;
    if (!NOT_SENT.has(error.code)) throw mayHaveArrived(error);
    await this.#sessions.exclusive(async () => {
      this.#current(session, id);
      await session.payments.update(id, (payment) => ({ ...payment, sent: before }));
      this.#told(session);
    });
    throw error;
  }

  #settle(
    session: Session,
    id: string,
    said: Pick<SendAttempt, 'outcome' | 'detail'> & Partial<SendAttempt>,
  ): Promise<StoredPayment> {
    return this.#sessions.exclusive(async () => {
      this.#refuseLocked(session);
      const settled = await session.payments.update(id, (payment) => ({
        ...payment,
        sent: payment.sent && { ...payment.sent, ...said },
      }));
      this.#told(session);
      return settled;
    });
  }

  #current(session: Session, id: string): Current {
    this.#refuseLocked(session);
    const payment = session.payments.get(id);
    const status = statusOf(payment, this.#context(session));
    if (!isMined(status)) refuseOver(payment, status);
    return { payment, status };
  }

  #refuseLocked(session: Session): void {
    if (this.#sessions.current === session) return;
    throw new CompanionError(
      'WALLET_LOCKED',
      'The wallet was locked while the payment was being sent: it may have arrived. Unlock, and send it again: that asks first, and never pays twice.',
    );
  }

  /** The bytes sent before, else made now. `PAYMENT_INCOMPLETE`. */
  #transactionOf(payment: StoredPayment): Uint8Array {
    const kept = payment.sent?.transaction ?? null;
    if (kept !== null) return hexToBytes(kept);
    const { pczt } = decodePczt(payment.pczt);
    const extraction = extractPczt(pczt, this.#environment.randomBytes);
    if (extraction.ok) return extraction.bytes;
    const isMissing = extraction.problems.every(({ kind }) => kind === 'missing');
    throw isMissing ? incomplete(pczt, payment.account) : broken(extraction.problems);
  }

  async #isKnown(payment: Pick<StoredPayment, 'txid'>, source: Source): Promise<boolean> {
    const status = await this.#environment.chain.transactionStatus({
      source,
      txid: txIdFromHex(payment.txid),
    });
    return status.kind !== 'unknown';
  }

  /** Uses the server's tip: it would refuse what no block can contain. */
  async #refuseExpiring({ lastHeight, sent }: StoredPayment, source: Source): Promise<void> {
    const { height, offline } = await this.#environment.chain.tip({ source });
    if (offline !== undefined) throw CompanionError.fromRecord(offline.reason);
    if (height >= lastHeight) throw expiring(lastHeight, height, sent?.mayBeMined === true);
  }
}

interface Attempt {
  readonly raw: Uint8Array;
  readonly source: Source;
  readonly before: SendAttempt | null;
}

const isMined = (status: PaymentStatus): boolean => status === 'mined' || status === 'confirmed';
