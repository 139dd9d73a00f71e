// Waits until follow mode is between two looks, or does not run.

import { setImmediate } from 'node:timers/promises';
import type { WalletHarness } from './walletHarness.ts';

/** As long as it takes: the servers asked are in this process. */
export async function lookOver({ call }: Pick<WalletHarness, 'call'>): Promise<void> {
  for (;;) {
    const { state, next_look_at } = await call('follow.get');
    if (next_look_at !== null || state === 'off' || state === 'waiting_for_unlock') return;
    await setImmediate();
  }
}
