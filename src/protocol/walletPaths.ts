// Paths below a named wallet, as routes and documents have them.

import { WALLETS } from '@wallet-companion/client/contract';

/** The placeholder in routes and documents. */
export const WALLET_PARAMETER = '{wallet}';

/** Splits a path below a wallet; `name` is as written in the path, unchecked. Undefined for any other path. */
export function splitWalletPath(
  path: string,
): { readonly name: string; readonly path: `/api/${string}` } | undefined {
  if (!path.startsWith(WALLETS)) return undefined;
  const rest = path.slice(WALLETS.length);
  const slash = rest.indexOf('/');
  return slash === -1 ? undefined : { name: rest.slice(0, slash), path: `/api/${rest.slice(slash + 1)}` };
}
