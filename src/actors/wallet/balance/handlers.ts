// The balance of an open wallet.

import type { FeatureHandlers } from '../../../protocol/operations.ts';
import { unminedSums } from '../mempool/mempoolView.ts';
import { spendableNow } from '../payments/spendable.ts';
import type { WalletContext } from '../wallet/walletContext.ts';
import { balanceView } from './balanceView.ts';

export const balanceHandlers = (context: WalletContext): FeatureHandlers<'balance'> => ({
  'balance.get': (input, caller) => {
    const { environment, sessions, mempool, params, payments } = context;
    const { min_confirmations: confirmations } = environment.configFile.get();
    const session = sessions.read(caller, input.account);
    const unmined = unminedSums(session, mempool.state(session), input.account);
    const { total_zatoshi, ...balance } = balanceView(
      session.noteStore,
      input,
      confirmations,
      params,
      unmined,
      payments.reservedBy(session),
    );
    return {
      total_zatoshi,
      ...spendableNow(context, session, input.account),
      ...balance,
    };
  },
});
