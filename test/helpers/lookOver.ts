// Waits until follow mode is between two looks, or does not run.

import { until } from './until.ts';
import type { WalletHarness } from './walletHarness.ts';

/** As long as it takes: the servers asked are in this process. */
export const lookOver = ({ call }: Pick<WalletHarness, 'call'>): Promise<void> =>
  until(async () => {
    const { state, next_look_at } = await call('follow.get');
    return next_look_at !== null || state === 'off' || state === 'waiting_for_unlock';
  });
