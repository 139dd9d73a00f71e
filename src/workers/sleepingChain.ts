// The chain side of a command that may have no question for it: its thread starts with the first one, and gets the last
// settings from before.

import type { ChainService, ChainSettings } from '@wallet-companion/chain/ports';

export class SleepingChain {
  readonly #chain: ChainService;
  readonly #start: (configured: Promise<void>) => void;
  #kept: ChainSettings | undefined;
  #isAsleep = true;
  readonly service: ChainService;

  /** `start`: called once, with a promise that settles when the thread has the settings. */
  constructor(chain: ChainService, start: (configured: Promise<void>) => void) {
    this.#chain = chain;
    this.#start = start;
    const waking = Object.entries(chain).map(([method, call]) => [
      method,
      (argument: never) => {
        this.wake();
        return call(argument);
      },
    ]);
    this.service = {
      ...(Object.fromEntries(waking) as ChainService),
      configure: async (settings) => {
        if (!this.#isAsleep) return chain.configure(settings);
        this.#kept = settings;
      },
    };
  }

  get isAsleep(): boolean {
    return this.#isAsleep;
  }

  wake(): void {
    if (!this.#isAsleep) return;
    this.#isAsleep = false;
    this.#start(this.#kept === undefined ? Promise.resolve() : this.#chain.configure(this.#kept));
  }
}
