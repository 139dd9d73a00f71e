// Fifty peers that flood, stall, withhold and send too much cost little memory, and keep nobody from the honest one among them.

import { setTimeout as turn } from 'node:timers/promises';
import { Devnet } from '@wallet-companion/devnet';
import { type PeerFault, PeerServer } from '@wallet-companion/devnet/servers';
import { regtestParameters } from '@wallet-companion/zcash/network';
import test from 'ava';
import { networkPeers } from '../../helpers/networkPeers.ts';

const KINDS: readonly PeerFault['kind'][] = ['flood', 'deaf', 'drip', 'huge', 'stall', 'garbage'];
const HOSTILE = 50;
/** Those without headers are no worse than peers that are behind: they may stay, and these are less than are wanted. */
const WITHHOLDING = 3;
/** Eight connections with a message of at most 2 MiB each, what a few of its announcements are in memory, the servers', and garbage. */
const MOST_BYTES = 192 * 2 ** 20;
/** Limits of time are shorter by it: 20 s for an answer are two. */
const HASTE = 10;
const SAMPLE_MS = 5;

test('fifty hostile peers are left one after the other, in little memory, and the honest one is followed', async (t) => {
  const params = regtestParameters();
  const devnet = new Devnet({ params });
  t.teardown(() => devnet.close());
  devnet.mineEmpty(30);
  const honest = new PeerServer(devnet);
  const hostile = Array.from({ length: HOSTILE }, (_, i) => {
    const server = new PeerServer(devnet);
    server.misbehave({ kind: i < WITHHOLDING ? 'withhold' : KINDS[i % KINDS.length]! });
    return server;
  });
  for (const server of [honest, ...hostile]) t.teardown(() => server.close());
  const addresses = await Promise.all([...hostile, honest].map((one) => one.listen()));
  const { peers, left } = networkPeers(t, addresses, params, {
    after: (ms, strike) => {
      const timer = setTimeout(strike, ms / HASTE);
      return () => clearTimeout(timer);
    },
  });
  const used = (): number => {
    const { heapUsed, arrayBuffers } = process.memoryUsage();
    return heapUsed + arrayBuffers;
  };
  const before = used();
  let most = before;
  await peers.start();
  const isLeft = (address: string): boolean =>
    left.some((one) => one.startsWith(`${address.split(':')[1]}: `));
  const bad = addresses.slice(WITHHOLDING, HOSTILE);
  while (!bad.every(isLeft) || peers.view().agreeing === 0) {
    await turn(SAMPLE_MS);
    most = Math.max(most, used());
  }
  t.log(`${Math.round((most - before) / 2 ** 20)} MiB at most`);
  t.true(most - before < MOST_BYTES, `${most - before}`);
  t.is(peers.view().height, 30);
  t.true(hostile.every(({ received }) => received.length > 0));
});
