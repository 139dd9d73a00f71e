// A sync that this page started: request after request until nothing is left, and its result. It continues while the
// user looks at other pages. The companion does the scan: if the page is closed, it stops at the end of a request.

import { CompanionError, syncToTip } from '@wallet-companion/client';
import type { Store } from './store.ts';

export type Source = 'node' | 'compact';

export class SyncRunner {
  readonly #store: Store;
  isRunning = false;
  /** How the last sync of this page failed. */
  problem: string | undefined;

  constructor(store: Store) {
    this.#store = store;
  }

  async run(source: Source): Promise<void> {
    if (this.isRunning) return;
    this.isRunning = true;
    this.problem = undefined;
    this.#store.set({});
    try {
      await this.#toTip(source);
    } catch (thrown) {
      if (!(thrown instanceof CompanionError)) this.problem = 'The scan ended unexpectedly.';
      else if (thrown.code !== 'WALLET_LOCKED') this.problem = thrown.message;
    } finally {
      this.isRunning = false;
      this.#store.set({});
    }
  }

  async #toTip(source: Source): Promise<void> {
    const store = this.#store;
    for await (const step of syncToTip(store.transport.call, { source, pollMs: 1_000 })) {
      if (step.kind === 'progress') store.progressed(step.progress);
      else {
        const { chain_tip } = step.summary;
        store.set({ sync: store.sync && { ...store.sync, chain_tip } });
        void store.refreshFunds();
      }
    }
  }
}
