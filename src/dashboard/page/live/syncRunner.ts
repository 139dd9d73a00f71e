// A sync that this page asked for: request after request until nothing is left, with what came of it. It goes on while
// the person looks at other pages, and is the companion's own work: a closed page stops at the end of a request.

import { CompanionError } from '../../../client/client.ts';
import { syncToTip } from '../../../client/syncToTip.ts';
import type { Store } from './store.ts';

export type Source = 'node' | 'compact';

export class SyncRunner {
  readonly #store: Store;
  isRunning = false;
  /** How the last one that this page asked for ended. */
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
