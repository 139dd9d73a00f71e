// Browser extensions that ask for access.

import type { FeatureHandlers } from '../../../protocol/operations.ts';
import type { WalletContext } from '../walletContext.ts';

export const pairingHandlers = ({ pairings }: WalletContext): FeatureHandlers<'pairing'> => ({
  'pairing.request': (input, { origin }) => pairings.request(input, origin),
  'pairing.list': () => pairings.list(),
  'pairing.allow': (input, caller) => pairings.allow(input, caller),
  'pairing.refuse': (input) => pairings.refuse(input),
  'pairing.revoke': (input, caller) => pairings.revoke(input, caller),
});
