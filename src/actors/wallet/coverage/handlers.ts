// Which blocks were scanned, and which hashes prove it.

import type { FeatureHandlers } from '../../../protocol/operations.ts';
import type { WalletContext } from '../wallet/walletContext.ts';

export const coverageHandlers = ({ sessions, scans }: WalletContext): FeatureHandlers<'coverage'> => ({
  'coverage.get': ({ account }) => scans.coverage(sessions.use(account), account),
});
