// Which wallet a request is for: the one that its path names, or the default one.

import { checkedWallet } from '@wallet-companion/client/contract';
import type { Context } from 'koa';
import { splitWalletPath } from '../protocol/walletPaths.ts';

/**
 * Undefined for the default wallet. The name is used as written in the path: a name with escapes is invalid. Throws
 * `INVALID_REQUEST`.
 */
export const walletIn = ({ path }: Pick<Context, 'path'>): string | undefined =>
  checkedWallet(splitWalletPath(path)?.name);

/** The wallet that a request without an operation is about. Throws `INVALID_REQUEST`. */
export const wantedWallet = (context: Context, place: 'path' | 'query'): string | undefined =>
  place === 'path' ? walletIn(context) : checkedWallet(context.query['wallet']);
