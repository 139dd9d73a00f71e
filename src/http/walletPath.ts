// Which wallet a request is for: the one that its path names, or the default one.

import type { Context } from 'koa';
import { checkedWallet, splitWalletPath } from '../protocol/walletNames.ts';

/**
 * Undefined for the default wallet. The name is used as written in the path: a name with escapes is invalid. Throws
 * `INVALID_REQUEST`.
 */
export const walletIn = ({ path }: Pick<Context, 'path'>): string | undefined =>
  checkedWallet(splitWalletPath(path)?.name);
