// Reports status changes of payments: after whatever may have changed a payment, its status is compared with the last
// reported one. The states at the start of a session are not reported.

import type { EventBody } from '../../../protocol/events.ts';
import type { StoredPayment } from '../ports/payment.ts';
import type { WalletEnvironment } from '../ports/walletEnvironment.ts';
import type { Session } from '../session/session.ts';
import { type PaymentContext, stateOf } from './paymentState.ts';

type News = EventBody<'payment.changed'>;
/** Called with what has changed. */
type Listener = (session: Session, payments: readonly StoredPayment[]) => void;

export class PaymentEvents {
  readonly #environment: WalletEnvironment;
  readonly #context: (session: Session) => PaymentContext;
  #listener: Listener = () => undefined;
  #session: Session | undefined;
  #reported = new Map<string, string>();

  constructor(environment: WalletEnvironment, context: (session: Session) => PaymentContext) {
    this.#environment = environment;
    this.#context = context;
  }

  listen(listener: Listener): void {
    this.#listener = listener;
  }

  /** A session has begun. */
  opened(session: Session): void {
    this.#session = session;
    this.#reported = new Map();
    this.#look(session, () => undefined);
  }

  /** The session has ended. */
  forget(): void {
    this.#session = undefined;
    this.#reported = new Map();
  }

  /** Something may have changed. Does not throw: the change itself has already happened. */
  report(session: Session): void {
    if (session !== this.#session) return;
    this.#look(session, (data) => this.#environment.emit({ event: 'payment.changed', data }));
  }

  #look(session: Session, report: (data: News) => void): void {
    try {
      const payments = session.payments.all();
      if (payments.length === 0) return;
      const context = this.#context(session);
      const changed: StoredPayment[] = [];
      for (const payment of payments) {
        const news = newsOf(payment, context);
        const words = `${news.status} ${news.mined_height}`;
        if (this.#reported.get(news.payment_id) === words) continue;
        this.#reported.set(news.payment_id, words);
        report(news);
        changed.push(payment);
      }
      if (changed.length > 0) this.#listener(session, changed);
    } catch (error) {
      this.#environment.logFault('wallet.payment_news', error);
    }
  }
}

function newsOf(payment: StoredPayment, context: PaymentContext): News {
  const { id, account, txid, grant = null, refundOf } = payment;
  const state = stateOf(payment, context);
  const minedHeight = 'minedHeight' in state ? state.minedHeight : null;
  return {
    payment_id: id,
    account,
    txid,
    status: state.status,
    mined_height: minedHeight,
    grant_id: grant,
    ...(refundOf !== undefined && { refund_of: refundOf }),
  };
}
