// The event listeners at one end of a channel, by wallet: the other end is informed about the first listener of a wallet
// and about the last.

import { checkedWallet } from '@wallet-companion/client/contract';
import { type CompanionEvent, type EventListener, MISSED } from '../protocol/events.ts';

interface OfWallet {
  readonly listeners: Set<EventListener>;
  /** Of the last event that they got, or of the last one before they began. */
  lastId: string | undefined;
}

export class Listeners {
  readonly #byWallet = new Map<string | undefined, OfWallet>();
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
    const ofWallet = this.#byWallet.get(wallet) ?? { listeners: new Set(), lastId: undefined };
    this.#byWallet.set(wallet, ofWallet);
    const { listeners } = ofWallet;
    listeners.add(listener);
    if (listeners.size === 1) this.#first(wallet);
    return () => {
      if (!listeners.delete(listener) || listeners.size > 0) return;
      this.#byWallet.delete(wallet);
      this.#last(wallet);
    };
  }

  lastId(wallet: string | undefined): string | undefined {
    return this.#byWallet.get(wallet)?.lastId;
  }

  /** The other end passes on events after the one with that id. */
  begun(wallet: string | undefined, id: string | undefined): void {
    const ofWallet = this.#byWallet.get(wallet);
    // Events that came behind the answer may have been taken before it.
    if (ofWallet !== undefined) ofWallet.lastId ??= id;
  }

  /** As on HTTP's stream: the state must be read anew. It is no event of the companion, so the companion's own listeners never get it. */
  announceMissed(wallet: string | undefined): void {
    this.emit(MISSED as unknown as CompanionEvent, wallet, undefined);
  }

  readonly emit = (event: CompanionEvent, wallet: string | undefined, id: string | undefined): void => {
    const ofWallet = this.#byWallet.get(wallet);
    if (ofWallet === undefined) return;
    ofWallet.lastId = id ?? ofWallet.lastId;
    for (const listener of ofWallet.listeners) {
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
