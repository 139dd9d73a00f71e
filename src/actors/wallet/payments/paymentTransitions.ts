// A prepared payment from the signer's answer to its block: combining, proving, sending, and the events about its status.

import { badField, type CompanionError } from '../../../protocol/errors.ts';
import type { Input, Output } from '../../../protocol/operations.ts';
import type { WalletEnvironment } from '../ports/walletEnvironment.ts';
import type { Session } from '../session/session.ts';
import type { Sessions } from '../session/sessions.ts';
import { Broadcasting } from './broadcasting.ts';
import { combine } from './combining.ts';
import type { KeptPayments } from './keptPayments.ts';
import { Merging } from './merging.ts';
import { PaymentEvents } from './paymentEvents.ts';
import type { PaymentViewContext } from './paymentView.ts';
import { prove } from './proving.ts';

export class PaymentTransitions {
  readonly #environment: WalletEnvironment;
  readonly #sessions: Sessions;
  readonly #kept: KeptPayments;
  readonly #context: (session: Session) => PaymentViewContext;
  readonly #merging: Merging;
  readonly #broadcasting: Broadcasting;
  readonly events: PaymentEvents;

  constructor(environment: WalletEnvironment, sessions: Sessions, kept: KeptPayments) {
    this.#environment = environment;
    this.#sessions = sessions;
    this.#kept = kept;
    const context = (session: Session) => kept.context(session);
    this.#context = context;
    this.events = new PaymentEvents(environment, context);
    const told = (session: Session) => this.events.tell(session);
    this.#merging = new Merging(environment, sessions, context);
    this.#broadcasting = new Broadcasting(environment, sessions, context, told);
  }

  combine(input: Input<'payments.combine'>): Promise<Output<'payments.combine'>> {
    const session = this.#sessions.use();
    return this.telling(() => combine(session, this.#merging, input, this.#context));
  }

  prove({ payment_id: id }: Input<'payments.prove'>): Promise<Output<'payments.prove'>> {
    const session = this.#sessions.use();
    return this.telling(() => prove(session, id, this.#environment, this.#merging, this.#context));
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
    if (session !== undefined) this.events.tell(session);
    return changed;
  }
}

const passwordNeeded = (): CompanionError =>
  badField('password', 'is needed to send a payment: broadcast_needs_password is set in config.json');
