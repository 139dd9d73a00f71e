// The invoices of the open wallet: after whatever may have changed one, its state is compared with what was announced last. A
// change gets the next number and is written before it is announced, so a crash neither loses nor doubles one.

import { atDeadline, Deadline } from '@wallet-companion/base/async';
import type { Height } from '@wallet-companion/base/values';
import type { TxIdHex } from '@wallet-companion/zcash/identifiers';
import type { NetworkParameters } from '@wallet-companion/zcash/network';
import { CompanionError } from '../../../protocol/errors.ts';
import type { Found, MempoolWatch } from '../mempool/mempoolWatch.ts';
import type { Payments } from '../payments/payments.ts';
import type { StoredInvoice } from '../ports/invoice.ts';
import type { StoredPayment } from '../ports/payment.ts';
import type { WalletEnvironment } from '../ports/walletEnvironment.ts';
import type { Session } from '../session/session.ts';
import type { SessionContext, Sessions } from '../session/sessions.ts';
import { InvoiceBook } from './invoiceBook.ts';
import { announcing, type Change, changeOf, isSettled } from './invoiceChange.ts';
import {
  type Evaluation,
  evaluate,
  type InvoiceView,
  invoiceView,
  type Snapshot,
  snapshotOf,
} from './invoiceView.ts';

/** What the invoice is called that a transaction refunds: its reference, or else its id. */
export type RefundNames = ReadonlyMap<TxIdHex, string>;

/** Each is an open request. */
const MAX_WAITERS = 256;

export interface InvoicesContext extends SessionContext {
  readonly invoices: Invoices;
}

export class Invoices {
  readonly environment: WalletEnvironment;
  readonly params: NetworkParameters;
  readonly #sessions: Sessions;
  readonly #mempool: MempoolWatch;
  readonly #payments: Payments;
  #session: Session | undefined;
  #book: InvoiceBook | undefined;
  /** Why there is none. */
  #failure: unknown;
  /** The lowest fork of this session that the book does not know yet. */
  #forkHeight: Height | undefined;
  #cancelTimer: () => void = () => undefined;
  readonly #waiters = new Set<{ readonly id: string; readonly wake: () => void }>();

  constructor(
    environment: WalletEnvironment,
    params: NetworkParameters,
    sessions: Sessions,
    mempool: MempoolWatch,
    payments: Payments,
  ) {
    this.environment = environment;
    this.params = params;
    this.#sessions = sessions;
    this.#mempool = mempool;
    this.#payments = payments;
    payments.events.listen((session, changed) => this.#refundsChanged(session, changed));
  }

  /** A session has begun. A file that does not open keeps nobody from the wallet: calls about invoices answer why. */
  async opened(session: Session): Promise<void> {
    this.close();
    this.#session = session;
    try {
      const book = await InvoiceBook.open(this.environment.invoiceFiles.open(session.masterKey));
      if (this.#session !== session || this.#sessions.current !== session) return book.close();
      this.#book = book;
    } catch (error) {
      this.#failure = error;
      this.environment.logFault('wallet.invoices', error);
      return;
    }
    this.#lowerCancels(this.#book);
    this.#report(session, this.#book.rows);
  }

  /** The session has ended. */
  close(): void {
    this.#forget();
    this.#session = undefined;
    this.#forkHeight = undefined;
    for (const { wake } of this.#waiters) wake();
  }

  /** Another master key may hold afterwards. */
  async whileClosed<T>(change: () => Promise<T>): Promise<T> {
    this.#forget();
    try {
      return await change();
    } finally {
      const session = this.#sessions.current;
      if (session === undefined) this.close();
      else await this.opened(session);
    }
  }

  /** Blocks or the mempool may have changed some. Does not throw: the change itself has already happened. */
  look(session: Session, found: Found): void {
    const book = this.#book;
    if (session !== this.#session) return;
    if (typeof found === 'object' && 'forkHeight' in found)
      this.#forkHeight = Math.min(this.#forkHeight ?? found.forkHeight, found.forkHeight);
    if (book === undefined) return;
    this.#lowerCancels(book);
    const rows =
      found === 'forgotten' || 'forkHeight' in found
        ? book.rows.filter(({ announced, refunds }) => announced.heights.length > 0 || refunds !== undefined)
        : found.flatMap((note) => book.payableBy(note) ?? []);
    this.#report(session, rows);
  }

  /** Throws `WALLET_LOCKED`, `BUSY`, and what the file is refused for. */
  bookOf(session: Session): InvoiceBook {
    if (session !== this.#sessions.current)
      throw new CompanionError('WALLET_LOCKED', 'The wallet was locked meanwhile. Unlock it and ask again.');
    if (this.#book !== undefined) return this.#book;
    if (this.#failure !== undefined) throw this.#failure;
    throw new CompanionError('BUSY', 'The invoices are being opened. Ask again in a moment.');
  }

  /** The book for those who can do without; undefined where the file is refused. Throws `BUSY` while it is being opened. */
  readable(session: Session): InvoiceBook | undefined {
    return this.#failure === undefined ? this.bookOf(session) : undefined;
  }

  /** Of the invoices and payments that are kept; none where the file of invoices is refused. */
  refunds(session: Session): RefundNames {
    const book = this.readable(session);
    const nameOf = (id: string): string => book?.find(id)?.reference ?? id;
    const recorded = (book?.refunded ?? []).flatMap(({ id, refunds = [] }) =>
      refunds.map(({ txid }) => [txid, nameOf(id)] as const),
    );
    const kept = session.payments
      .all()
      .flatMap(({ txid, refundOf }) => (refundOf === undefined ? [] : [[txid, nameOf(refundOf)] as const]));
    return new Map([...recorded, ...kept]);
  }

  snapshot(session: Session): Snapshot {
    const context = this.#payments.context(session);
    return snapshotOf(context, this.#mempool.state(session), session.payments.all());
  }

  /** Throws `NOT_FOUND`. */
  evaluation(session: Session, id: string): Evaluation {
    return evaluate(this.bookOf(session).get(id), this.snapshot(session));
  }

  /** Whether the invoice that the payment refunds knows it without the payment. */
  isRecorded(session: Session, { id, refundOf = '' }: StoredPayment): boolean {
    const { refunds = [] } = this.readable(session)?.find(refundOf) ?? {};
    return refunds.some((refund) => refund.id === id);
  }

  /** Durable and announced when it returns. */
  put(session: Session, row: StoredInvoice): InvoiceView {
    const book = this.bookOf(session);
    const snapshot = this.snapshot(session);
    const evaluation = evaluate(row, snapshot);
    const change = changeOf(evaluation, snapshot, book.sequence + 1);
    const announced = announcing(evaluation, change);
    book.put([announced.row], typeof change === 'object' ? change.sequence : book.sequence);
    this.#watch(book, announced, change);
    if (announced !== evaluation) this.#emit(announced, snapshot);
    this.#arm(session);
    return invoiceView(announced, snapshot);
  }

  /** Resolves when the invoice has a change after this number, when the time is over, or with the session. */
  async waitFor(session: Session, id: string, after: number, seconds: number): Promise<void> {
    if (seconds === 0 || this.bookOf(session).get(id).announced.sequence > after) return;
    if (this.#waiters.size >= MAX_WAITERS)
      throw new CompanionError('BUSY', 'Too many callers wait for invoices. Ask again without wait_seconds.');
    await new Promise<void>((resolve) => {
      const waiter = { id, wake: () => end() };
      const cancel = this.environment.clock.after(seconds * 1000, waiter.wake);
      const end = () => {
        cancel();
        this.#waiters.delete(waiter);
        resolve();
      };
      this.#waiters.add(waiter);
    });
  }

  /** No block above a fork was scanned at a cancel before it: a payment in one is late. */
  #lowerCancels(book: InvoiceBook): void {
    const height = this.#forkHeight;
    if (height === undefined) return;
    const rows = book.rows.filter(({ cancelledHeight = 0 }) => cancelledHeight > height);
    try {
      if (rows.length > 0)
        book.put(
          rows.map((row) => ({ ...row, cancelledHeight: height })),
          book.sequence,
        );
      this.#forkHeight = undefined;
    } catch (error) {
      this.environment.logFault('wallet.invoice_news', error);
    }
  }

  #forget(): void {
    this.#cancelTimer();
    this.#book?.close();
    this.#book = undefined;
    this.#failure = undefined;
  }

  #refundsChanged(session: Session, payments: readonly StoredPayment[]): void {
    if (session !== this.#session) return;
    const rows = payments.flatMap(({ refundOf }) =>
      refundOf === undefined ? [] : (this.#book?.find(refundOf) ?? []),
    );
    if (rows.length > 0) this.#report(session, rows);
  }

  #report(session: Session, rows: readonly StoredInvoice[]): void {
    const book = this.#book;
    if (book === undefined) return;
    try {
      const snapshot = this.snapshot(session);
      const unmined = [...(snapshot.unmined?.keys() ?? [])].flatMap((key) => book.withAddress(key) ?? []);
      const looked = new Set([...rows, ...unmined, ...book.due(snapshot.top, snapshot.now)]);
      const changed: Evaluation[] = [];
      for (const row of looked) {
        const evaluation = evaluate(row, snapshot);
        const change = changeOf(evaluation, snapshot, book.sequence + changed.length + 1);
        if (typeof change === 'object') changed.push(announcing(evaluation, change));
        else this.#watch(book, evaluation, change);
      }
      if (changed.length > 0) this.#write(book, changed, snapshot);
    } catch (error) {
      this.environment.logFault('wallet.invoice_news', error);
    }
    this.#arm(session);
  }

  #write(book: InvoiceBook, changed: readonly Evaluation[], snapshot: Snapshot): void {
    const rows = changed.map(({ row }) => row);
    try {
      book.put(rows, rows.at(-1)!.announced.sequence);
    } catch (error) {
      // What is not written is not announced, and is looked at again.
      for (const evaluation of changed)
        this.#watch(book, { ...evaluation, row: book.get(evaluation.row.id) }, 'held');
      throw error;
    }
    for (const evaluation of changed) {
      this.#watch(book, evaluation, undefined);
      this.#emit(evaluation, snapshot);
    }
  }

  #watch(book: InvoiceBook, evaluation: Evaluation, change: Change): void {
    book.watch(evaluation.row, evaluation.state, isSettled(evaluation, change));
  }

  #emit(evaluation: Evaluation, snapshot: Snapshot): void {
    // A memo in an event would stay in the memory of the main thread after the lock.
    const data = invoiceView(evaluation, snapshot, 'without');
    this.environment.emit({ event: 'invoice.changed', data });
    for (const { id, wake } of this.#waiters) if (id === evaluation.row.id) wake();
  }

  /** For the invoice that expires next. */
  #arm(session: Session): void {
    this.#cancelTimer();
    const next = this.#book?.nextExpiry;
    if (next === undefined) return;
    const { clock } = this.environment;
    const deadline = new Deadline(clock, Math.max(0, next - clock.now()));
    const look = (): void => this.look(session, []);
    // The book knows times of day: a clock that was set back meanwhile means a later look.
    this.#cancelTimer = atDeadline(clock, deadline, look);
  }
}
