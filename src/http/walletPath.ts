// Which wallet a request means: the one that its path names, and else the default one.

import type { Context } from 'koa';
import { checkedWallet, splitWalletPath } from '../protocol/walletNames.ts';

/**
 * Undefined for the default wallet. The name is taken as it stands in the path: one that is spelt with escapes is none.
 * Throws `INVALID_REQUEST`.
 */
export const walletIn = ({ path }: Pick<Context, 'path'>): string | undefined =>
  checkedWallet(splitWalletPath(path)?.name);
