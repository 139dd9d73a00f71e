// Looks after every event of the companion: first for payments, then for a new block, so that BTCPay hears of them in this
// order, and for what would keep the companion from seeing any.

import type { Connection } from '@wallet-companion/client';
import { CompanionError } from '@wallet-companion/client/contract';
import { troubleOf } from '../btcpay/answers.ts';
import type { Callbacks } from './callbacks.ts';
import type { OrderBook } from './orderBook.ts';

export interface LookoutContext {
  readonly companion: Connection;
  readonly orders: OrderBook;
  readonly callbacks: Callbacks | undefined;
  readonly report: (text: string) => void;
}

export class Lookout {
  readonly #context: LookoutContext;
  #isLooking = false;
  #isStirred = false;
  #hash: string | null = null;
  #trouble: string | undefined;

  constructor(context: LookoutContext) {
    this.#context = context;
  }

  stir(): void {
    this.#isStirred = true;
    if (!this.#isLooking) void this.#work();
  }

  async #work(): Promise<void> {
    this.#isLooking = true;
    while (this.#isStirred) {
      this.#isStirred = false;
      // After a failure the next event lets it look again.
      await this.#look().catch((error: unknown) => {
        const code = error instanceof CompanionError ? error.code : 'INTERNAL';
        // That it is gone is told already.
        if (code !== 'COMPANION_UNREACHABLE') this.#report(`The companion refuses to answer (${code}).`);
      });
    }
    this.#isLooking = false;
  }

  async #look(): Promise<void> {
    const { companion, orders, callbacks } = this.#context;
    const trouble = troubleOf(await companion.call('follow.get'));
    if (trouble?.code !== 'WALLET_LOCKED' && callbacks !== undefined) {
      await orders.current();
      const { as_of_hash: hash } = await companion.call('balance.get');
      if (hash !== null && hash !== this.#hash) callbacks.mined(hash);
      this.#hash = hash;
    }
    this.#report(trouble?.message ?? 'The companion sees payments.');
  }

  #report(text: string): void {
    if (text === this.#trouble) return;
    this.#trouble = text;
    this.#context.report(text);
  }
}
