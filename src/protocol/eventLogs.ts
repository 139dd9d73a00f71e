// The event logs, one for each wallet that has listeners: no log contains events of another wallet.

import { EventLog } from './eventLog.ts';
import type { EventPublisher } from './link.ts';

/** The limit of logs for wallets besides the default one. Open streams have a separate limit. */
const KEPT_LOGS = 32;

interface Kept {
  readonly log: EventLog;
  streams: number;
}

export class EventLogs {
  readonly #link: EventPublisher;
  readonly #run: () => string;
  #default: EventLog;
  /** In the order of their last use. A log stays after its last stream, so that a broken stream can resume. */
  readonly #others = new Map<string, Kept>();

  /** `run` returns a different text for each log, so that ids of different logs never match. */
  constructor(link: EventPublisher, run: () => string) {
    this.#link = link;
    this.#run = run;
    this.#default = new EventLog(link, run());
  }

  /** Returns the log for a new stream, and keeps it. */
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

  /** The name is another wallet's from now on, or nobody's: what is kept under it is for nobody. */
  forget(wallet: string | undefined): void {
    if (wallet === undefined) {
      this.#default.close();
      this.#default = new EventLog(this.#link, this.#run());
      return;
    }
    this.#others.get(wallet)?.log.close();
    this.#others.delete(wallet);
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
