// Which wallet and which page the fragment of the address names: `#/activity`, and `#savings/activity` for another wallet than
// the default one. A fragment stays in the browser and needs no storage.

import { isOtherWalletName } from '@wallet-companion/client/contract';

export interface Place {
  /** Undefined: the default one. */
  readonly wallet: string | undefined;
  readonly page: string;
}

export function placeIn(hash: string): Place {
  const [, name = '', page = ''] = /^#([^/]*)\/(.*)$/.exec(hash) ?? [];
  return { wallet: isOtherWalletName(name) ? name : undefined, page };
}

export const hashOf = ({ wallet = '', page }: Place): string => `#${wallet}/${page}`;
