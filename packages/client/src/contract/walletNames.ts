// Names of a companion's wallets. A name becomes a folder and a part of an HTTP path, so its form is narrow: no name has
// a special meaning in a file system or a URL.

import { badField, type CompanionError } from './errors.ts';

/** The wallet of every call without a name. */
export const DEFAULT_WALLET = 'default';

const NAME = /^[a-z0-9][a-z0-9-]{0,31}$/;
/** Device names on Windows, reserved in every folder. */
const DEVICE = /^(?:con|prn|aux|nul|com\d|lpt\d)$/;

const RULE = 'must be 1 to 32 lower-case letters, digits and dashes, beginning with a letter or digit';

const invalidName = (message: string): CompanionError =>
  badField('wallet', message, `The name of a wallet ${message}.`);

/** Whether a wallet other than the default one, and so a folder, can have this name. */
export const isOtherWalletName = (text: string): boolean =>
  NAME.test(text) && !DEVICE.test(text) && text !== DEFAULT_WALLET;

/** Undefined for the default wallet. Throws `INVALID_REQUEST`; the error does not contain the name. */
export function checkedWallet(name: unknown): string | undefined {
  if (name === undefined || name === DEFAULT_WALLET) return undefined;
  if (typeof name !== 'string' || !NAME.test(name)) throw invalidName(RULE);
  if (DEVICE.test(name)) throw invalidName('must not be one that Windows has for a device');
  return name;
}

/** For messages, deliveries and log lines: those about the default wallet name none, as when there was no other. */
export const walletField = (wallet: string | undefined): { readonly wallet?: string } =>
  wallet === undefined || wallet === DEFAULT_WALLET ? {} : { wallet };

const API = '/api/';
/** What the paths of named wallets begin with. */
export const WALLETS = `${API}wallets/`;

/** The path of an operation of this wallet; `path` is the default wallet's. */
export const pathInWallet = (path: string, wallet: string | undefined): string =>
  wallet === undefined ? path : `${WALLETS}${wallet}/${path.slice(API.length)}`;
