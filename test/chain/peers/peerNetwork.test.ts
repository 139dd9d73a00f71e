// The network's own protocol over TCP, with devnets as the peers.
import { readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { setImmediate as turn } from 'node:timers/promises';
import { Devnet, type DevnetOptions } from '@wallet-companion/devnet';
import type { PeerFault } from '@wallet-companion/devnet/servers';
import { blockSecondsAt } from '@wallet-companion/zcash/blockTimes';
import { MAIN } from '@wallet-companion/zcash/network';
import { regtestWork } from '@wallet-companion/zcash/work';
import test, { type ExecutionContext } from 'ava';
import { networkPeers, until } from '../../helpers/networkPeers.ts';
import { temporaryFolder } from '../../helpers/temporaryFolder.ts';

async function peerOn(t: ExecutionContext, seed: string, blocks: number, options: DevnetOptions = {}) {
  const devnet = new Devnet({ seed, ...options });
  t.teardown(() => devnet.close());
  devnet.mineEmpty(blocks);
  return { devnet, address: await devnet.peer.listen() };
}
const portOf = (address: string): string => address.split(':')[1]!;

test('a chain is followed over TCP, each new block when it is announced, and past a reorganisation', async (t) => {
  const { devnet, address } = await peerOn(t, 'one', 400);
  const { peers } = networkPeers(t, [address]);
  t.is(peers.view().state, 'connecting');
  await peers.start();
  await until(() => peers.view().agreeing === 1);
  t.like(peers.view(), { state: 'current', peers: 1, height: 400 });
  const old = devnet.tip;
  t.is(peers.isOnBest(400, old.hash), true);
  t.is(peers.isOnBest(399, old.hash), false);
  t.is(peers.isOnBest(401, old.hash), undefined, 'nobody has shown it');
  devnet.mineEmpty(1);
  await until(() => peers.view().height === 401);
  devnet.reorganise(3);
  await until(() => peers.isOnBest(402, devnet.tip.hash) === true);
  t.is(peers.isOnBest(400, old.hash), false);
  t.true(peers.view().bytesToday > 401 * 140);
  await devnet.peer.close();
  await until(() => peers.view().peers === 0);
  t.is(peers.isOnBest(400, old.hash), undefined, 'without a peer nothing is said');
});

test('of two chains the one with more work counts, whichever peer shows it', async (t) => {
  const short = await peerOn(t, 'short', 30);
  const long = await peerOn(t, 'long', 31);
  const { peers } = networkPeers(t, [short.address, long.address]);
  await peers.start();
  // The shorter chain counts until the other one has come.
  await until(() => peers.isOnBest(30, short.devnet.tip.hash) === false && peers.view().peers === 2);
  t.is(peers.isOnBest(31, long.devnet.tip.hash), true);
  short.devnet.mineEmpty(1);
  await peers.refresh(1);
  await until(() => peers.isOnBest(31, short.devnet.tip.hash) === true);
  t.is(peers.isOnBest(31, long.devnet.tip.hash), true, 'of equal work neither is refused');
});

const LIES: readonly (readonly [PeerFault, RegExp])[] = [
  [{ kind: 'forged', at: 20 }, /follows none/],
  [{ kind: 'huge' }, /too long|longer|bytes/],
  [{ kind: 'garbage' }, /./],
  [{ kind: 'hang-up' }, /ended the connection/],
  [{ kind: 'stall', after: 3 }, /in time/],
];

for (const [fault, why] of LIES)
  test(`a peer that shows ${fault.kind} is left, and the others go on`, async (t) => {
    const honest = await peerOn(t, 'honest', 40);
    // Of a chain of its own, so that it has headers to show whichever peer is first.
    const liar = await peerOn(t, 'liar', 30);
    liar.devnet.peer.misbehave(fault);
    const { peers, left, pass } = networkPeers(t, [liar.address, honest.address]);
    await peers.start();
    await until(() => peers.view().agreeing === 1);
    // The honest one waits for news by now, and for no answer; the others end before their time is over.
    await until(() => {
      if (fault.kind === 'stall') pass(20_000);
      return left.length > 0;
    });
    t.is(left.length, 1);
    t.true(left[0]!.startsWith(portOf(liar.address)));
    t.regex(left[0]!, why);
    t.like(peers.view(), { peers: 1, height: 40 });
  });

test('peers that are behind or withhold are kept and change nothing', async (t) => {
  const honest = await peerOn(t, 'honest', 40);
  const stale = await peerOn(t, 'honest', 40);
  const mute = await peerOn(t, 'honest', 40);
  stale.devnet.peer.misbehave({ kind: 'stale', at: 25 });
  mute.devnet.peer.misbehave({ kind: 'withhold' });
  const { peers, left } = networkPeers(t, [stale.address, mute.address, honest.address]);
  await peers.start();
  await until(() => peers.view().height === 40 && peers.view().peers === 3);
  t.deepEqual(left, []);
});

test('with peers that are some minutes behind, a server may be ahead by the blocks that were due', async (t) => {
  // So late that each block may have the least work.
  const clock = (before: number, seconds: number) => before + 20 * seconds;
  const { devnet, address } = await peerOn(t, 'one', 40, { clock });
  const { params, tip } = devnet;
  let now = 1_000 * tip.time;
  const { peers } = networkPeers(t, [address], params, {
    rules: { ...regtestWork(params.activation), adjusts: true, easyFrom: 0 },
    now: () => now,
  });
  await peers.start();
  await until(() => peers.view().agreeing === 1);
  t.like(peers.view(), { state: 'current', height: 40, highest: 46 });
  now += 1_000 * 10 * blockSecondsAt(params.activation, 41);
  t.like(peers.view(), { state: 'current', height: 40, highest: 66 });
});

test('peers that no longer answer agree with nothing', async (t) => {
  const { devnet, address } = await peerOn(t, 'one', 40);
  const { peers, pass } = networkPeers(t, [address]);
  await peers.start();
  await until(() => peers.view().agreeing === 1);
  t.is(await peers.refresh(5_000), 1);
  devnet.peer.misbehave({ kind: 'stall' });
  const refreshed = peers.refresh(5_000);
  pass(5_000);
  t.is(await refreshed, 0);
});

test('good peers stay known while this computer is offline', async (t) => {
  const folder = temporaryFolder(t);
  const files = { headers: path.join(folder, 'headers'), peers: path.join(folder, 'peers') };
  const places = JSON.stringify([{ host: '200.1.1.1', port: 8_233 }]);
  await writeFile(files.peers, places);
  const { peers, left, pass } = networkPeers(t, [], MAIN, {
    files,
    solver: () => Promise.resolve(() => true),
    dial: () => Promise.reject(new Error('no network')),
  });
  await peers.start();
  await until(() => left.length === 1);
  pass(60_000);
  for (let turns = 0; turns < 500; turns++) await turn();
  t.is(await readFile(files.peers, 'utf8'), places);
});
