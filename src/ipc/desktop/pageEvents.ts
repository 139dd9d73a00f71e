// Events for the window's page, which requests the events after the last one it received and waits until there are
// some: the window's custom scheme has no streams. There is one page, so one request at a time.

import { EventLogs } from '../../protocol/eventLogs.ts';
import type { CompanionEvent, EventsMissed } from '../../protocol/events.ts';
import type { EventPublisher } from '../../protocol/link.ts';

export interface PageEventsAnswer {
  /** The id for the next request. */
  readonly next: string;
  readonly events: readonly (CompanionEvent | EventsMissed)[];
}

export class PageEvents {
  readonly #logs: EventLogs;
  #wake: () => void = () => {};

  constructor(link: EventPublisher) {
    this.#logs = new EventLogs(link);
  }

  /** `seen`: empty for a page that has just been opened. */
  async after(seen: string, wallet?: string): Promise<PageEventsAnswer> {
    this.#wake();
    const log = this.#logs.use(wallet);
    if (seen === '') return { next: log.lastId, events: [] };
    let next = seen;
    const events: (CompanionEvent | EventsMissed)[] = [];
    await new Promise<void>((resolve) => {
      const unfollow = log.follow(({ id, event }) => {
        next = id;
        events.push(event);
        this.#wake();
      }, seen);
      this.#wake = () => {
        unfollow();
        resolve();
      };
      if (events.length > 0) this.#wake();
    });
    return { next, events };
  }

  /** Answers the waiting request; no more events follow. */
  close(): void {
    this.#logs.close();
    this.#wake();
  }
}
