// Events for the window's page, which asks for those after the last one it saw and is answered when there are some: a
// scheme of the window's own has no streams. One page, so one question at a time.

import type { CompanionEvent } from '../../protocol/events.ts';
import type { Link } from '../../protocol/link.ts';

/** What a page that is busy may miss before it has to read everything anew. */
const KEPT_EVENTS = 256;

export interface PageEventsAnswer {
  /** To ask with next. */
  readonly next: number;
  /** Some are no longer known. */
  readonly missed: boolean;
  readonly events: readonly CompanionEvent[];
}

export class PageEvents {
  readonly #unsubscribe: () => void;
  #kept: CompanionEvent[] = [];
  /** Of the last event; begins at 1, so that 0 is a page that has just been opened. */
  #last = 1;
  #wake: () => void = () => {};

  constructor(link: Pick<Link, 'subscribe'>) {
    this.#unsubscribe = link.subscribe((event) => this.#add(event));
  }

  async after(seen: number): Promise<PageEventsAnswer> {
    this.#wake();
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

  /** Answers whoever waits; no more events come. */
  close(): void {
    this.#unsubscribe();
    this.#wake();
  }

  #add(event: CompanionEvent): void {
    // Amounts are for open sessions: what was told before a lock is not told after it.
    if (event.event === 'wallet.locked') this.#kept = [];
    this.#last += 1;
    this.#kept.push(event);
    if (this.#kept.length > KEPT_EVENTS) this.#kept.shift();
    this.#wake();
  }
}
