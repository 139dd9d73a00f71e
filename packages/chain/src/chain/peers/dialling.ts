// Where peers are, and how a connection to one is opened: the one place that opens sockets to them.

import { connect, isIP, type Socket } from 'node:net';
import type { After } from '@wallet-companion/base/async';
import { DIRECT, type WayTo } from '@wallet-companion/base/proxy';
import { parsePeerAddress } from '@wallet-companion/client/contract';
import type { Network } from '@wallet-companion/zcash/network';
import type { PeerPlace } from './addressBook.ts';

const DIAL_MS = 5_000;

/** Where nodes listen. */
export const PEER_PORT: Readonly<Record<Network, number>> = { main: 8_233, test: 18_233, regtest: 18_344 };

/** Names that resolve to nodes which were seen lately. None is trusted: each gives some of the addresses. */
const SEEDS: Readonly<Record<Network, readonly string[]>> = {
  main: [
    'dnsseed.str4d.xyz',
    'dnsseed.z.cash',
    'mainnet.seeder.shieldedinfra.net',
    'mainnet.seeder.zfnd.org',
    'seeder.zec.rocks',
  ],
  test: ['dnsseed.testnet.z.cash', 'seeder.testnet.zec.rocks', 'testnet.seeder.zfnd.org'],
  regtest: [],
};
/** Addresses that are taken of one name's answer, so that none decides whom we know. */
const MOST_OF_SEED = 25;

/** The IP addresses of a name, or the name where a proxy looks it up. Rejects where there are none. */
export type Resolve = (name: string) => Promise<readonly string[]>;

/** What all seeds of a network name, drawn; empty where none answers. `random`: an integer below the bound. */
export async function seedPlaces(
  network: Network,
  resolve: Resolve,
  random: (bound: number) => number,
): Promise<PeerPlace[]> {
  const answers = await Promise.allSettled(SEEDS[network].map((name) => resolve(name)));
  return answers.flatMap((answer, at) => {
    const hosts = answer.status === 'fulfilled' ? [...answer.value] : [];
    const taken: PeerPlace[] = [];
    while (taken.length < MOST_OF_SEED && hosts.length > 0) {
      const [host = ''] = hosts.splice(random(hosts.length), 1);
      // The name itself: a proxy looks it up when it is dialled.
      if (isIP(host) !== 0 || host === SEEDS[network][at]) taken.push({ host, port: PEER_PORT[network] });
    }
    return taken;
  });
}

/** The places that config.json names; what is no address is left out. Rejects never. */
export async function namedPlaces(
  texts: readonly string[],
  network: Network,
  resolve: Resolve,
): Promise<PeerPlace[]> {
  const places = await Promise.all(
    texts.map(async (text) => {
      const { host, port = PEER_PORT[network] } = parsePeerAddress(text) ?? {};
      if (host === undefined) return [];
      const hosts = isIP(host) === 0 ? await resolve(host).catch(() => []) : [host];
      return hosts.slice(0, 1).map((one) => ({ host: one, port }));
    }),
  );
  return places.flat();
}

/** Opens a TCP connection, in five seconds or not at all; a proxy may take longer. */
export async function dialTcp(
  { host, port }: PeerPlace,
  after: After,
  wayTo: WayTo = DIRECT,
): Promise<Socket> {
  const way = wayTo(host);
  if (way.kind === 'proxy') return way.route.open({ host, port });
  if (way.kind === 'none') throw new Error('a .onion address needs a proxy');
  return new Promise((resolve, reject) => {
    const socket = connect({ host, port, noDelay: true });
    const cancel = after(DIAL_MS, () => socket.destroy(new Error('the connection was not opened in time')));
    socket.once('error', (error) => {
      cancel();
      reject(error);
    });
    socket.once('connect', () => {
      cancel();
      resolve(socket);
    });
  });
}
