// The link with calls for one wallet.

import type { Link } from '../protocol/link.ts';

/** Undefined: the default wallet. */
export const ofWallet = (link: Pick<Link, 'dispatch'>, wallet: string | undefined): Pick<Link, 'dispatch'> =>
  wallet === undefined
    ? link
    : { dispatch: (name, input, context) => link.dispatch(name, input, { ...context, wallet }) };
