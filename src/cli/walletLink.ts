// The link with calls for one wallet.

import type { Dispatcher } from '../protocol/link.ts';

/** Undefined: the default wallet. */
export const ofWallet = (link: Dispatcher, wallet: string | undefined): Dispatcher =>
  wallet === undefined
    ? link
    : { dispatch: (name, input, context) => link.dispatch(name, input, { ...context, wallet }) };
