import test from 'ava';
import { TokenBucket } from '../../src/http/rateLimit.ts';
import { startHttpFront } from '../helpers/httpFront.ts';
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

test('beyond the limit the answer is 429 with Retry-After, until time has passed', async (t) => {
  const front = await startHttpFront({ rateLimit: { requestsPerSecond: 1, burst: 2 } });
  t.teardown(() => front.close());
  t.is((await front.get('/api/config')).status, 200);
  t.is((await front.get('/nowhere')).status, 404);
  const limited = await front.get('/api/config');
  t.is(limited.headers.get('retry-after'), '1');
  await problemOf(t, limited, 'RATE_LIMITED');
  front.advance(1000);
  t.is((await front.get('/api/config')).status, 200);
});

test("a refused web page does not use up the owner's requests", async (t) => {
  const front = await startHttpFront({ rateLimit: { requestsPerSecond: 1, burst: 1 } });
  t.teardown(() => front.close());
  for (let request = 0; request < 5; request += 1) {
    await problemOf(t, await front.get('/api/config', { origin: 'https://a.example' }), 'ORIGIN_FORBIDDEN');
  }
  t.is((await front.get('/api/config')).status, 200);
});
