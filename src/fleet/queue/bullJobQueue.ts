// The companion's end of the queue, over BullMQ. Events say when to look at a job; a look now and then finds what no event
// told, and puts jobs back that a Redis without a disk forgot when it was restarted. A job's identity names it in Redis,
// so putting it there twice is putting it there once.

import type { After } from '../../async/after.ts';
import { JobLost, type JobQueue, type LostReason } from '../ports/jobQueue.ts';
import type { Queue, QueueEvents, QueuePackages, RedisClient } from './optionalPackages.ts';
import { JOB_NAME, MAX_RESULT_CHARACTERS, QUEUE_NAME } from './queueNames.ts';
import type { RedisAddress } from './redisAddress.ts';

/** Between two looks at what no event told of. */
const LOOK_MS = 2_000;
/** So long no worker may be there, or Redis be away, before the companion does the work itself. */
const PATIENCE_MS = 60_000;
/** Asking who is there must not hold up a scan. */
const ASK_MS = 3_000;
/** A lock waits for it. */
const CLOSE_MS = 1_000;
const ATTEMPTS = 3;
const RETRY_MS = 1_000;
/** What nobody fetched, because its companion is gone. */
const KEPT_SECONDS = 3_600;

interface OpenJob {
  readonly job: Uint8Array;
  readonly resolve: (result: Uint8Array) => void;
  readonly reject: (reason: JobLost) => void;
  isLookedAt: boolean;
}

export interface BullQueueOptions {
  readonly packages: QueuePackages;
  readonly address: RedisAddress;
  readonly password: string | undefined;
  readonly after: After;
  readonly now: () => number;
}

export class BullJobQueue implements JobQueue {
  readonly #after: After;
  readonly #now: () => number;
  readonly #clients: readonly RedisClient[];
  readonly #queue: Queue;
  readonly #events: QueueEvents;
  readonly #open = new Map<string, OpenJob>();
  /** When a worker was there last, as far as is known. */
  #workersSeenAt: number;
  #callOff = (): void => undefined;
  #isClosed = false;

  constructor({ packages: { bullmq, connect }, address, password, after, now }: BullQueueOptions) {
    this.#after = after;
    this.#now = now;
    this.#workersSeenAt = now();
    const [asks, hears] = [connect(address, password), connect(address, password)];
    this.#clients = [asks, hears];
    this.#queue = new bullmq.Queue(QUEUE_NAME, { connection: asks });
    this.#events = new bullmq.QueueEvents(QUEUE_NAME, { connection: hears });
    for (const emitter of [this.#queue, this.#events]) emitter.on('error', () => undefined);
    const hear = ({ jobId }: { readonly jobId: string }): void => void this.#look(jobId);
    this.#events.on('completed', hear);
    this.#events.on('failed', hear);
    // A Redis without a disk forgets its jobs when it is restarted.
    asks.on('ready', () => void this.#lookAtAll());
    this.#lookLater();
  }

  async workers(): Promise<number> {
    const count = await this.#within(ASK_MS, this.#queue.getWorkersCount());
    if (count === undefined) return 0;
    if (count > 0) this.#workersSeenAt = this.#now();
    return count;
  }

  run(id: string, job: Uint8Array): Promise<Uint8Array> {
    if (this.#isClosed) return Promise.reject(new JobLost('closed'));
    return new Promise((resolve, reject) => {
      if (this.#open.size === 0) this.#workersSeenAt = this.#now();
      this.#open.set(id, { job, resolve, reject, isLookedAt: false });
      void this.#put(id, job).catch(() => undefined);
    });
  }

  drop(id: string): void {
    if (!this.#open.delete(id)) return;
    // One that is being worked on cannot be removed; it goes by its age.
    void this.#queue.getJob(id).then(
      (job) => job?.remove().catch(() => undefined),
      () => undefined,
    );
  }

  async close(): Promise<void> {
    this.#isClosed = true;
    this.#callOff();
    const ids = [...this.#open.keys()];
    for (const [id, { reject }] of this.#open) {
      reject(new JobLost('closed'));
      this.#open.delete(id);
    }
    const removed = Promise.allSettled(ids.map(async (id) => (await this.#queue.getJob(id))?.remove()));
    if (ids.length > 0) await this.#within(CLOSE_MS, removed);
    const closed = Promise.allSettled([this.#queue.close(), this.#events.close()]);
    await this.#within(CLOSE_MS, closed);
    for (const client of this.#clients) client.disconnect();
  }

  async #put(id: string, job: Uint8Array): Promise<void> {
    await this.#queue.add(JOB_NAME, Buffer.from(job).toString('base64'), {
      jobId: id,
      attempts: ATTEMPTS,
      backoff: { type: 'exponential', delay: RETRY_MS },
      removeOnComplete: { age: KEPT_SECONDS },
      removeOnFail: { age: KEPT_SECONDS },
    });
  }

  async #look(id: string): Promise<void> {
    const open = this.#open.get(id);
    if (open === undefined || open.isLookedAt) return;
    open.isLookedAt = true;
    try {
      const state = await this.#queue.getJobState(id);
      if (!this.#open.has(id)) return;
      if (state === 'unknown') await this.#put(id, open.job);
      if (state === 'failed') this.#end(id, 'refused');
      if (state !== 'completed') return;
      // Read only now: what is read before has no result yet, whatever its state is by the time that is asked for.
      const completed = await this.#queue.getJob(id);
      if (completed === undefined || !this.#open.delete(id)) return;
      open.resolve(bytesOf(completed.returnvalue));
      await completed.remove();
    } catch {
      // Redis is away; the next look will tell.
    } finally {
      open.isLookedAt = false;
    }
  }

  #end(id: string, reason: LostReason): void {
    const open = this.#open.get(id);
    this.#open.delete(id);
    open?.reject(new JobLost(reason));
  }

  #lookLater(): void {
    this.#callOff = this.#after(LOOK_MS, () => {
      void this.#lookAtAll().finally(() => {
        if (!this.#isClosed) this.#lookLater();
      });
    });
  }

  async #lookAtAll(): Promise<void> {
    const ids = [...this.#open.keys()];
    if (ids.length === 0) return;
    const count = await this.#within(ASK_MS, this.#queue.getWorkersCount());
    if (count !== undefined && count > 0) this.#workersSeenAt = this.#now();
    if (this.#now() - this.#workersSeenAt > PATIENCE_MS) {
      for (const id of ids) this.#end(id, count === undefined ? 'away' : 'no workers');
      return;
    }
    await this.#within(LOOK_MS, Promise.all(ids.map((id) => this.#look(id))));
  }

  /** The answer, or undefined where it fails or takes longer. */
  #within<T>(ms: number, answer: Promise<T>): Promise<T | undefined> {
    return new Promise((resolve) => {
      const callOff = this.#after(ms, () => resolve(undefined));
      answer.then(
        (value) => {
          callOff();
          resolve(value);
        },
        () => {
          callOff();
          resolve(undefined);
        },
      );
    });
  }
}

/** What is no text becomes bytes that do not open. */
function bytesOf(value: unknown): Uint8Array {
  if (typeof value !== 'string' || value.length > MAX_RESULT_CHARACTERS) return new Uint8Array();
  return new Uint8Array(Buffer.from(value, 'base64'));
}
