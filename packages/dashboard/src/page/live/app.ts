// What every part of the page uses: the companion, the state, the reader's formats. A page has one of each, and one
// wallet: choosing another one loads the page anew, so that nothing of the one before is left.

import { Formats } from '../../model/amounts.ts';
import { hashOf, type Place, placeIn } from '../../model/place.ts';
import { languages } from './language.ts';
import { Store } from './store.ts';
import { httpTransport, windowTransport } from './transport.ts';

export const isWindow = !/^https?:$/.test(location.protocol);
/** Undefined: the default one. */
export const { wallet } = placeIn(location.hash);
const transport = (isWindow ? windowTransport : httpTransport)(wallet);

/** The address of a page of this wallet. */
export const to = (page: string): string => hashOf({ wallet, page });
type OfWallet = Omit<Place, 'wallet'>;
/** The same from the page for devices. */
export const dashboardHref = (place: OfWallet): string => `/${hashOf({ wallet, ...place })}`;
/** The page that alone may use camera and USB devices. */
export const deviceHref = (place: OfWallet): string => `/device${hashOf({ wallet, ...place })}`;

export const store = new Store(transport, wallet);
export const { call } = store;
export const formats = new Formats(languages);
/** Below it nothing counts as confirmed, whatever the rule. */
export const leastConfirmations = (): number => store.config?.min_confirmations ?? 1;
