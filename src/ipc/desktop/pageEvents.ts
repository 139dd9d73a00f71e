// Events for the window's page, which requests the events after the last one it received and waits until there are
// some: the window's custom scheme has no streams. There is one page, so one request at a time, and one wallet.

import type { CompanionEvent } from '../../protocol/events.ts';
import type { EventPublisher } from '../../protocol/link.ts';

/** How many events a busy page may miss before it has to read everything again. */
const KEPT_EVENTS = 256;

export interface PageEventsAnswer {
  /** The number for the next request. */
  readonly next: number;
  /** Some of the requested events are no longer kept. */
  readonly missed: boolean;
  readonly events: readonly CompanionEvent[];
}

export class PageEvents {
  readonly #link: EventPublisher;
  #unsubscribe: () => void;
  /** The page's; undefined: the default one. */
  #wallet: string | undefined;
  #kept: CompanionEvent[] = [];
  /** The number of the last event; begins at 1, so that 0 means a page that has just been opened. */
  #last = 1;
  #wake: () => void = () => {};

  constructor(link: EventPublisher) {
    this.#link = link;
    this.#unsubscribe = link.subscribe((event) => this.#add(event));
  }

  async after(seen: number, wallet?: string): Promise<PageEventsAnswer> {
    this.#wake();
    if (wallet !== this.#wallet) this.#turnTo(wallet);
    if (seen === this.#last) {
      await new Promise<void>((resolve) => {
        this.#wake = resolve;
      });
    }
    const next = this.#last;
    if (seen === 0) return { next, missed: false, events: [] };
    const newer = next - seen;
    const isKnown = newer >= 0 && newer <= this.#kept.length;
    return { next, missed: !isKnown, events: isKnown && newer > 0 ? this.#kept.slice(-newer) : [] };
  }

  /** Answers the waiting request; no more events follow. */
  close(): void {
    this.#unsubscribe();
    this.#wake();
  }

  /** A page of another wallet has been opened; no number of the one before is one of its. */
  #turnTo(wallet: string | undefined): void {
    this.#unsubscribe();
    this.#wallet = wallet;
    this.#kept = [];
    this.#last += 1;
    this.#unsubscribe = this.#link.subscribe((event) => this.#add(event), wallet);
  }

  #add(event: CompanionEvent): void {
    // Amounts are for open sessions: events from before a lock are not sent after it.
    if (event.event === 'wallet.locked') this.#kept = [];
    this.#last += 1;
    this.#kept.push(event);
    if (this.#kept.length > KEPT_EVENTS) this.#kept.shift();
    this.#wake();
  }
}
