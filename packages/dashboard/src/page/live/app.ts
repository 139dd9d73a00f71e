// What every part of the page uses: the companion, the state, the reader's formats. A page has one of each.

import { Formats } from '../../model/amounts.ts';
import { Store } from './store.ts';
import { httpTransport, windowTransport } from './transport.ts';

export const isWindow = !/^https?:$/.test(location.protocol);
const transport = isWindow ? windowTransport() : httpTransport();

export const { call } = transport;
export const store = new Store(transport);
export const formats = new Formats();
