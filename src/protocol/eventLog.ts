// The latest events with ids, so that a broken stream can resume where it was. An id also names the run of the
// companion: numbers start again after a restart, and an old id must not be mistaken for a new one.

import { joinApart } from '@wallet-companion/base/memory';
import { type CompanionEvent, type EventListener, type EventsMissed, MISSED } from './events.ts';
import type { EventPublisher } from './link.ts';

/** A scan commits a few times a second at most, so this covers minutes and needs at most a megabyte. */
export const KEPT_EVENTS = 1024;

export interface LoggedEvent {
  readonly id: string;
  readonly event: CompanionEvent | EventsMissed;
}

/** `texts`: a copy of those that an `EventListener` gets, until the lock. */
type KeptEvent = LoggedEvent & { readonly texts?: Uint8Array };

/** `texts` are the same as an `EventListener` gets. */
export type LogListener = (logged: LoggedEvent, texts?: Uint8Array) => void;

export class EventLog {
  #run: string;
  readonly #limit: number;
  readonly #listeners = new Set<LogListener>();
  readonly #unsubscribe: () => void;
  #kept: KeptEvent[] = [];
  #count = 0;

  /** `run` distinguishes this run of the companion from others; letters, digits and dashes. */
  constructor(link: EventPublisher, run: string, wallet?: string, limit = KEPT_EVENTS) {
    this.#run = run;
    this.#limit = limit;
    this.#unsubscribe = link.subscribe(
      (...happened: Parameters<EventListener>) => this.#add(...happened),
      wallet,
    );
  }

  get lastId(): string {
    return this.#id(this.#count);
  }

  get isFollowed(): boolean {
    return this.#listeners.size > 0;
  }

  /**
   * `after`: what came after the event with that id is passed on first, during the call. When the log no longer has all of it,
   * `events.missed` comes first, and after an id of another run the events of this one.
   */
  follow(listener: LogListener, after?: string): () => void {
    if (after !== undefined)
      for (const { id, event, texts } of this.#since(after)) listener({ id, event }, texts);
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  /** Forgets all events: the listeners read the state anew, and no id from before is known. */
  begin(run: string): void {
    this.#wipe();
    this.#kept = [];
    this.#run = run;
    this.#count = 0;
    for (const listener of this.#listeners) listener(this.#missedBefore(0));
  }

  close(): void {
    this.#unsubscribe();
    this.#listeners.clear();
    this.#wipe();
  }

  #missedBefore(number: number): KeptEvent {
    return { id: this.#id(number), event: MISSED };
  }

  #id(number: number): string {
    return `${this.#run}.${number}`;
  }

  #since(id: string): readonly KeptEvent[] {
    const firstKept = this.#count - this.#kept.length + 1;
    const [run, text = ''] = id.split('.');
    const isOurs = run === this.#run;
    const number = !isOurs ? 0 : /^\d{1,15}$/.test(text) ? Number(text) : Number.NaN;
    if (!(number >= firstKept - 1 && number <= this.#count)) return [this.#missedBefore(this.#count)];
    const kept = this.#kept.slice(number - firstKept + 1);
    return isOurs ? kept : [this.#missedBefore(0), ...kept];
  }

  #add(event: CompanionEvent, texts?: Uint8Array): void {
    this.#count += 1;
    const logged = { id: this.#id(this.#count), event };
    this.#kept.push(texts === undefined ? logged : { ...logged, texts: joinApart(texts) });
    if (this.#kept.length > this.#limit) this.#kept.shift()?.texts?.fill(0);
    // Amounts and addresses are for open sessions: a client that resumes after the lock must not receive them here.
    if (event.event === 'wallet.locked') {
      this.#wipe();
      this.#kept = this.#kept.map(withoutSecrets);
    }
    for (const listener of this.#listeners) listener(logged, texts);
  }

  #wipe(): void {
    for (const { texts } of this.#kept) texts?.fill(0);
  }
}

function withoutSecrets({ id, event }: KeptEvent): KeptEvent {
  switch (event.event) {
    // Amounts, addresses and texts are what it consists of.
    case 'invoice.changed':
      return { id, event: MISSED };
    case 'note.memo':
    case 'note.received': {
      const { account, pool, height, txid, output_index } = event.data;
      return { id, event: { event: event.event, data: { account, pool, height, txid, output_index } } };
    }
    case 'note.seen': {
      const { account, pool, txid, output_index, expiry_height } = event.data;
      return {
        id,
        event: { event: event.event, data: { account, pool, txid, output_index, expiry_height } },
      };
    }
    case 'transaction.vanished': {
      const { txid, reason } = event.data;
      return { id, event: { event: event.event, data: { txid, reason } } };
    }
    case 'transaction.unmined': {
      const { txid, state } = event.data;
      return { id, event: { event: event.event, data: { txid, state } } };
    }
    case 'note.spent': {
      const { value_zatoshi: _, ...data } = event.data;
      return { id, event: { event: event.event, data } };
    }
    default:
      return { id, event };
  }
}
