// A companion as people run it whose blocks come from peers alone: with all its threads it follows to the tip, and its balance is
// exact after a restart, a kill and a reorganisation. Neither node nor server is set.

import { Devnet, type DevnetAccount } from '@wallet-companion/devnet';
import { PeerServer } from '@wallet-companion/devnet/servers';
import { PHRASE, SEED } from '@wallet-companion/pczt/test/spendingAccount';
import { firstAddress } from '@wallet-companion/zcash/addresses';
import { deriveViewingKeys } from '@wallet-companion/zcash/keys';
import { regtestParameters } from '@wallet-companion/zcash/network';
import { seededBytes } from '@wallet-companion/zcash/test/noteMaker';
import test, { type ExecutionContext } from 'ava';
import type { Output } from '../../src/protocol/operations.ts';
import { devnetPayment } from '../helpers/devnetPayments.ts';
import { type Service, startService } from '../helpers/service.ts';
import { until } from '../helpers/until.ts';
import { PASSWORD } from '../helpers/walletHarness.ts';

const HEIGHTS = { nu6_3: 4 };
const params = regtestParameters(HEIGHTS);
const keys = deriveViewingKeys(SEED, params, 0);
const { unifiedAddress: address } = firstAddress(keys, params, 0n);
const { unifiedAddress: stranger } = firstAddress(deriveViewingKeys(SEED, params, 9), params, 0n);

async function setUp(t: ExecutionContext) {
  const devnet = new Devnet({ params, seed: 'from peers' });
  devnet.mineEmpty(4);
  const peers = [new PeerServer(devnet), new PeerServer(devnet)];
  const config = {
    network: 'regtest',
    activation_heights: HEIGHTS,
    block_source: 'peers',
    peers: await Promise.all(peers.map((one) => one.listen())),
  };
  let service = await startService(t, { config });
  const { folder } = service;
  t.teardown(async () => {
    await service.kill();
    for (const peer of peers) await peer.close();
    await devnet.close();
  });
  const ok = async <T>(answer: ReturnType<Service['get']>): Promise<T> => {
    const { status, body } = await answer;
    if (status !== 200) throw new Error(`${status}: ${JSON.stringify(body)}`);
    return body as T;
  };
  const follow = () => ok<Output<'follow.get'>>(service.get('/api/follow'));
  return {
    devnet,
    peers,
    get: <T>(route: string) => ok<T>(service.get(route)),
    post: <T>(route: string, body: object) => ok<T>(service.post(route, body)),
    again: async () => {
      service = await startService(t, { folder });
      await ok(service.post('/api/wallet/unlock', { password: PASSWORD }));
    },
    stop: () => service.stop(),
    kill: () => service.kill(),
    /** The exact balance, once everything up to the tip is scanned. */
    atTip: async (): Promise<number> => {
      await until(async () => (await follow()).last_tip_height === devnet.tip.height);
      const balance = () => ok<Output<'balance.get'>>(service.get('/api/balance'));
      await until(async () => (await balance()).as_of_height === devnet.tip.height);
      const { complete, total_zatoshi } = await balance();
      t.true(complete);
      return total_zatoshi;
    },
  };
}

test.serial(
  'from peers alone the service follows to the tip, and the balance is exact over a restart, a kill and a reorganisation',
  async (t) => {
    const bed = await setUp(t);
    const { devnet } = bed;
    const receive = (zatoshi: bigint, pool: 'sapling' | 'ironwood') =>
      devnet.payTo(address, { pool, zatoshi });
    devnet.mine({ transactions: [devnet.traffic({ sapling: 3, ironwood: 3 })] });
    receive(100_000_000n, 'ironwood');
    receive(5_000_000n, 'sapling');
    devnet.mineEmpty(10);
    await bed.post('/api/wallet/restore', { mnemonic: PHRASE, password: PASSWORD, birthday_height: 1 });
    t.like(await bed.post('/api/follow', { enabled: true }), { source: 'peers' });
    t.is(await bed.atTip(), 105_000_000);
    t.is((await bed.get<Output<'balance.get'>>('/api/balance')).verified_with, 'work');

    // Announced while it follows: what comes, and what is spent elsewhere.
    receive(7_000_000n, 'sapling');
    const account: DevnetAccount = devnet.account(keys, 0);
    const { raw, proposal } = devnetPayment(
      devnet,
      { seed: SEED, index: 0, account },
      { address: stranger, zatoshi: 30_000_000, randomBytes: seededBytes(49) },
    );
    devnet.send(raw);
    devnet.mine();
    const afterPayment = 112_000_000 - 30_000_000 - proposal.fee;
    t.is(await bed.atTip(), afterPayment);

    // It goes on by itself after a stop, with what came meanwhile.
    t.is(await bed.stop(), 0);
    receive(1_000_000n, 'ironwood');
    devnet.mineEmpty(3);
    await bed.again();
    t.is(await bed.atTip(), afterPayment + 1_000_000);

    // The newest receipt goes with its block.
    receive(2_000_000n, 'ironwood');
    t.is(await bed.atTip(), afterPayment + 3_000_000);
    devnet.reorganise(1, new Array(3).fill({}));
    t.is(await bed.atTip(), afterPayment + 1_000_000);

    await bed.kill();
    devnet.reorganise(2, new Array(4).fill({}));
    receive(4_000_000n, 'sapling');
    await bed.again();
    t.is(await bed.atTip(), afterPayment + 5_000_000);
    const { node, compact_server, peers } = await bed.get<Output<'system.status'>>('/api/status?known=true');
    t.deepEqual([node.state, compact_server.state], ['unknown', 'unknown']);
    t.like(peers, { state: 'current', agreeing: 2, height: devnet.tip.height });
  },
);
