// Unmined transactions of an open wallet.

import type { FeatureHandlers } from '../../../protocol/operations.ts';
import type { SessionContext } from '../session/sessions.ts';
import { blockSource } from '../source/blockSource.ts';
import { mempoolView } from './mempoolView.ts';
import type { MempoolWatch } from './mempoolWatch.ts';

export function mempoolHandlers({
  environment,
  sessions,
  mempool,
}: SessionContext & { readonly mempool: MempoolWatch }): FeatureHandlers<'mempool'> {
  const view = (account: number | undefined) => {
    const session = sessions.use(account);
    return mempoolView(session, mempool.state(session), account);
  };
  return {
    'mempool.list': ({ account }) => view(account),
    'mempool.look': async ({ account, source }) => {
      sessions.use(account);
      await mempool.look(await blockSource(environment, source));
      return view(account);
    },
  };
}
