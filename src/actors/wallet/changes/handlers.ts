// Changes of notes since a cursor.

import type { FeatureHandlers } from '../../../protocol/operations.ts';
import type { WalletContext } from '../wallet/walletContext.ts';
import { changesView, decodeSince } from './changesView.ts';

export const changesHandlers = ({ sessions }: WalletContext): FeatureHandlers<'changes'> => ({
  'changes.list': (input, caller) => {
    const since = decodeSince(input.since);
    return changesView(sessions, since, input, caller);
  },
});
