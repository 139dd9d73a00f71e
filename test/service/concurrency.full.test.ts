// Several clients at once, on the running companion.
import http from 'node:http';
import { AT_LENGTH } from '@wallet-companion/base/test/atLength';
import test, { type ExecutionContext } from 'ava';
import type { Output } from '../../src/protocol/operations.ts';
import { type FixtureNode, ORDINARY, SILENCE } from '../helpers/fixtureNode.ts';
import { expectedBalance, readKnownSeed, shownBalance, startKnownSeedNode } from '../helpers/knownSeed.ts';
import { callsTo, type Service, startService } from '../helpers/service.ts';
import { PASSWORD } from '../helpers/walletHarness.ts';
import { startHere } from '../spec/companionHere.ts';

const seed = readKnownSeed('main');
const first = seed.firstHeight;
const last = first + seed.mainBlocks.length - 1;
const fork = seed.reorg.lastCommonHeight ?? 0;
const restore = { mnemonic: seed.mnemonic, password: PASSWORD, birthday_height: first };

type Called = Pick<Service, 'url' | 'get' | 'post'>;

/** At length as people run it: in a process, with threads. */
async function start(t: ExecutionContext): Promise<{ node: FixtureNode; service: Called }> {
  const node = await startKnownSeedNode(seed);
  const companion = await (AT_LENGTH ? startService : startHere)(t, {
    config: { network: 'main', node_url: node.url },
  });
  const service = { url: companion.url, ...callsTo(companion.url) };
  t.teardown(async () => {
    await companion.stop();
    await node.stop();
    companion.remove();
  });
  return { node, service };
}

async function restored(t: ExecutionContext): Promise<{ node: FixtureNode; service: Called }> {
  const started = await start(t);
  // By the key of one account: the search for others would scan the same blocks again.
  const { mnemonic: _, ...rest } = restore;
  const imported = { ...rest, viewing_key: seed.accounts[0]!.ufvk };
  t.like(await started.service.post('/api/wallet/import-viewing-key', imported), { status: 200 });
  return started;
}

/** What comes while the scan runs; fails when the scan ends before. */
async function during<T>(scanning: Promise<{ readonly status: number }>, awaited: Promise<T>): Promise<T> {
  const ended = scanning.then((answer) => Promise.reject(new Error(`ended: ${JSON.stringify(answer)}`)));
  return Promise.race([awaited, ended]);
}

/** Holds the answer for one block back; resolves when it was asked for, with the way to go on. */
function heldAt(node: FixtureNode, height: number): Promise<() => void> {
  return new Promise((resolve) => {
    node.exchange = (request, response) => {
      const chunks: Buffer[] = [];
      request.prependListener('data', (chunk: Buffer) => chunks.push(chunk));
      request.prependListener('end', () => {
        const { method, params } = JSON.parse(Buffer.concat(chunks).toString());
        if (method !== 'getblock' || params[0] !== String(height)) return;
        const end = response.end.bind(response) as (body: string) => void;
        response.end = ((body: string) => {
          resolve(() => end(body));
          return response;
        }) as typeof response.end;
      });
      return false;
    };
  });
}

test('while one client scans, others read; a second scan, and a rescan, are refused at once', async (t) => {
  const { node, service } = await restored(t);
  const held = heldAt(node, last - 3);
  const scanning = service.post('/api/sync', {});
  const release = await during(scanning, held);
  t.like(await service.post('/api/sync', {}), { status: 409, body: { code: 'SYNC_IN_PROGRESS' } });
  t.like(await service.post('/api/sync', { password: 'wrong' }), { status: 409 });
  t.like(await service.post('/api/wallet/rescan', {}), { status: 409, body: { code: 'SYNC_IN_PROGRESS' } });
  t.like(await service.post('/api/accounts', { password: PASSWORD }), { status: 409 });
  t.like(await service.get('/api/wallet/status'), { body: { syncing: true, unlocked: true } });
  t.like(await service.get('/api/sync/status'), {
    body: { syncing: true, progress: { start_height: first, end_height: last, blocks_total: 50 } },
  });
  for (const route of [
    'balance',
    'config',
    'notes',
    'transactions',
    'address',
    'accounts',
    'wallet/exists',
  ]) {
    t.is((await service.get(`/api/${route}`)).status, 200, route);
  }
  t.is((await service.post('/api/config/theme', { theme: 'light' })).status, 200);
  release();
  t.like(await scanning, { status: 200, body: { caught_up: true } });
  t.like(await service.get('/api/config'), { body: { theme: 'light', last_scan_height: last } });
});

test('a client that goes away does not end its scan', async (t) => {
  const { node, service } = await restored(t);
  const held = heldAt(node, last - 3);
  const request = http.request(`${service.url}/api/sync`, { method: 'POST' });
  request.on('error', () => undefined);
  const answered = new Promise<{ status: number }>((resolve) => {
    request.on('response', ({ statusCode: status = 0 }) => resolve({ status }));
  });
  request.end();
  const release = await during(answered, held);
  request.destroy();
  t.like(await service.get('/api/wallet/status'), { body: { syncing: true } });
  release();
  let status = await service.get<Output<'sync.status'>>('/api/sync/status');
  while (status.body.syncing) status = await service.get('/api/sync/status');
  t.like(status.body, { last_scan_height: last, last_error: null });
});

test('of a create and a restore at once, one makes the wallet and the other one changes nothing', async (t) => {
  const { service } = await start(t);
  const [created, restored] = await Promise.all([
    service.post('/api/wallet/create', { password: PASSWORD, birthday_height: first + 5 }),
    service.post('/api/wallet/restore', { ...restore, password: 'of the other' }),
  ]);
  t.deepEqual([created.status, restored.status].sort(), [200, 409]);
  const winner = created.status === 200 ? created : restored;
  const password = created.status === 200 ? PASSWORD : 'of the other';
  await service.post('/api/wallet/lock');
  const unlocked = await service.post('/api/wallet/unlock', { password });
  t.is(unlocked.body['unified_address'], winner.body['unified_address']);
  t.is((await service.get('/api/config')).body['birthday_height'], winner.body['birthday_height']);
});

test('a node whose chain changes in the middle of a scan leads to the right balance', async (t) => {
  const { node, service } = await restored(t);
  // The first blocks above the fork come from the old branch, the next ones from the new one. Counted, not named: they
  // are asked for several at a time, on connections of their own, and may arrive in another order.
  let above = 0;
  node.answer = (method, [block]) => {
    if (method === 'getblock' && String(block).length < 64 && Number(block) > fork) above++;
    if (above === 3) {
      node.reorg(fork, seed.reorgBlocks);
      node.answer = () => ORDINARY;
    }
    return ORDINARY;
  };
  let answer = await service.post<Output<'sync.run'>>('/api/sync', {});
  if (answer.status !== 200) {
    t.like(answer, { status: 502, body: { code: 'NODE_BAD_RESPONSE', retryable: true } });
    t.is(typeof answer.body.last_scan_height, 'number');
    answer = await service.post('/api/sync', {});
  }
  while (!answer.body.caught_up) answer = await service.post('/api/sync', {});
  const { body: balance } = await service.get<Output<'balance.get'>>('/api/balance');
  t.like(balance, { complete: true, as_of_hash: seed.reorg.tip.hash });
  t.deepEqual(shownBalance(balance), expectedBalance(seed.reorg, seed.reorg.tip.height, [0]));
});

test('a silent node holds up neither another one, nor a lock, nor the end', async (t) => {
  const { node, service } = await restored(t);
  const other = await startKnownSeedNode(seed);
  t.teardown(() => other.stop());
  const silent = new Promise<void>((resolve) => {
    node.answer = () => {
      resolve();
      return SILENCE;
    };
  });
  const scanning = service.post('/api/sync', {});
  await during(scanning, silent);
  t.is((await service.post('/api/wallet/lock')).status, 200);
  t.like(await scanning, { status: 200, body: { cancelled: true, caught_up: false, blocks_scanned: 0 } });
  t.like(await service.post('/api/sync', { password: PASSWORD, node_url: other.url }), {
    status: 200,
    body: { caught_up: true },
  });
  t.is((await service.get('/api/config')).body['node_url'], node.url);
});
