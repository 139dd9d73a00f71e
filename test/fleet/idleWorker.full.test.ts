// A queue in a real Redis in which nobody works although a connection has a worker's name.

import { setImmediate as turn } from 'node:timers/promises';
import { AnswerRoom } from '@wallet-companion/base/async';
import { BullJobQueue, loadQueuePackages, QUEUE_NAME, type RedisClient } from '@wallet-companion/fleet/queue';
import test, { type ExecutionContext } from 'ava';
import { fundsOf, layFleetBed } from '../helpers/fleetBed.ts';
import { REDIS, startRedis } from '../helpers/redisServer.ts';
import { ManualClock } from '../helpers/walletHarness.ts';

const withRedis = REDIS === undefined ? test.skip : test;

/** The companion's queue over a real Redis, in a time that stands still, and a client to act as somebody else. */
async function openQueue(t: ExecutionContext, clock: ManualClock) {
  const redis = await startRedis(t);
  const packages = await loadQueuePackages();
  const address = { host: '127.0.0.1', port: redis.port, db: 0, tls: false };
  const queue = new BullJobQueue({
    packages,
    address,
    password: redis.password,
    openRoom: (places) => new AnswerRoom(places),
    after: (ms, strike) => clock.after(ms, strike),
    now: () => clock.now(),
  });
  const other = packages.connect(address, redis.password) as RedisClient & {
    call(...command: (string | Buffer)[]): Promise<unknown>;
  };
  t.teardown(async () => {
    const closed = queue.close();
    for (let i = 0; i < 3; i++) {
      await turn();
      clock.advance(2_000);
    }
    await closed;
    other.disconnect();
  });
  return { queue, other };
}

withRedis('a connection that only has the name of a worker does not stop a scan', async (t) => {
  const clock = new ManualClock();
  const { queue, other } = await openQueue(t, clock);
  await other.call('CLIENT', 'SETNAME', `bull:${Buffer.from(QUEUE_NAME).toString('base64')}`);
  t.is(await queue.workers(), 1);
  const bed = await layFleetBed(t, { clock, queue });
  const scan = bed.withFleet.call('sync.run', { source: 'compact' });
  await bed.fleet.asked;
  let isOver = false;
  void scan.then(() => {
    isOver = true;
  });
  // Ten minutes, and between their seconds as many turns as Redis needs for an answer.
  for (let seconds = 0; !isOver && seconds < 600; seconds += 2) {
    clock.advance(2_000);
    for (let i = 0; i < 20; i++) await turn();
    await other.call('PING');
  }
  t.true(isOver || bed.fleet.troubles.length > 0);
  t.like(await scan, { range_complete: true, notes_found: 5 });
  t.deepEqual(bed.fleet.troubles, ['no results']);
  await bed.alone.call('sync.run', { source: 'compact' });
  t.deepEqual(await fundsOf(bed.withFleet), await fundsOf(bed.alone));
});
