// Tells BTCPay of payments and blocks, in the order in which they came, one at a time. A block lets it look at everything
// that is unpaid, so whatever was given up before is made up for by the next one.

import type { After } from '@wallet-companion/base/async';
import { statusFailure } from '../../http/calls/statusFailure.ts';

const MOST_WAITING = 1_000;
const MOST_TRIES = 8;
const FIRST_PAUSE_MS = 1_000;
const LONGEST_PAUSE_MS = 60_000;

export interface CallbacksContext {
  /** BTCPay's own address. */
  readonly base: string;
  readonly after: After;
  readonly report: (text: string) => void;
  readonly stop: AbortSignal;
}

export class Callbacks {
  readonly #context: CallbacksContext;
  #waiting: URL[] = [];
  #isWorking = false;

  constructor(context: CallbacksContext) {
    this.#context = context;
  }

  paid(txid: string, account: number): void {
    // Older plugins know account 0 only.
    this.#report('tx', { hash: txid, ...(account === 0 ? {} : { accountIndex: String(account) }) });
  }

  mined(hash: string): void {
    // One is enough for blocks that come one after another.
    if (this.#waiting.at(-1)?.pathname.endsWith('/block')) this.#waiting.pop();
    this.#report('block', { hash });
  }

  #report(what: 'tx' | 'block', query: Record<string, string>): void {
    const { base } = this.#context;
    const url = new URL(`zcashlikedaemoncallback/${what}`, base.endsWith('/') ? base : `${base}/`);
    url.search = new URLSearchParams({ cryptoCode: 'zec', ...query }).toString();
    if (this.#waiting.length >= MOST_WAITING) this.#waiting = [];
    this.#waiting.push(url);
    if (!this.#isWorking) void this.#work();
  }

  async #work(): Promise<void> {
    this.#isWorking = true;
    for (let next = this.#waiting.shift(); next !== undefined; next = this.#waiting.shift())
      await this.#deliver(next);
    this.#isWorking = false;
  }

  async #deliver(url: URL): Promise<void> {
    const { after, report, stop } = this.#context;
    for (let tries = 1; !stop.aborted; tries += 1) {
      const failure = await statusFailure(url, { method: 'GET' }, undefined, after, stop);
      if (failure === undefined || stop.aborted) return;
      if (tries === 1) report(`BTCPay does not take what it is told (${failure}); trying again.`);
      if (tries === MOST_TRIES) return report('Given up; the next block tells BTCPay to look again.');
      await this.#pause(Math.min(FIRST_PAUSE_MS * 2 ** (tries - 1), LONGEST_PAUSE_MS));
    }
  }

  #pause(ms: number): Promise<void> {
    const { after, stop } = this.#context;
    return new Promise((resolve) => {
      const end = (): void => {
        cancel();
        stop.removeEventListener('abort', end);
        resolve();
      };
      const cancel = after(ms, end);
      stop.addEventListener('abort', end);
    });
  }
}
