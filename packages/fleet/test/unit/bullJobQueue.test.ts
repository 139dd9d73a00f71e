// The companion's end of the queue against a queue that forgets, fails, falls silent, and tells late.

import { EventEmitter } from 'node:events';
import { setImmediate as turn } from 'node:timers/promises';
import test from 'ava';
import type { JobLost } from '../../src/fleet/ports/jobQueue.ts';
import { BullJobQueue } from '../../src/fleet/queue/bullJobQueue.ts';
import { MAX_RESULT_BYTES, resultKey } from '../../src/fleet/queue/queueNames.ts';
import type { BullMq, QueuePackages } from '../../src/fleet/queue/queuePackages.ts';
import { redisAddress } from '../../src/fleet/queue/redisAddress.ts';
import { ManualClock } from '../helpers/manualClock.ts';

/** What lies in Redis, as far as this queue knows. */
class FakeRedis {
  /** Their states. */
  readonly jobs = new Map<string, string>();
  readonly results = new Map<string, Buffer>();
  readonly added: string[] = [];
  /** Those that were put before the others. */
  readonly first: string[] = [];
  readonly read: string[] = [];
  workers = 1;
  isAway = false;
  readonly events = new EventEmitter();
  readonly client = new EventEmitter();

  get packages(): QueuePackages {
    const answer = async <T>(give: () => T): Promise<T> => (this.isAway ? new Promise<T>(() => {}) : give());
    const { events } = this;
    const queue = {
      on: () => undefined,
      close: async () => undefined,
      getWorkersCount: () => answer(() => this.workers),
      getJobState: (id: string) => answer(() => this.jobs.get(id) ?? 'unknown'),
      remove: (id: string) => answer(() => Number(this.jobs.delete(id))),
      add: (
        _name: string,
        _data: unknown,
        { jobId, lifo }: { readonly jobId: string; readonly lifo: boolean },
      ) =>
        answer(() => {
          this.added.push(jobId);
          if (lifo) this.first.push(jobId);
          if (!this.jobs.has(jobId)) this.jobs.set(jobId, 'waiting');
        }),
    };
    const reported = { on: events.on.bind(events), close: async () => undefined };
    const made = <T>(it: T) =>
      function Made() {
        return it;
      } as unknown as new () => T;
    const bullmq = { Queue: made(queue), QueueEvents: made(reported) } as unknown as BullMq;
    const connect = () =>
      Object.assign(this.client, {
        strlen: (key: string) => answer(() => this.results.get(key)?.length ?? 0),
        getBuffer: (key: string) =>
          answer(() => {
            this.read.push(key);
            return this.results.get(key) ?? null;
          }),
        del: (key: string) => answer(() => Number(this.results.delete(key))),
        disconnect: () => undefined,
      });
    return { bullmq, connect } as unknown as QueuePackages;
  }

  complete(id: string, result: string): void {
    this.jobs.set(id, 'completed');
    this.results.set(resultKey(id), Buffer.from(result));
  }
}

function open() {
  const [redis, clock] = [new FakeRedis(), new ManualClock()];
  const queue = new BullJobQueue({
    packages: redis.packages,
    address: redisAddress('redis://127.0.0.1'),
    password: undefined,
    openRoom: () => ({
      take: (enter) => {
        enter();
        return () => undefined;
      },
    }),
    after: (ms, strike) => clock.after(ms, strike),
    now: () => clock.now(),
  });
  const run = async (id: string): Promise<string> =>
    Buffer.from(await queue.run(id, new Uint8Array(3))).toString();
  const lost = (id: string): Promise<string> => run(id).catch(({ reason }: JobLost) => reason);
  /** Time goes on in steps, and everybody gets their turn. */
  const pass = async (ms: number): Promise<void> => {
    for (let left = ms; left > 0; left -= 1_000) {
      clock.advance(1_000);
      for (let i = 0; i < 5; i++) await turn();
    }
  };
  return { redis, queue, run, lost, pass };
}

test('a result is fetched when an event announces it, and taken out of the queue', async (t) => {
  const { redis, run, pass } = open();
  const result = run('a');
  await pass(1_000);
  redis.complete('a', 'found');
  redis.events.emit('completed', { jobId: 'a' });
  t.is(await result, 'found');
  await pass(1_000);
  t.is(redis.jobs.size, 0);
  t.is(redis.results.size, 0);
});

test('a result that is larger than any worker gives is not read', async (t) => {
  const { redis, run, pass } = open();
  const result = run('a');
  await pass(1_000);
  redis.complete('a', '');
  redis.results.set(resultKey('a'), Buffer.alloc(MAX_RESULT_BYTES + 1));
  await pass(3_000);
  t.is(await result, '');
  t.deepEqual(redis.read, []);
  t.is(redis.results.size, 0);
});

test('a job whose result Redis forgot is put there again', async (t) => {
  const { redis, run, pass } = open();
  const result = run('a');
  await pass(1_000);
  redis.jobs.set('a', 'completed');
  await pass(3_000);
  t.deepEqual(redis.added, ['a', 'a']);
  redis.complete('a', 'found');
  await pass(3_000);
  t.is(await result, 'found');
});

test('a result without an event is found by polling', async (t) => {
  const { redis, run, pass } = open();
  const result = run('a');
  await pass(1_000);
  redis.complete('a', 'found');
  await pass(3_000);
  t.is(await result, 'found');
});

test('a job that Redis forgot is put there again, by a look or when the connection is back', async (t) => {
  const { redis, run, pass } = open();
  const result = run('a');
  await pass(1_000);
  redis.jobs.clear();
  await pass(3_000);
  t.deepEqual(redis.added, ['a', 'a']);
  redis.jobs.clear();
  redis.client.emit('ready');
  await turn();
  await turn();
  await turn();
  t.true(redis.jobs.has('a'));
  redis.complete('a', 'found');
  await pass(3_000);
  t.is(await result, 'found');
});

test('a job for the first place is put there, also where Redis forgot it', async (t) => {
  const { redis, queue, run, pass } = open();
  void run('a');
  queue.run('b', new Uint8Array(3), 'first').catch(() => undefined);
  await pass(1_000);
  redis.jobs.clear();
  await pass(3_000);
  t.deepEqual([...redis.added].sort(), ['a', 'a', 'b', 'b']);
  t.deepEqual(redis.first, ['b', 'b']);
});

test('a job that the workers gave up is refused', async (t) => {
  const { redis, lost, pass } = open();
  const reason = lost('a');
  await pass(1_000);
  redis.jobs.set('a', 'failed');
  redis.events.emit('failed', { jobId: 'a' });
  t.is(await reason, 'refused');
});

test('without a worker for a minute, or without Redis, jobs are lost and not waited for', async (t) => {
  const breaks: Readonly<Record<string, Partial<FakeRedis>>> = {
    'no workers': { workers: 0 },
    away: { isAway: true },
  };
  for (const [reason, broken] of Object.entries(breaks)) {
    const { redis, lost, pass } = open();
    const given = lost('a');
    await pass(30_000);
    Object.assign(redis, broken);
    let isLost = false;
    void given.then(() => {
      isLost = true;
    });
    await pass(50_000);
    t.false(isLost);
    await pass(60_000);
    t.is(await given, reason);
  }
});

test('a count of the workers does not wait for a Redis that is away', async (t) => {
  const { redis, queue, pass } = open();
  t.is(await queue.workers(), 1);
  redis.isAway = true;
  const count = queue.workers();
  await pass(4_000);
  t.is(await count, 0);
});

test('closing ends what is open, and takes it out of the queue', async (t) => {
  const { redis, queue, lost, pass } = open();
  const reason = lost('a');
  await pass(1_000);
  await queue.close();
  t.is(await reason, 'closed');
  t.is(redis.jobs.size, 0);
  t.is(await lost('b'), 'closed');
});
