// GET /readyz and /metrics.

import test from 'ava';
import { examples } from '../../scripts/generate/examples.ts';
import { createHttpApp } from '../../src/http/app.ts';
import { prometheusText } from '../../src/http/metrics.ts';
import type { Output } from '../../src/protocol/operations.ts';
import { ok } from '../../src/protocol/result.ts';
import { openAccess } from '../helpers/grantBed.ts';
import { startHttpFront } from '../helpers/httpFront.ts';
import { problemOf } from '../helpers/problems.ts';

test('readyz is ready while both threads answer, and asks no node', async (t) => {
  const front = await startHttpFront();
  t.teardown(() => front.close());
  const response = await front.get('/readyz');
  t.is(response.status, 200);
  t.is(response.headers.get('cache-control'), 'no-store');
  t.deepEqual(await response.json(), { status: 'ready' });
  t.deepEqual(
    front.link.calls.map(({ name }) => name),
    ['system.version'],
  );
});

test('readyz says which thread is down', async (t) => {
  const front = await startHttpFront();
  t.teardown(() => front.close());
  front.link.healthReport = { ...front.link.healthReport, chain: 'down' };
  const problem = await problemOf(t, await front.get('/readyz'), 'THREAD_LOST');
  t.regex(String(problem.detail), /chain thread/);
});

test('readyz passes on that a thread does not answer', async (t) => {
  const front = await startHttpFront();
  t.teardown(() => front.close());
  front.link.failWith('system.version', { code: 'BUSY', detail: 'The companion did not answer in time.' });
  await problemOf(t, await front.get('/readyz'), 'BUSY');
});

const STATUS = examples['system.status'].output;

test('readyz by mode says what is missing, and asks the servers only where they matter', async (t) => {
  const front = await startHttpFront();
  t.teardown(() => front.close());
  const { link } = front;
  let wallet = { ...examples['wallet.status'].output, exists: true, unlocked: true };
  let sync: Output<'sync.status'> = { ...examples['sync.status'].output, complete: true };
  let status: Output<'system.status'> = STATUS;
  link.answerWith('wallet.status', () => ok(wallet));
  link.answerWith('sync.status', () => ok(sync));
  link.answerWith('system.status', () => ok(status));
  const ready = async (mode: string): Promise<void> => {
    t.deepEqual(await (await front.get(`/readyz?mode=${mode}`)).json(), { status: 'ready', mode });
  };
  const reasons = async (mode: string): Promise<unknown> =>
    (await problemOf(t, await front.get(`/readyz?mode=${mode}`), 'NOT_READY')).errors?.map(
      ({ code, ...reason }: Record<string, unknown>) => {
        t.is(code, 'NOT_READY');
        return reason;
      },
    );
  const up = { ...STATUS.node, state: 'up', code: null, tip_height: 1500 } as const;
  const lost = { ...STATUS.node, state: 'lost', code: 'NODE_UNREACHABLE' } as const;

  for (const mode of ['alive', 'unlocked', 'connected', 'synced']) await ready(mode);
  t.deepEqual(
    link.calls.filter(({ name }) => name === 'system.status').map(({ input }) => input),
    [{ known: true }, { known: false }, { known: false }],
  );
  wallet = { ...wallet, unlocked: false };
  t.deepEqual(await reasons('unlocked'), [{ path: 'wallet', message: 'is locked' }]);
  await ready('synced');
  wallet = { ...wallet, exists: false };
  t.deepEqual(await reasons('unlocked'), [{ path: 'wallet', message: 'does not exist yet' }]);
  t.deepEqual(await reasons('synced'), [{ path: 'wallet', message: 'does not exist yet' }]);
  wallet = { ...wallet, exists: true };

  status = { ...STATUS, node: lost };
  t.deepEqual(await reasons('connected'), [
    { path: 'node', message: 'does not answer (NODE_UNREACHABLE)' },
    { path: 'compact_server', message: 'does not answer (COMPACT_SERVER_UNREACHABLE)' },
  ]);
  t.is(((await reasons('synced')) as unknown[]).length, 2);
  await ready('alive');
  status = { ...STATUS, node: lost, compact_server: up };
  await ready('connected');
  for (const state of ['behind', 'wrong_network', 'refused', 'unknown'] as const) {
    status = { ...STATUS, node: { ...up, state } };
    t.is((await front.get('/readyz?mode=connected')).status, 503, state);
  }
  status = { ...STATUS, node: up, last_scan_height: 1498 };
  await ready('synced');
  status = { ...STATUS, node: up, last_scan_height: 1497 };
  t.deepEqual(await reasons('synced'), [{ path: 'last_scan_height', message: 'is 3 blocks below the tip' }]);
  status = STATUS;
  sync = { ...sync, complete: false };
  t.deepEqual(await reasons('synced'), [{ path: 'missing_ranges', message: 'are not scanned yet' }]);
  for (const mode of ['', 'Alive', 'ready'])
    await problemOf(t, await front.get(`/readyz?mode=${mode}`), 'INVALID_REQUEST');
});

test('metrics have each mode, the servers and the age of the last block, and cause no request', async (t) => {
  const at = (text: string): number => Date.parse(text);
  const front = await startHttpFront({ now: () => at('2026-01-02T00:00:30.000Z') });
  t.teardown(() => front.close());
  const later = '2026-01-02T00:00:10.000Z';
  front.link.answerWith('system.status', ({ known }) => {
    t.true(known);
    const compact_server = { ...STATUS.node, tip_risen_at: later };
    return ok({ ...STATUS, compact_server });
  });
  const text = await (await front.get('/metrics')).text();
  for (const line of [
    'ready{mode="alive"} 1',
    'ready{mode="unlocked"} 1',
    'ready{mode="connected"} 1',
    'ready{mode="synced"} 0',
    'server_up{server="node"} 1',
    'last_block_age_seconds 90',
    'wallet_exists 1',
  ])
    t.true(text.includes(`wallet_companion_${line}\n`), `${line}\n${text}`);
  front.link.failWith('system.status', { code: 'BUSY', detail: 'Busy.' });
  const without = await (await front.get('/metrics')).text();
  t.true(without.includes('wallet_companion_ready{mode="alive"} 0\n'));
  t.notRegex(without, /server_up|last_block/);
});

test('metrics have tips, the last scan, hooks and the space on the disk, each where it is known', async (t) => {
  let free: number | undefined = 5_000_000_000;
  const front = await startHttpFront({ freeDiskBytes: async () => free });
  t.teardown(() => front.close());
  const text = async (): Promise<string> => (await front.get('/metrics')).text();
  const before = await text();
  for (const line of [
    'server_tip_height{server="node"} 1500',
    'last_scan_failed 0',
    'hook_failures{hook="shop",wallet="default"} 3',
    'disk_free_bytes 5000000000',
  ])
    t.true(before.includes(`wallet_companion_${line}\n`), `${line}\n${before}`);
  t.notRegex(before, /server_tip_height\{server="compact_server"/);
  free = undefined;
  const last_error = { code: 'NODE_BAD_RESPONSE', detail: 'No.', at: '2026-01-02T00:00:00.000Z' };
  front.link.answerWith('sync.status', () => ok({ ...examples['sync.status'].output, last_error }));
  front.link.answerWith('hooks.list', () => ok({ hooks: [] }));
  const after = await text();
  t.true(after.includes('wallet_companion_last_scan_failed 1\n'));
  t.notRegex(after, /hook_failures|disk_free/);
});

test('requests and clients that leave are no news; an answer that fails is, without what it says', async (t) => {
  const front = await startHttpFront();
  t.teardown(() => front.close());
  await front.get('/api/config');
  t.deepEqual(
    front.logged.map(({ level, message }) => `${level} ${message}`),
    ['debug request'],
  );
  front.logged.splice(0);
  const app = createHttpApp({
    link: front.link,
    access: openAccess(),
    logger: {
      debug: (fields, message) => void front.logged.push({ level: 'debug', fields, message }),
      info: () => t.fail(),
      warn: (fields, message) => void front.logged.push({ level: 'warn', fields, message }),
      error: () => t.fail(),
    },
    clock: () => 0,
    requestId: () => 'id',
  });
  for (const code of ['ECONNRESET', 'EPIPE', 'ERR_STREAM_PREMATURE_CLOSE'])
    app.emit('error', Object.assign(new Error('secret'), { code }));
  app.emit('error', new Error('secret'));
  t.deepEqual(
    front.logged.slice(0, 3).map(({ level, fields }) => ({ level, fields })),
    [
      { level: 'debug', fields: { code: 'ECONNRESET' } },
      { level: 'debug', fields: { code: 'EPIPE' } },
      { level: 'debug', fields: { code: 'ERR_STREAM_PREMATURE_CLOSE' } },
    ],
  );
  t.like(front.logged[3], { level: 'warn', fields: { kind: 'Error' } });
  t.false(JSON.stringify(front.logged).includes('secret'));
});

test('metrics count requests by route and status, whatever strangers ask for', async (t) => {
  const front = await startHttpFront();
  t.teardown(() => front.close());
  await front.get('/api/config');
  await front.get('/api/config');
  await front.get('/api/config?secret=1');
  await front.get('/one');
  await front.get('/two');
  await front.get('/api/config', { origin: 'https://example.com' });
  const response = await front.get('/metrics');
  t.is(response.headers.get('content-type'), 'text/plain; version=0.0.4; charset=utf-8');
  const text = await response.text();
  const requests = text.split('\n').filter((line) => line.startsWith('wallet_companion_http_requests_total'));
  t.deepEqual(requests.sort(), [
    'wallet_companion_http_requests_total{method="GET",route="/api/config",status="200"} 2',
    'wallet_companion_http_requests_total{method="GET",route="/api/config",status="400"} 1',
    'wallet_companion_http_requests_total{method="GET",route="none",status="403"} 1',
    'wallet_companion_http_requests_total{method="GET",route="none",status="404"} 2',
  ]);
});

test('metrics have threads and sync, and of the wallet only whether it is open', async (t) => {
  const front = await startHttpFront();
  t.teardown(() => front.close());
  front.link.healthReport = {
    wallet: 'up',
    chain: 'down',
    kernel: { variant: 'portable' },
    restarts: { wallet: 0, chain: 2 },
  };
  const text = await (await front.get('/metrics')).text();
  for (const line of [
    'wallet_companion_thread_up{thread="wallet"} 1',
    'wallet_companion_thread_up{thread="chain"} 0',
    'wallet_companion_thread_restarts_total{thread="chain"} 2',
    'wallet_companion_kernel_info{variant="portable"} 1',
    'wallet_companion_build_info{version="0.1.0"} 1',
    'wallet_companion_wallet_unlocked 1',
    'wallet_companion_syncing 1',
    'wallet_companion_last_scan_height 640',
    'wallet_companion_chain_tip_height 1500',
    'wallet_companion_sync_blocks_scanned 640',
    'wallet_companion_sync_blocks_total 1000',
    'wallet_companion_event_streams 0',
  ]) {
    t.true(text.includes(`${line}\n`), line);
  }
  t.false(/zatoshi|notes/.test(text));
  for (const line of text.trimEnd().split('\n')) {
    t.regex(line, /^(# (HELP|TYPE) [a-z_]+ .+|[a-z_]+(\{[a-z]+="[^"]*"(,[a-z]+="[^"]*")*\})? [\d.e+-]+)$/);
  }
});

test('metrics are answered while the wallet thread is lost', async (t) => {
  const front = await startHttpFront();
  t.teardown(() => front.close());
  for (const name of ['wallet.status', 'sync.status'] as const) {
    front.link.failWith(name, { code: 'THREAD_LOST', detail: 'Lost.' });
  }
  const text = await (await front.get('/metrics')).text();
  t.false(text.includes('wallet_companion_last_scan_height'));
  t.true(text.includes('wallet_companion_thread_up'));
});

test('labels are escaped', (t) => {
  const metric = {
    name: 'x',
    help: 'X.',
    type: 'gauge',
    samples: [{ labels: { a: 'q"\\\n' }, value: 1 }],
  } as const;
  t.is(prometheusText([metric]), '# HELP x X.\n# TYPE x gauge\nx{a="q\\"\\\\\\n"} 1\n');
});
