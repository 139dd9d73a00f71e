// GET /readyz and /metrics.

import test from 'ava';
import { prometheusText } from '../../src/http/prometheusText.ts';
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

test('metrics tell threads and sync, and of the wallet only whether it is open', async (t) => {
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
  t.false(text.includes('last_scan_height'));
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
