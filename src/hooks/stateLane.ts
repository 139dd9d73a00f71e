// The state events for one hook: delivered as they happen. When too many wait, the oldest is dropped, and an event is
// dropped after a few failed deliveries: a client can request the state at any time.

import type { CompanionEvent } from '@wallet-companion/client/contract';
import type { HookEvent, StateEvent } from '../protocol/hookEvents.ts';

const MAX_WAITING = 100;
const MAX_TRIES = 5;

export interface Waiting {
  readonly event: StateEvent;
  data: object;
  readonly id: string;
  tries: number;
}

/** The name and data of an event for the hook; undefined for an event that is no state event. */
function itemOf(heard: CompanionEvent): { event: StateEvent; data: object } | undefined {
  switch (heard.event) {
    case 'wallet.unlocked':
    case 'wallet.locked':
    case 'server.changed':
    case 'transaction.unmined':
    case 'payment.changed':
    case 'wallet.behind':
    case 'disk.low':
    case 'reorg':
      return { event: heard.event, data: heard.data };
    case 'sync.finished':
      return heard.data.ok ? undefined : { event: 'sync.failed', data: { code: heard.data.code } };
    default:
      return undefined;
  }
}

function withoutAmounts(data: object): object {
  const { received_zatoshi: _, spent_zatoshi: __, ...rest } = data as Readonly<Record<string, unknown>>;
  return rest;
}

export class StateLane {
  readonly #wanted: readonly HookEvent[];
  readonly #newId: () => string;
  readonly #waiting: Waiting[] = [];
  /** Repeated failures of the same kind are reported once. */
  #syncFailure: string | undefined;
  #dropped = 0;

  constructor(wanted: readonly HookEvent[], newId: () => string) {
    this.#wanted = wanted;
    this.#newId = newId;
  }

  get first(): Waiting | undefined {
    return this.#waiting[0];
  }

  get count(): number {
    return this.#waiting.length;
  }

  get dropped(): number {
    return this.#dropped;
  }

  hear(heard: CompanionEvent): void {
    // Amounts are for open sessions.
    if (heard.event === 'wallet.locked') for (const one of this.#waiting) one.data = withoutAmounts(one.data);
    if (this.#isRepeated(heard)) return;
    const found = itemOf(heard);
    if (found === undefined || !this.#wanted.includes(found.event)) return;
    this.#waiting.push({ ...found, id: this.#newId(), tries: 0 });
    if (this.#waiting.length <= MAX_WAITING) return;
    this.#waiting.shift();
    this.#dropped += 1;
  }

  arrived(one: Waiting): void {
    if (this.#waiting[0] === one) this.#waiting.shift();
  }

  failed(one: Waiting): void {
    one.tries += 1;
    if (one.tries < MAX_TRIES || this.#waiting[0] !== one) return;
    this.#waiting.shift();
    this.#dropped += 1;
  }

  #isRepeated(heard: CompanionEvent): boolean {
    if (heard.event !== 'sync.finished') return false;
    const code = heard.data.ok ? undefined : heard.data.code;
    const isRepeated = code !== undefined && code === this.#syncFailure;
    this.#syncFailure = code;
    return isRepeated;
  }
}
