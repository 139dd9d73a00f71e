// A fleet as people run it: the companion, three workers and a Redis or Valkey, a process each. Workers are killed in the
// middle of their jobs and Redis is restarted; the notes are those of a companion that scans for itself.

import { Devnet } from '@wallet-companion/devnet';
import { decodeJob } from '@wallet-companion/fleet/jobs';
import { loadQueuePackages } from '@wallet-companion/fleet/queue';
import test from 'ava';
import { fleetSeal } from '../../src/workers/fleetSeal.ts';
import { REDIS, type RedisServer, startRedis } from '../helpers/redisServer.ts';
import { type Service, startService } from '../helpers/service.ts';
import { until } from '../helpers/until.ts';
import { FLEET_KEY, layOutFleet, READY } from './support/workers.ts';

const PASSWORD = 'correct horse battery staple';

const withRedis = REDIS === undefined ? test.skip : test;

/** The worker that asks next gets no further. */
const stalled = (devnet: Devnet): Promise<void> =>
  new Promise((resolve) => {
    devnet.compact.misbehave({ kind: 'stall', method: 'GetBlockRange', times: 1, onStall: resolve });
  });

async function fundsOf(service: Service): Promise<object> {
  const [balance, notes, transactions] = await Promise.all([
    service.get('/api/balance'),
    service.get('/api/notes?limit=1000'),
    service.get('/api/transactions?limit=1000'),
  ]);
  // Only the companion's wallet was restored, whose accounts are looked for.
  const { accounts_searched: _, ...found } = balance.body as { readonly accounts_searched?: unknown };
  return { balance: found, notes: notes.body, transactions: transactions.body };
}

/** Everything that Redis holds, as it holds it. */
async function contentsOf({ port, password }: RedisServer): Promise<Map<string, string>> {
  const { connect } = await loadQueuePackages();
  const client = connect({ port, host: '127.0.0.1', db: 0, tls: false }, password) as unknown as {
    keys(pattern: string): Promise<string[]>;
    type(key: string): Promise<string>;
    hgetall(key: string): Promise<Record<string, string>>;
    disconnect(): void;
  };
  try {
    const jobs = new Map<string, string>();
    for (const key of await client.keys('*')) {
      if ((await client.type(key)) !== 'hash') continue;
      const { data } = await client.hgetall(key);
      if (data !== undefined) jobs.set(key.split(':').at(-1) ?? '', data);
    }
    return jobs;
  } finally {
    client.disconnect();
  }
}

withRedis('workers die, Redis is restarted, and the notes are those of one process', async (t) => {
  const devnet = new Devnet({ seed: 'fleet' });
  const node_url = await devnet.node.listen();
  const compact_server_url = await devnet.compact.listen();
  t.teardown(() => devnet.close());
  const redis = await startRedis(t);
  const fleet = layOutFleet(t, redis, compact_server_url);
  const config = { network: 'regtest', node_url, compact_server_url, auto_lock_seconds: 0 };
  const companion = await startService(t, { config: { ...config, ...fleet.settings } });
  const alone = await startService(t, { config });
  const made = await alone.post<Record<string, string>>('/api/wallet/create', {
    password: PASSWORD,
    birthday_height: 1,
  });
  const { mnemonic, unified_address: address = '' } = made.body;
  const restored = { password: PASSWORD, mnemonic, birthday_height: 1 };
  t.is((await companion.post('/api/wallet/restore', restored)).status, 200);
  const key = await alone.post<Record<string, string>>('/api/viewing-key', { password: PASSWORD });
  const account = devnet.account(key.body['viewing_key'] ?? '');
  devnet.payTo(address, { pool: 'sapling', zatoshi: 500_000n, memo: 'one' });
  devnet.mineEmpty(150);
  devnet.payTo(address, { pool: 'ironwood', zatoshi: 900_000n, memo: 'two' });
  devnet.mineEmpty(150);

  // One worker begins, and is killed while two others work; Redis forgets everything.
  const isStalled = stalled(devnet);
  const first = fleet.startWorker();
  await first.says(READY);
  const sync = companion.post('/api/sync', {});
  await isStalled;
  // The worker may have the first job before the companion has sent the others.
  let contents = new Map<string, string>();
  await until(async () => {
    contents = await contentsOf(redis);
    return contents.size >= 4;
  });
  const seal = fleetSeal(FLEET_KEY, () => new Uint8Array(24));
  for (const [id, data] of contents) {
    const { keys } = decodeJob(seal.open('job', id, Buffer.from(data, 'base64')));
    t.true(keys.length > 0);
    for (const { ivk } of keys) t.false(Buffer.from(data, 'base64').includes(Buffer.from(ivk)));
  }
  const [second, third] = [fleet.startWorker(), fleet.startWorker()];
  await Promise.all([second.says(READY), third.says(READY)]);
  await first.kill();
  await redis.restart();
  t.like(await sync, { status: 200, body: { range_complete: true, notes_found: 2 } });
  await alone.post('/api/sync', {});
  t.deepEqual(await fundsOf(companion), await fundsOf(alone));

  // The only worker dies in the middle of its jobs; one that came later takes them over.
  devnet.mine({
    transactions: [
      devnet.spend(account, { from: 'sapling', payments: [{ address, pool: 'ironwood', zatoshi: 70_000n }] }),
    ],
  });
  devnet.mineEmpty(150);
  t.is(await third.end(), 0);
  const isStalledAgain = stalled(devnet);
  const again = companion.post('/api/sync', {});
  await isStalledAgain;
  await fleet.startWorker().says(READY);
  await second.kill();
  t.like(await again, { status: 200, body: { range_complete: true, notes_spent: 1 } });
  await alone.post('/api/sync', {});
  t.deepEqual(await fundsOf(companion), await fundsOf(alone));
  t.notRegex(companion.output(), /scan fleet does not do its work|a scan worker is broken/);
});
