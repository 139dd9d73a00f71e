// The companion itself.

import type { FeatureHandlers } from '../../../protocol/operations.ts';
import type { WalletContext } from '../wallet/walletContext.ts';

export const systemHandlers = ({ environment, params }: WalletContext): FeatureHandlers<'system'> => ({
  'system.version': () => ({
    name: 'wallet-companion',
    version: environment.version,
    api_version: 1 as const,
    network: params.network,
    features: [],
  }),
});
