// Where requests leave this machine: through the proxy or directly, and whether the proxy takes us. The user must see what goes
// beside it before somebody else does.

import { isServerOnThisMachine } from '@wallet-companion/client/contract';
import type { Check } from '../../protocol/operations/system.ts';
import type { Output } from '../../protocol/operations.ts';
import type { PriceSource } from '../../protocol/prices.ts';
import { fail, ok } from './check.ts';

export interface OutgoingView {
  /** As at the start. */
  readonly proxy: string | null;
  readonly proxy_isolation: boolean;
  readonly broadcast: string;
  readonly on_event: readonly { readonly url?: string | undefined }[];
  readonly price_source: PriceSource | null;
  /** Why the proxy cannot be used; undefined where it can. */
  readonly fault: () => Promise<string | undefined>;
}

type Servers = Pick<Output<'config.get'>, 'node_url' | 'compact_server_url'>;

const BESIDE = 'programs that config.json names, a fleet, and the bridge to BTCPay';

/** `servers`: as they are configured now; undefined where they are not known. */
export async function proxyCheck(view: OutgoingView, servers: Servers | undefined): Promise<Check> {
  const { proxy, proxy_isolation, broadcast, on_event, price_source } = view;
  if (proxy === null) return ok('proxy', 'No proxy is set: other servers see the address of this machine.');
  const fault = await view.fault();
  if (fault !== undefined)
    return fail(
      'proxy',
      `${proxy}: ${fault}. Nothing goes around it, so other servers cannot be reached.`,
      'Start the proxy, or correct proxy and proxy_isolation in config.json and start the companion again.',
    );
  const hooks = on_event.flatMap(({ url }) => (url === undefined ? [] : [url]));
  const ways: readonly (readonly [string, readonly string[]])[] = [
    ['node', [servers?.node_url ?? '']],
    ['compact server', [servers?.compact_server_url ?? '']],
    ['sending', broadcast === 'source' || broadcast === 'peers' ? [] : [broadcast]],
    ['hooks', hooks],
    ['prices', price_source !== null && 'url' in price_source ? [price_source.url] : []],
  ];
  const asked = ways.filter(([, urls]) => urls.length > 0);
  const near = asked.filter(([, urls]) => urls.every(isHere)).map(([name]) => name);
  const far = [...asked.filter(([, urls]) => !urls.every(isHere)).map(([name]) => name), 'peers'];
  const logins = proxy_isolation ? ', each server with a login of its own' : ', without logins';
  const here = near.length === 0 ? '' : ` On this machine, so directly: ${near.join(', ')}.`;
  return ok('proxy', `Through ${proxy}: ${far.join(', ')}${logins}.${here} Not through it: ${BESIDE}.`);
}

const isHere = (url: string): boolean => {
  const whole = /^[a-z][a-z0-9+.-]*:\/\//i.test(url) ? url : `http://${url}`;
  return URL.canParse(whole) && isServerOnThisMachine(new URL(whole).hostname);
};
