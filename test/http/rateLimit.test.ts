import test from 'ava';
import { TokenBucket } from '../../src/http/server/rateLimit.ts';
import { EXTENSION_ORIGIN, startHttpFront } from '../helpers/httpFront.ts';
import { problemOf } from '../helpers/problems.ts';

test('a bucket lets the burst through, then the rate', (t) => {
  let nowMs = 0;
  const bucket = new TokenBucket({ requestsPerSecond: 100, burst: 200 }, () => nowMs);
  for (let request = 0; request < 200; request += 1) t.is(bucket.take(), 0);
  t.is(bucket.take(), 10);
  nowMs += 9;
  t.true(bucket.take() > 0);
  nowMs += 1;
  t.is(bucket.take(), 0);
  t.true(bucket.take() > 0);
});

test('a bucket never saves up more than the burst', (t) => {
  let nowMs = 0;
  const bucket = new TokenBucket({ requestsPerSecond: 10, burst: 3 }, () => nowMs);
  nowMs += 3_600_000;
  t.deepEqual([bucket.take(), bucket.take(), bucket.take()], [0, 0, 0]);
  t.true(bucket.take() > 0);
});

const ORIGIN = { origin: EXTENSION_ORIGIN };

test('beyond the limit the answer is 429 with Retry-After, until time has passed', async (t) => {
  const front = await startHttpFront({ rateLimit: { requestsPerSecond: 1, burst: 2 } });
  t.teardown(() => front.close());
  t.is((await front.get('/api/config', ORIGIN)).status, 200);
  t.is((await front.get('/nowhere', ORIGIN)).status, 404);
  const limited = await front.get('/api/config', ORIGIN);
  t.is(limited.headers.get('retry-after'), '1');
  t.is(limited.headers.get('access-control-allow-origin'), EXTENSION_ORIGIN);
  await problemOf(t, limited, 'RATE_LIMITED');
  await problemOf(t, await front.post('/api/sync', {}, ORIGIN), 'RATE_LIMITED');
  front.advance(1000);
  t.is((await front.get('/api/config', ORIGIN)).status, 200);
});

test('the limit is for extensions and pages: programs on this machine have none, and are delayed by no other', async (t) => {
  const front = await startHttpFront();
  t.teardown(() => front.close());
  for (let request = 0; request < 250; request += 1) {
    t.is((await front.get('/api/wallet/status')).status, 200);
  }
  for (let request = 0; request < 200; request += 1) {
    t.is((await front.get('/api/wallet/status', ORIGIN)).status, 200);
  }
  await problemOf(t, await front.get('/api/wallet/status', ORIGIN), 'RATE_LIMITED');
  const own = { origin: front.url };
  await problemOf(t, await front.get('/api/wallet/status', own), 'RATE_LIMITED');
  t.is((await front.get('/api/wallet/status')).status, 200);
  t.is((await front.post('/api/wallet/unlock', { password: 'x' })).status, 200);
});

test("a refused web page does not use up the allowed ones' requests", async (t) => {
  const front = await startHttpFront({ rateLimit: { requestsPerSecond: 1, burst: 1 } });
  t.teardown(() => front.close());
  for (let request = 0; request < 5; request += 1) {
    await problemOf(t, await front.get('/api/config', { origin: 'https://a.example' }), 'ORIGIN_FORBIDDEN');
  }
  t.is((await front.get('/api/config', ORIGIN)).status, 200);
});
