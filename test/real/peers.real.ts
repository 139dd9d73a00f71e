// A companion that has nothing but peers, of which one is a real node and the others lie about its blocks.

import { hexToBytes } from '@wallet-companion/base/bytes';
import { BlockTree, foreignBlock, Mempool, MinedBlock } from '@wallet-companion/devnet/chain';
import { type PeerFault, PeerServer } from '@wallet-companion/devnet/servers';
import { POOLS } from '@wallet-companion/zcash/pools';
import { readFixtureJson, readFixtureLines } from '@wallet-companion/zcash/test/fixtures';
import { EMPTY_TREES } from '@wallet-companion/zcash/trees';
import test, { type ExecutionContext } from 'ava';
import type { Output } from '../../src/protocol/operations.ts';
import { inRecordedForm, readRecordedNotes } from '../helpers/recordedNotes.ts';
import type { Service } from '../helpers/service.ts';
import { until } from '../helpers/until.ts';
import {
  NOBODY,
  ok,
  openCompanion,
  PASSWORD,
  type Payment,
  SUBSIDY,
  withoutSapling,
} from './payingCompanion.ts';
import { heightsWith, NU7_AFTER_RECORDED, startZebrad, type Zebrad } from './zebrad.ts';

/** NU7 has three blocks for each one of before. */
const REWARD = Math.floor(SUBSIDY / 3);

/** The logged reason for leaving each liar. */
const LIES = {
  'another header': 'it sent a header that follows none',
  'no message': 'it sent what cannot be read: ',
  'other notes': 'it sent a wrong block: ',
} as const;
type Lie = keyof typeof LIES;

const FAULTS: Readonly<Record<Lie, PeerFault | undefined>> = {
  'another header': { kind: 'forged', at: 100 },
  'no message': { kind: 'garbage' },
  'other notes': undefined,
};

test.serial('peers alone show every note up to the tip, also where all but the real node lie', async (t) => {
  const { mnemonic, blocks } = recordedChain();
  const node = await startZebrad({ minerAddress: NOBODY, nu7: NU7_AFTER_RECORDED });
  t.teardown(() => node.stop());
  for (const block of blocks) t.is(await node.rpc('submitblock', block), null);
  const genesis = await node.rpc<string>('getblock', '0', 0);
  const liars = new Map<Lie, string>();
  for (const lie of Object.keys(LIES) as Lie[])
    liars.set(lie, await startLiar(t, [genesis, ...blocks].map(hexToBytes), lie));

  const service = await restored(t, mnemonic, [...liars.values(), node.peer]);
  // The node, and who lies about nothing but the blocks.
  await untilShown(service, node, 2);
  t.like(await sync(t, service), { end_height: blocks.length, complete: true, source: 'peers' });
  const { notes } = ok(t, await service.get<Output<'notes.list'>>('/api/notes?limit=1000'));
  t.deepEqual(inRecordedForm(notes), readRecordedNotes());
  for (const [lie, address] of liars) {
    await until(() => reasonsFor(service, address).length > 0);
    const [reason] = reasonsFor(service, address);
    t.true(reason!.startsWith(LIES[lie]), `${lie}: ${reason}`);
  }

  await followsTo(t, service, node);
  // A node that bans ends the connection, and takes no other of the address for a day.
  t.deepEqual(reasonsFor(service, node.peer), []);
  t.is((await node.rpc<object[]>('getpeerinfo')).length, 1);
});

test.serial('a payment that is handed to one real node spreads to another, and is mined', async (t) => {
  const { mnemonic, blocks } = recordedChain();
  const nodes: Zebrad[] = [];
  for (const peers of [[], nodes]) {
    const named = peers.map(({ peer }) => peer);
    const node = await startZebrad({ minerAddress: NOBODY, nu7: NU7_AFTER_RECORDED, peers: named });
    t.teardown(() => node.stop());
    nodes.push(node);
  }
  const [miner, other] = nodes as [Zebrad, Zebrad];
  for (const block of blocks) await miner.rpc('submitblock', block);
  // Notes need ten confirmations.
  const mined = await miner.rpc<string[]>('generatetoaddress', 10, NOBODY);
  // The other node misses some announcements of many blocks at once.
  const later = mined.map((hash) => miner.rpc<string>('getblock', hash, 0));
  for (const block of [...blocks, ...(await Promise.all(later))]) await other.rpc('submitblock', block);
  const service = await restored(
    t,
    mnemonic,
    nodes.map(({ peer }) => peer),
  );
  await untilShown(service, miner, 2);
  await sync(t, service);
  const total = async (account: number): Promise<number> =>
    ok(t, await service.get<Output<'balance.get'>>(`/api/balance?account=${account}`)).total_zatoshi;
  const [payer, payee] = [await total(0), await total(1)];
  const to = ok(t, await service.get<Output<'address.get'>>('/api/address?account=1')).unified_address;
  const order = { idempotency_key: 'order-1', address: withoutSapling(to), zatoshi: 50_000_000 };
  const paid = ok(
    t,
    await service.post<Payment>('/api/pay', {
      ...{ ...order, account: 0, memo: 'by peers', pools: ['ironwood'], password: PASSWORD },
    }),
  );
  t.is(paid.status, 'sent');
  for (const node of nodes) t.deepEqual(await node.rpc('getrawmempool'), [paid.txid]);

  const [hash] = await miner.rpc<string[]>('generatetoaddress', 1, NOBODY);
  const block = await miner.rpc<{ tx: string[] }>('getblock', hash, 1);
  t.true(block.tx.includes(paid.txid));
  await miner.rpc('generatetoaddress', 2, NOBODY);
  await untilShown(service, miner, 2);
  await sync(t, service);
  t.like((await service.get<Payment>(`/api/payments/${paid.payment_id}`)).body, {
    status: 'confirmed',
    last_sent: { source: 'peers', server: null, outcome: 'accepted' },
  });
  t.deepEqual([await total(0), await total(1)], [payer - 50_000_000 - paid.fee_zatoshi, payee + 50_000_000]);
  for (const { peer } of nodes) t.deepEqual(reasonsFor(service, peer), []);
});

const recordedChain = () => ({
  ...readFixtureJson<{ mnemonic: string }>('known-seed', 'regtest', 'keys.json'),
  blocks: readFixtureLines('known-seed', 'zebra-recorded', 'raw-blocks.hex'),
});

/** Two accounts, on the way to their blocks. */
async function restored(t: ExecutionContext, mnemonic: string, peers: readonly string[]): Promise<Service> {
  const config = {
    ...{ network: 'regtest', activation_heights: heightsWith(NU7_AFTER_RECORDED), auto_lock_seconds: 0 },
    ...{ block_source: 'peers', peers, log_level: 'debug' },
  };
  const service = await openCompanion(t, config, mnemonic, { asIs: true });
  ok(t, await service.post('/api/accounts', { password: PASSWORD }));
  // Peers are dialled when blocks are first asked for.
  ok(t, await service.get('/api/sync/estimate'));
  return service;
}

/** Over the upgrade, and onto another branch. */
async function followsTo(t: ExecutionContext, service: Service, node: Zebrad): Promise<void> {
  const unspent = readRecordedNotes().filter(
    ({ account, spentHeight }) => account === 0 && spentHeight === null,
  );
  const known = unspent.reduce((sum, { value }) => sum + value, 0);
  const { unified_address: own } = ok(t, await service.get<Output<'address.get'>>('/api/address'));
  /** How many rewards came since. */
  const expectRewards = async (count: number): Promise<Output<'sync.run'>['reorg']> => {
    await untilShown(service, node, 1);
    const { reorg } = await sync(t, service);
    const balance = ok(t, await service.get<Output<'balance.get'>>('/api/balance?account=0'));
    t.like(balance, { complete: true, verified_with: 'work' });
    t.is(balance.total_zatoshi, known + count * REWARD);
    return reorg;
  };
  await node.rpc('generatetoaddress', 1, NOBODY);
  await node.rpc('generatetoaddress', 2, own);
  t.is(await expectRewards(2), null);
  const tip = await node.rpc<number>('getblockcount');
  t.true(tip > NU7_AFTER_RECORDED);
  await node.rpc('invalidateblock', await node.rpc('getblockhash', tip));
  await node.rpc('generatetoaddress', 2, NOBODY);
  t.like(await expectRewards(1), { fork_height: tip - 1, depth: 1 });
}

/** Resolves with its address. It shows the headers of all blocks. */
async function startLiar(t: ExecutionContext, chain: readonly Uint8Array[], lie: Lie): Promise<string> {
  let blocks: BlockTree | undefined;
  for (const [height, bytes] of chain.entries()) {
    const place = { height, treeSizes: EMPTY_TREES, parent: blocks?.tip };
    const block = new MinedBlock(foreignBlock(bytes, place));
    if (lie === 'other notes') {
      const [commitment] = POOLS.flatMap((pool) => block.leaves(pool));
      if (commitment !== undefined) commitment[0]! ^= 1;
    }
    if (blocks === undefined) blocks = new BlockTree(block);
    else blocks.append(block);
  }
  const server = new PeerServer({ blocks: blocks!, mempool: new Mempool() });
  const fault = FAULTS[lie];
  if (fault !== undefined) server.misbehave(fault);
  t.teardown(() => server.close());
  return server.listen();
}

/** `peers`: that show the node's newest block. */
async function untilShown(service: Service, node: Zebrad, peers: number): Promise<void> {
  const tip = await node.rpc<number>('getblockcount');
  await until(async () => {
    const { body } = await service.get<Output<'system.status'>>('/api/status');
    return body.peers.height === tip && body.peers.agreeing === peers;
  });
}

async function sync(t: ExecutionContext, service: Service): Promise<Output<'sync.run'>> {
  const synced = ok(t, await service.post<Output<'sync.run'>>('/api/sync', {}));
  t.true(synced.caught_up);
  return synced;
}

/** Why a peer was left. */
function reasonsFor(service: Service, address: string): string[] {
  const left = 'a peer was left: ';
  return service
    .output()
    .split('\n')
    .filter((line) => line.startsWith('{') && line.endsWith('}'))
    .map((line) => JSON.parse(line) as { host?: string; port?: number; msg: string })
    .filter(({ host, port, msg }) => `${host}:${port}` === address && msg.startsWith(left))
    .map(({ msg }) => msg.slice(left.length));
}
