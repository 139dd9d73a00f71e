// Follow mode: scanning new blocks while the wallet is open.

import type { FeatureHandlers } from '../../../protocol/operations.ts';
import type { WalletContext } from '../wallet/walletContext.ts';

export const followHandlers = ({ following }: WalletContext): FeatureHandlers<'follow'> => ({
  'follow.get': () => following.status(),
  'follow.set': (input, context) => following.set(input, context),
});
