// A scan that this page started: request after request until nothing is left. It continues while the user looks at
// other pages. The companion does the work: if the page is closed, it stops at the end of a request.

import { CompanionError, syncToTip } from '@wallet-companion/client';
import type { Store } from './store.ts';

export type Source = 'node' | 'compact';

export async function scan(store: Store, source: Source): Promise<void> {
  if (store.isScanning) return;
  let scanProblem: string | undefined;
  store.set({ isScanning: true, scanProblem });
  try {
    for await (const step of syncToTip(store.call, { source, pollMs: 1_000 })) {
      if (step.kind === 'progress') store.progressed(step.progress);
      else {
        store.set({ sync: store.sync && { ...store.sync, chain_tip: step.summary.chain_tip } });
        void store.refreshFunds();
      }
    }
  } catch (thrown) {
    if (!(thrown instanceof CompanionError)) scanProblem = 'The scan ended unexpectedly.';
    else if (thrown.code !== 'WALLET_LOCKED') scanProblem = thrown.message;
  }
  store.set({ isScanning: false, scanProblem });
}
