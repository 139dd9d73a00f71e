// Follow mode: scanning new blocks while the wallet is open.

import type { FeatureHandlers } from '../../../protocol/operations.ts';
import type { Following } from './following.ts';

export const followHandlers = ({
  following,
}: {
  readonly following: Following;
}): FeatureHandlers<'follow'> => ({
  'follow.get': () => following.status(),
  'follow.set': (input, context) => following.set(input, context),
});
