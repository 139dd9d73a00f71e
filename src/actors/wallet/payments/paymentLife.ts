// A prepared payment from the signer's answer to its block: combining, proving, sending, and the events about its status.

import { badField, type CompanionError } from '../../../protocol/errors.ts';
import type { Input, Output } from '../../../protocol/operations.ts';
import type { WalletEnvironment } from '../ports/walletEnvironment.ts';
import type { Session } from '../session/session.ts';
import type { Sessions } from '../session/sessions.ts';
import { Broadcasting } from './broadcasting.ts';
import { combine } from './combining.ts';
import type { KeptPayments } from './keptPayments.ts';
import { PaymentNews } from './paymentNews.ts';
import type { ViewSurroundings } from './paymentView.ts';
import { prove } from './proving.ts';
import { Taking } from './taking.ts';

export class PaymentLife {
  readonly #environment: WalletEnvironment;
  readonly #sessions: Sessions;
  readonly #kept: KeptPayments;
  readonly #surroundings: (session: Session) => ViewSurroundings;
  readonly #taking: Taking;
  readonly #broadcasting: Broadcasting;
  readonly news: PaymentNews;

  constructor(environment: WalletEnvironment, sessions: Sessions, kept: KeptPayments) {
    this.#environment = environment;
    this.#sessions = sessions;
    this.#kept = kept;
    const surroundings = (session: Session) => kept.surroundings(session);
    this.#surroundings = surroundings;
    this.news = new PaymentNews(environment, surroundings);
    const told = (session: Session) => this.news.tell(session);
    this.#taking = new Taking(environment, sessions, surroundings);
    this.#broadcasting = new Broadcasting(environment, sessions, surroundings, told);
  }

  combine(input: Input<'payments.combine'>): Promise<Output<'payments.combine'>> {
    const session = this.#sessions.use();
    return this.telling(() => combine(session, this.#taking, input, this.#surroundings));
  }

  prove({ payment_id: id }: Input<'payments.prove'>): Promise<Output<'payments.prove'>> {
    const session = this.#sessions.use();
    return this.telling(() => prove(session, id, this.#environment, this.#taking, this.#surroundings));
  }

  async broadcast({
    password,
    ...input
  }: Input<'payments.broadcast'>): Promise<Output<'payments.broadcast'>> {
    const { broadcast_needs_password: isNeeded } = this.#environment.configFile.get();
    if (isNeeded && password === undefined) throw passwordNeeded();
    const sessions = this.#sessions;
    const session =
      password === undefined ? sessions.use() : await sessions.exclusiveTry(() => sessions.enter(password));
    return this.#kept.view(session, await this.#broadcasting.send(session, input));
  }

  /** Call it around whatever may change a payment. */
  async telling<T>(change: () => Promise<T>): Promise<T> {
    const changed = await change();
    const session = this.#sessions.current;
    if (session !== undefined) this.news.tell(session);
    return changed;
  }
}

const passwordNeeded = (): CompanionError =>
  badField('password', 'is needed to send a payment: broadcast_needs_password is set in config.json');
