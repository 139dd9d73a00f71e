// Sends again what was sent and not mined, where the owner has chosen so: a node may have restarted, or its mempool was full. Counted
// in blocks, so that nothing happens while no block comes, and asked of the server that had it before, so that no other one learns of it; peers are others each time.

import type { Height } from '@wallet-companion/base/values';
import type { CarriedBy } from '@wallet-companion/chain/ports';
import { CompanionError } from '../../../protocol/errors.ts';
import type { Session } from '../session/session.ts';
import type { Broadcasting } from './broadcasting.ts';
import { carriedBy, stateOf } from './paymentState.ts';
import type { Payments } from './payments.ts';

/** Each attempt asks a server about a transaction of the wallet. Usual payments expire after 40 blocks or more. */
const BLOCKS_BETWEEN = 10;

export class Rebroadcasting {
  readonly #payments: Payments;
  readonly #broadcasting: Broadcasting;
  /** By payment: the height at which it was first seen as sent in this session, or was sent again. */
  #since = new Map<string, Height>();
  #session: Session | undefined;
  #isSending = false;

  constructor(payments: Payments, broadcasting: Broadcasting) {
    this.#payments = payments;
    this.#broadcasting = broadcasting;
  }

  /** Blocks were scanned, or a mempool was read. Does not throw: the payments stay as they are. */
  async look(session: Session): Promise<void> {
    if (this.#isSending || !this.#payments.environment.configFile.get().rebroadcast) return;
    this.#isSending = true;
    try {
      for (const { id, by } of this.#due(session)) await this.#again(session, id, by);
    } catch (error) {
      this.#payments.environment.logFault('wallet.rebroadcast', error);
    } finally {
      this.#isSending = false;
    }
  }

  #due(session: Session) {
    const top = session.noteStore.scannedTop();
    if (top === undefined) return [];
    const before = this.#session === session ? this.#since : new Map<string, Height>();
    const context = this.#payments.context(session);
    const open = session.payments.all().flatMap((payment) => {
      const { id, state } = payment;
      const isOpen = state.kind === 'sent' && stateOf(payment, context).status === 'sent';
      return isOpen ? [{ id, by: carriedBy(state) }] : [];
    });
    const isDue = ({ id }: { readonly id: string }): boolean =>
      top - (before.get(id) ?? top) >= BLOCKS_BETWEEN;
    this.#session = session;
    this.#since = new Map(open.map((one) => [one.id, isDue(one) ? top : (before.get(one.id) ?? top)]));
    return open.filter(isDue);
  }

  /** Asks the server first, and sends the same bytes. What fails is tried again so many blocks later. */
  async #again(session: Session, id: string, by: CarriedBy): Promise<void> {
    try {
      await this.#broadcasting.send(session, id, by);
    } catch (error) {
      if (!(error instanceof CompanionError)) throw error;
    }
  }
}
