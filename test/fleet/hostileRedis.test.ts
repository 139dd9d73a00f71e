// A Redis that wants the memory of those who connect to it: replies without an end, sizes that it announces and never sends,
// and a queue in which nobody works although a connection has a worker's name.

import { once } from 'node:events';
import { createServer, type Socket } from 'node:net';
import { setImmediate as turn } from 'node:timers/promises';
import test, { type ExecutionContext } from 'ava';
import { BullJobQueue } from '../../src/fleet/queue/bullJobQueue.ts';
import { loadQueuePackages, type RedisClient } from '../../src/fleet/queue/optionalPackages.ts';
import { QUEUE_NAME } from '../../src/fleet/queue/queueNames.ts';
import { layFleetBed, standing } from '../helpers/fleetBed.ts';
import { REDIS, startRedis } from '../helpers/redisServer.ts';
import { ManualClock } from '../helpers/walletHarness.ts';

const MIB = 2 ** 20;
/** More than any reply may have, and no more than a test may write. */
const ENOUGH = 256 * MIB;

/** Answers the first command of each connection with `head`, and goes on with `filler` until the connection ends. */
async function startHostile(t: ExecutionContext, head: string, filler: Buffer) {
  let written = 0;
  let ended = (): void => undefined;
  const isEnded = new Promise<void>((resolve) => {
    ended = resolve;
  });
  const pour = (socket: Socket): void => {
    while (!socket.destroyed && written < ENOUGH) {
      written += filler.length;
      if (!socket.write(filler)) return void socket.once('drain', () => pour(socket));
    }
    // A companion that reads all of it is not one that stops by itself.
    if (written >= ENOUGH) socket.destroy();
  };
  const server = createServer((socket) => {
    socket.on('error', () => undefined);
    socket.once('close', ended);
    socket.once('data', () => {
      socket.write(head);
      pour(socket);
    });
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  t.teardown(() => void server.close());
  const { port } = server.address() as { port: number };
  return { port, isEnded, written: () => written };
}

const HOSTILE: Readonly<Record<string, readonly [head: string, filler: Buffer]>> = {
  'a string that never ends': ['$2147483647\r\n', Buffer.alloc(64 * 1024, 'a')],
  'a line that never ends': ['+', Buffer.alloc(64 * 1024, 'a')],
  'a list of empty lists that never ends': ['*2147483647\r\n', Buffer.from('*0\r\n'.repeat(16_384))],
  'lists in lists': ['', Buffer.from('*2\r\n'.repeat(16_384))],
  'lists of sizes that never come': ['', Buffer.from('*33000000\r\n'.repeat(6_000))],
  'a map of numbers': ['%2147483647\r\n', Buffer.from(':1\r\n'.repeat(16_384))],
};

for (const [what, [head, filler]] of Object.entries(HOSTILE))
  test(`${what} ends the connection before it fills the memory`, async (t) => {
    const hostile = await startHostile(t, head, filler);
    const { connect } = await loadQueuePackages();
    const client = connect({ host: '127.0.0.1', port: hostile.port, db: 0, tls: false }, undefined);
    t.teardown(() => client.disconnect());
    await hostile.isEnded;
    // What both ends' system has in its buffers is beyond the limit of a reply.
    t.true(hostile.written() < 64 * MIB, `${hostile.written() / MIB} MiB`);
  });

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
  t.deepEqual(await standing(bed.withFleet), await standing(bed.alone));
});
