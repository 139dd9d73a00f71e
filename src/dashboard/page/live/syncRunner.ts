// A sync that this page started: request after request until nothing is left, and its result. It continues while the
// user looks at other pages. The companion does the scan: if the page is closed, it stops at the end of a request.

import { CompanionError, syncToTip } from '@wallet-companion/client';
import type { Store } from './store.ts';

export type Source = 'node' | 'compact';

export class SyncRunner {
  readonly #store: Store;
  isRunning = false;
  /** How the last sync of this page ended. */
  outcome: { readonly ok: boolean; readonly text: string } | undefined;

  constructor(store: Store) {
    this.#store = store;
  }

  async run(source: Source): Promise<void> {
    if (this.isRunning) return;
    this.isRunning = true;
    this.outcome = undefined;
    this.#store.changed();
    try {
      this.outcome = { ok: true, text: await this.#toTip(source) };
    } catch (thrown) {
      const isLocked = thrown instanceof CompanionError && thrown.code === 'WALLET_LOCKED';
      this.outcome = isLocked
        ? undefined
        : {
            ok: false,
            text: thrown instanceof CompanionError ? thrown.message : 'The scan ended unexpectedly.',
          };
    } finally {
      this.isRunning = false;
      this.#store.changed();
    }
  }

  async stop(): Promise<void> {
    await this.#store.transport.call('sync.cancel');
  }

  async #toTip(source: Source): Promise<string> {
    const { transport } = this.#store;
    for await (const step of syncToTip(transport.call, { source, pollMs: 1_000 })) {
      if (step.kind === 'progress') {
        this.#store.progressed(step.progress);
        continue;
      }
      const { cancelled, chain_tip } = step.summary;
      if (this.#store.sync !== undefined) this.#store.sync = { ...this.#store.sync, chain_tip };
      void this.#store.refreshFunds();
      if (cancelled) return 'Stopped. What was scanned is kept.';
    }
    return 'Up to date.';
  }
}
