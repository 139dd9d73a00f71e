// The logs of events, one for each wallet that somebody listens to: none ever holds another one's.

import type { Link } from '../protocol/link.ts';
import { EventLog } from './eventLog.ts';

/** Of wallets besides the default one. Streams that are open are bounded themselves. */
const KEPT_LOGS = 32;

interface Kept {
  readonly log: EventLog;
  streams: number;
}

export class EventLogs {
  readonly #link: Pick<Link, 'subscribe'>;
  readonly #run: () => string;
  readonly #default: EventLog;
  /** In the order of their last use. Kept after it, so that a stream that broke can resume. */
  readonly #others = new Map<string, Kept>();

  /** `run`: another text for each log, so that no id of one is taken for another's. */
  constructor(link: Pick<Link, 'subscribe'>, run: () => string) {
    this.#link = link;
    this.#run = run;
    this.#default = new EventLog(link, run());
  }

  /** For a stream that begins. */
  use(wallet: string | undefined): EventLog {
    if (wallet === undefined) return this.#default;
    const kept = this.#others.get(wallet) ?? {
      log: new EventLog(this.#link, this.#run(), wallet),
      streams: 0,
    };
    kept.streams += 1;
    this.#others.delete(wallet);
    this.#others.set(wallet, kept);
    this.#drop();
    return kept.log;
  }

  leave(wallet: string | undefined): void {
    const kept = wallet === undefined ? undefined : this.#others.get(wallet);
    if (kept !== undefined) kept.streams -= 1;
  }

  close(): void {
    this.#default.close();
    for (const { log } of this.#others.values()) log.close();
  }

  #drop(): void {
    for (const [name, { log, streams }] of this.#others) {
      if (this.#others.size <= KEPT_LOGS) return;
      if (streams > 0) continue;
      log.close();
      this.#others.delete(name);
    }
  }
}
