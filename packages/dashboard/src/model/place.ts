// Which wallet, page and item the fragment of the address names: `#/activity`, `#savings/activity` for another wallet than the
// default one, `#/pay/ID` for one payment. A fragment stays in the browser and needs no storage.

import { isOtherWalletName } from '@wallet-companion/client/contract';

export interface Place {
  /** Undefined: the default one. */
  readonly wallet: string | undefined;
  readonly page: string;
  /** What the page shows, for example one payment. */
  readonly item?: string;
}

export function placeIn(hash: string): Place {
  const [, name = '', page = '', item] = /^#([^/]*)\/([^/]*)(?:\/(.*))?$/.exec(hash) ?? [];
  const wallet = isOtherWalletName(name) ? name : undefined;
  return { wallet, page, ...(item === undefined ? {} : { item }) };
}

/** `#code=CODE` is how the owner's command opens a page; what names a page can follow it. `rest`: the fragment without it. */
export function withoutCode(hash: string): { readonly code: string | undefined; readonly rest: string } {
  const [, code, rest = hash] = /^#code=([\w-]*)(.*)$/.exec(hash) ?? [];
  return { code, rest };
}

export const hashOf = ({ wallet = '', page, item }: Place): string =>
  `#${[wallet, page, ...(item === undefined ? [] : [item])].join('/')}`;
