// The event logs, one for each wallet that has listeners: no log contains events of another wallet.

import { DEFAULT_WALLET } from '@wallet-companion/client/contract';
import { EventLog, KEPT_EVENTS } from './eventLog.ts';
import type { EventPublisher } from './link.ts';

/** A different text for each log, so that ids of different logs never match. */
const newRun = (): string => crypto.randomUUID().slice(0, 8);

/** The limit of logs without listeners. Open streams have limits of their own. */
const KEPT_LOGS = 32;

export class EventLogs {
  readonly #link: EventPublisher;
  readonly #limit: number;
  /** In the order of their last use. A log stays after its last stream, so that a broken stream can resume. */
  readonly #logs = new Map<string, EventLog>();

  /** `limit`: how many events a log keeps. */
  constructor(link: EventPublisher, limit = KEPT_EVENTS) {
    this.#link = link;
    this.#limit = limit;
  }

  /** The log for a new listener of the wallet; default: the one of calls without a name. */
  use(wallet = DEFAULT_WALLET): EventLog {
    const log = this.#logs.get(wallet) ?? new EventLog(this.#link, newRun(), wallet, this.#limit);
    this.#logs.delete(wallet);
    this.#drop();
    this.#logs.set(wallet, log);
    return log;
  }

  /** The name is another wallet's from now on, or nobody's: what is kept under it is for nobody. */
  forget(wallet: string): void {
    this.#logs.get(wallet)?.begin(newRun());
  }

  close(): void {
    for (const log of this.#logs.values()) log.close();
  }

  #drop(): void {
    for (const [wallet, log] of this.#logs) {
      if (this.#logs.size < KEPT_LOGS) return;
      if (log.isFollowed) continue;
      log.close();
      this.#logs.delete(wallet);
    }
  }
}
