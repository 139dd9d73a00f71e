// Sends a payment, and never two versions of it: an attempt is durable before the first byte leaves, the bytes are the
// same at each attempt, and a repeated call first asks the server what became of the last one.

import { SerialQueue } from '@wallet-companion/base/async';
import { bytesToHex, hexToBytes } from '@wallet-companion/base/bytes';
import type { CarriedBy } from '@wallet-companion/chain/ports';
import { decodePczt } from '@wallet-companion/pczt/pczt';
import { extractPczt } from '@wallet-companion/pczt/pcztRoles';
import { txIdFromHex } from '@wallet-companion/zcash/identifiers';
import { CompanionError } from '../../../protocol/errors.ts';
import type { HandledInput, Output } from '../../../protocol/operations.ts';
import type { KeptState, Sent, StoredPayment } from '../ports/payment.ts';
import type { Session } from '../session/session.ts';
import { blockSource, carrier } from '../source/blockSource.ts';
import {
  broken,
  expiring,
  incomplete,
  mayHaveArrived,
  refusedWith,
  wrongProofsKept,
} from './paymentErrors.ts';
import { accept, refuse, sending, sentBytes, stateOf } from './paymentState.ts';
import type { PaymentChange, PaymentRequest, Payments } from './payments.ts';
import { verifyProofs } from './verifyProofs.ts';

/** Errors before anybody has looked at the transaction, or was asked. */
const NOT_SENT: ReadonlySet<string> = new Set([
  'INVALID_URL',
  'INVALID_REQUEST',
  'NETWORK_MISMATCH',
  'NODE_UNAUTHORIZED',
  'NODE_BEHIND',
  'PEERS_UNREACHABLE',
  'PAYMENT_STATE',
]);

/** One that was made durable, and leaves now. `before`: the state before it. */
interface Attempt {
  readonly by: CarriedBy;
  readonly raw: Uint8Array;
  readonly before: KeptState;
}

export class Broadcasting {
  readonly #payments: Payments;
  readonly #requireCovered: (session: Session, payment: StoredPayment) => void;
  /** One per payment that was sent: of two calls at once, the second waits and then finds the payment sent. */
  readonly #turns = new Map<string, SerialQueue>();

  /** `requireCovered` throws for a refund of what is not there any more. */
  constructor(
    payments: Payments,
    requireCovered: (session: Session, payment: StoredPayment) => void = () => undefined,
  ) {
    this.#payments = payments;
    this.#requireCovered = requireCovered;
  }

  async broadcast({
    payment_id: id,
    source,
  }: HandledInput<'payments.broadcast'>): Promise<Output<'payments.broadcast'>> {
    const session = this.#payments.sessions.use();
    return this.#payments.view(session, await this.send(session, id, source && { source }));
  }

  /** Returns the payment when the other side has it. `wanted`: who passes it on; default: as it is configured. */
  async send(session: Session, id: string, wanted?: CarriedBy): Promise<StoredPayment> {
    this.#payments.requireOpen(session, 'broadcast');
    session.payments.get(id);
    const queue = this.#turns.get(id) ?? new SerialQueue();
    this.#turns.set(id, queue);
    return queue.run(async () => {
      // From here on it may be mined, also after a crash.
      const { payment, attempt } = await this.#payments.change(session, id, 'broadcast', (request) =>
        this.#begin(session, request, wanted),
      );
      return attempt === undefined ? payment : this.#attempt(session, payment, attempt);
    });
  }

  /** Without an attempt where the server or a block has it. */
  async #begin(
    session: Session,
    { payment, reaction }: PaymentRequest,
    wanted?: CarriedBy,
  ): Promise<PaymentChange & { readonly attempt?: Attempt }> {
    if (reaction === 'same') return { payment };
    const { environment } = this.#payments;
    const by = await carrier(environment, wanted);
    const { state: before } = payment;
    const raw = await this.#transactionOf(payment);
    if (before.kind === 'sent' && (await this.#isKnown(payment, by)))
      return { payment: { ...payment, state: accept(before) } };
    await this.#refuseExpiring(payment, by);
    const state = sending({ at: environment.clock.now(), ...by, transaction: bytesToHex(raw) });
    // What may have arrived before is not held back.
    const check = () => before.kind === 'sent' || this.#requireCovered(session, payment);
    return { payment: { ...payment, state }, attempt: { by, raw, before }, check };
  }

  async #attempt(
    session: Session,
    payment: StoredPayment,
    { by, raw, before }: Attempt,
  ): Promise<StoredPayment> {
    const { id, txid } = payment;
    const outcome = await this.#payments.environment.chain
      .sendTransaction({ ...by, raw, txid: txIdFromHex(txid) })
      .catch(async (error: unknown) => {
        if (!(error instanceof CompanionError)) throw error;
        if (!NOT_SENT.has(error.code)) return this.#unanswered(session, id, error);
        await this.#settle(session, id, () => before);
        throw error;
      });
    if ('id' in outcome) return outcome;
    if (outcome.kind !== 'refused') return this.#settle(session, id, accept);
    // A server also refuses a transaction that is already in a block: its notes are spent by itself.
    const isThere = await this.#isKnown(payment, by).catch(() => false);
    if (isThere) return this.#settle(session, id, accept);
    await this.#settle(session, id, (sent) => refuse(sent, before, outcome.text));
    throw refusedWith(outcome, before.kind === 'sent' || by.source === 'peers');
  }

  /** Returns the payment where a block was scanned meanwhile that has it, or a mempool was read: that takes some minutes with peers. */
  async #unanswered(session: Session, id: string, error: CompanionError): Promise<StoredPayment> {
    this.#payments.requireOpen(session, 'broadcast');
    const payment = session.payments.get(id);
    if (stateOf(payment, this.#payments.context(session)).status === 'sent') throw mayHaveArrived(error);
    return payment;
  }

  /** Whatever was scanned meanwhile. */
  #settle(session: Session, id: string, change: (sent: Sent) => KeptState): Promise<StoredPayment> {
    return this.#payments.sessions.exclusive(async () => {
      this.#payments.requireOpen(session, 'broadcast');
      const payment = session.payments.get(id);
      if (payment.state.kind !== 'sent') return payment;
      return this.#payments.put(session, { ...payment, state: change(payment.state) });
    });
  }

  /** The bytes sent before, else made now, with proofs that were verified. `PAYMENT_INCOMPLETE`. */
  async #transactionOf(payment: StoredPayment): Promise<Uint8Array> {
    const kept = sentBytes(payment.state);
    if (kept !== null) return hexToBytes(kept);
    const { pczt } = decodePczt(payment.pczt);
    const extraction = extractPczt(pczt, this.#payments.environment.randomBytes);
    if (extraction.ok) {
      await verifyProofs(this.#payments.environment, pczt, wrongProofsKept);
      return extraction.bytes;
    }
    const isMissing = extraction.problems.every(({ kind }) => kind === 'missing');
    throw isMissing ? incomplete(pczt, payment.account) : broken(extraction.problems);
  }

  async #isKnown({ txid }: StoredPayment, by: CarriedBy): Promise<boolean> {
    const { chain } = this.#payments.environment;
    const status = await chain.transactionStatus({ ...by, txid: txIdFromHex(txid) });
    return status.kind !== 'unknown';
  }

  /** By the server's tip, which would refuse what no block can contain; else by that of the source of blocks. */
  async #refuseExpiring({ lastHeight, state }: StoredPayment, { source: by }: CarriedBy): Promise<void> {
    const { environment } = this.#payments;
    const source = by === 'peers' || by === 'server' ? await blockSource(environment) : by;
    const { height, offline } = await environment.chain.tip({ source });
    if (offline !== undefined) throw CompanionError.fromRecord(offline.reason);
    if (height >= lastHeight) throw expiring(lastHeight, height, state.kind === 'sent');
  }
}
