// The event listeners at one end of a channel, by wallet: the other end is informed about the first listener of a wallet
// and about the last.

import { checkedWallet } from '@wallet-companion/client/contract';
import type { CompanionEvent, EventListener } from '../protocol/events.ts';

/** As on HTTP's stream: the state must be read anew. It is no event of the companion, so the companion's own listeners never get it. */
const MISSED = { event: 'events.missed', data: {} } as unknown as CompanionEvent;

export class Listeners {
  readonly #byWallet = new Map<string | undefined, Set<EventListener>>();
  readonly #first: (wallet: string | undefined) => void;
  readonly #last: (wallet: string | undefined) => void;

  constructor(first: (wallet: string | undefined) => void, last: (wallet: string | undefined) => void) {
    this.#first = first;
    this.#last = last;
  }

  get wallets(): readonly (string | undefined)[] {
    return [...this.#byWallet.keys()];
  }

  /** Throws `INVALID_REQUEST` for an invalid wallet name. */
  add(listener: EventListener, name?: string): () => void {
    const wallet = checkedWallet(name);
    const listeners = this.#byWallet.get(wallet) ?? new Set();
    this.#byWallet.set(wallet, listeners);
    listeners.add(listener);
    if (listeners.size === 1) this.#first(wallet);
    return () => {
      if (!listeners.delete(listener) || listeners.size > 0) return;
      this.#byWallet.delete(wallet);
      this.#last(wallet);
    };
  }

  announceMissed(): void {
    for (const wallet of this.wallets) this.tell(MISSED, wallet);
  }

  readonly tell = (event: CompanionEvent, wallet: string | undefined): void => {
    for (const listener of this.#byWallet.get(wallet) ?? []) {
      try {
        listener(event);
      } catch (thrown) {
        throwToHost(thrown);
      }
    }
  };
}

/** As exceptions of event listeners everywhere: `uncaughtException` in Node, `error` in a page. The channel stays. */
function throwToHost(thrown: unknown): void {
  queueMicrotask(() => {
    throw thrown;
  });
}
