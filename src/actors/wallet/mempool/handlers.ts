// Unmined transactions of an open wallet.

import type { FeatureHandlers } from '../../../protocol/operations.ts';
import type { WalletContext } from '../walletContext.ts';
import { mempoolView } from './mempoolView.ts';

export function mempoolHandlers({ sessions, mempool }: WalletContext): FeatureHandlers<'mempool'> {
  const view = (account: number | undefined) => {
    const session = sessions.use(account);
    return mempoolView(session, mempool.state(session), account);
  };
  return {
    'mempool.list': ({ account }) => view(account),
    'mempool.look': async ({ account, source }) => {
      sessions.use(account);
      await mempool.look(source ?? 'node');
      return view(account);
    },
  };
}
