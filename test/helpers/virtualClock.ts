// Time that passes only when told to, in which every timer strikes at its own moment, those too that others set.

import { ManualClock } from './walletHarness.ts';

interface Timer {
  at: number;
  readonly callback: () => void;
}

export class VirtualClock extends ManualClock {
  #now = Date.UTC(2026, 0, 1);
  /** How far the time of day went without the time that timers count. */
  #set = 0;
  readonly #timers = new Set<Timer>();

  override now(): number {
    return this.#now;
  }

  override elapsed(): number {
    return this.#now - this.#set;
  }

  override after(ms: number, callback: () => void): () => void {
    const timer = { at: this.#now + ms, callback };
    this.#timers.add(timer);
    return () => this.#timers.delete(timer);
  }

  override advance(ms: number): void {
    const end = this.#now + ms;
    while (this.#strikeBefore(end));
    if (ms < 0) this.#set += ms;
    this.#now = end;
  }

  /** As `advance`; what a timer sets going is waited for before time goes on. */
  async pass(ms: number, settled: () => Promise<void>): Promise<void> {
    const end = this.#now + ms;
    await settled();
    while (this.#strikeBefore(end)) await settled();
    this.#now = end;
  }

  /** The machine is suspended: the time of day goes on, and timers do not count it. */
  sleep(ms: number): void {
    this.#now += ms;
    this.#set += ms;
    for (const timer of this.#timers) timer.at += ms;
  }

  /** How many timers are set. */
  get timers(): number {
    return this.#timers.size;
  }

  #strikeBefore(end: number): boolean {
    let next: Timer | undefined;
    for (const timer of this.#timers) if (timer.at <= end && timer.at < (next?.at ?? Infinity)) next = timer;
    if (next === undefined) return false;
    this.#timers.delete(next);
    this.#now = Math.max(this.#now, next.at);
    next.callback();
    return true;
  }
}
