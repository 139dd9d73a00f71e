// Reports status changes of payments: after whatever may have changed a payment, its status is compared with the last
// reported one. The states at the start of a session are not reported.

import type { EventBody } from '../../../protocol/events.ts';
import type { WalletEnvironment } from '../ports/walletEnvironment.ts';
import type { Session } from '../session/session.ts';
import { minedHeightOf, type PaymentContext, statusOf } from './paymentState.ts';

export class PaymentEvents {
  readonly #environment: Pick<WalletEnvironment, 'emit' | 'logFault'>;
  readonly #context: (session: Session) => PaymentContext;
  #session: Session | undefined;
  #told = new Map<string, string>();

  constructor(
    environment: Pick<WalletEnvironment, 'emit' | 'logFault'>,
    context: (session: Session) => PaymentContext,
  ) {
    this.#environment = environment;
    this.#context = context;
  }

  /** A session has begun. */
  opened(session: Session): void {
    this.#session = session;
    this.#told = new Map();
    this.#look(session, () => undefined);
  }

  /** The session has ended. */
  forget(): void {
    this.#session = undefined;
    this.#told = new Map();
  }

  /** Something may have changed. Does not throw: the change itself has already happened. */
  tell(session: Session): void {
    if (session !== this.#session) return;
    this.#look(session, (data) => this.#environment.emit({ event: 'payment.changed', data }));
  }

  #look(session: Session, tell: (data: News) => void): void {
    try {
      for (const news of this.#news(session)) {
        const words = `${news.status} ${news.mined_height}`;
        if (this.#told.get(news.payment_id) === words) continue;
        this.#told.set(news.payment_id, words);
        tell(news);
      }
    } catch (error) {
      this.#environment.logFault('wallet.payment_news', error);
    }
  }

  *#news(session: Session): Generator<News, void, void> {
    const payments = session.payments.all();
    if (payments.length === 0) return;
    const context = this.#context(session);
    for (const payment of payments) {
      const { id, account, txid } = payment;
      const status = statusOf(payment, context);
      yield { payment_id: id, account, txid, status, mined_height: minedHeightOf(payment, context) };
    }
  }
}

type News = EventBody<'payment.changed'>;
