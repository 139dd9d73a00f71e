// The companion's end of the queue, over BullMQ. Events trigger a look at a job; a regular look finds what no event
// reported, and adds jobs again that a Redis without a disk lost at a restart. A job's identity is its name in Redis, so
// adding it twice has the effect of once.

import type { After } from '@wallet-companion/base/async';
import { JobLost, type JobQueue, type LostReason, type QueuePlace } from '../ports/jobQueue.ts';
import { JOB_NAME, KEPT_SECONDS, MAX_RESULT_BYTES, QUEUE_NAME, resultKey } from './queueNames.ts';
import type { Queue, QueueEvents, QueuePackages, RedisClient } from './queuePackages.ts';
import type { RedisAddress } from './redisAddress.ts';

/** Time between two looks without an event. */
const LOOK_MS = 2_000;
/** How long workers or Redis may be away before the companion does the work itself. */
const PATIENCE_MS = 60_000;
/** Counting workers must not hold up a scan. */
const ASK_MS = 3_000;
/** A lock of the wallet waits for it. */
const CLOSE_MS = 1_000;
const ATTEMPTS = 3;
const RETRY_MS = 1_000;
/** 128 MiB at most; enough to hide the delay of a distant Redis. */
const RESULTS_READ_AT_ONCE = 8;

/** Limits how much is in memory at once: `enter` is called when there is a place, the returned function leaves it. */
export interface Room {
  take(enter: () => void): () => void;
}

interface OpenJob {
  readonly job: Uint8Array;
  readonly place: QueuePlace;
  readonly resolve: (result: Uint8Array) => void;
  readonly reject: (reason: JobLost) => void;
  isLookedAt: boolean;
}

export interface BullQueueOptions {
  readonly packages: QueuePackages;
  readonly address: RedisAddress;
  readonly password: string | undefined;
  readonly openRoom: (places: number) => Room;
  readonly after: After;
  readonly now: () => number;
}

export class BullJobQueue implements JobQueue {
  readonly #after: After;
  readonly #now: () => number;
  readonly #clients: readonly RedisClient[];
  readonly #results: RedisClient;
  readonly #room: Room;
  readonly #queue: Queue;
  readonly #events: QueueEvents;
  readonly #open = new Map<string, OpenJob>();
  /** When a worker was last known to be there. */
  #workersSeenAt: number;
  #callOff = (): void => undefined;
  #isClosed = false;

  constructor(options: BullQueueOptions) {
    const { packages, address, password, openRoom, after, now } = options;
    const { bullmq, connect } = packages;
    this.#room = openRoom(RESULTS_READ_AT_ONCE);
    this.#after = after;
    this.#now = now;
    this.#workersSeenAt = now();
    const [asks, hears] = [connect(address, password), connect(address, password)];
    this.#clients = [asks, hears];
    this.#results = asks;
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

  run(id: string, job: Uint8Array, place: QueuePlace = 'last'): Promise<Uint8Array> {
    if (this.#isClosed) return Promise.reject(new JobLost('closed'));
    return new Promise((resolve, reject) => {
      if (this.#open.size === 0) this.#workersSeenAt = this.#now();
      const open = { job, place, resolve, reject, isLookedAt: false };
      this.#open.set(id, open);
      void this.#put(id, open).catch(() => undefined);
    });
  }

  drop(id: string): void {
    if (!this.#open.has(id)) return;
    this.#end(id, 'closed');
    void this.#remove(id);
  }

  async close(): Promise<void> {
    this.#isClosed = true;
    this.#callOff();
    const ids = [...this.#open.keys()];
    for (const [id, { reject }] of this.#open) {
      reject(new JobLost('closed'));
      this.#open.delete(id);
    }
    const removed = Promise.all(ids.map((id) => this.#remove(id)));
    if (ids.length > 0) await this.#within(CLOSE_MS, removed);
    const closed = Promise.allSettled([this.#queue.close(), this.#events.close()]);
    await this.#within(CLOSE_MS, closed);
    for (const client of this.#clients) client.disconnect();
  }

  async #put(id: string, { job, place }: OpenJob): Promise<void> {
    await this.#queue.add(JOB_NAME, Buffer.from(job).toString('base64'), {
      jobId: id,
      lifo: place === 'first',
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
      if (state === 'unknown') await this.#put(id, open);
      if (state === 'failed') this.#end(id, 'refused');
      if (state !== 'completed') return;
      const result = await this.#read(id);
      if (!this.#open.has(id)) return;
      if (result !== undefined) {
        this.#open.delete(id);
        open.resolve(result);
      }
      await this.#remove(id);
      if (result === undefined) await this.#put(id, open);
    } catch {
      // Redis is away; the next look will show.
    } finally {
      open.isLookedAt = false;
    }
  }

  /** Bytes that do not open where it is too large; undefined where Redis has forgotten it. */
  async #read(id: string): Promise<Uint8Array | undefined> {
    let leave = (): void => undefined;
    await new Promise<void>((resolve) => {
      leave = this.#room.take(resolve);
    });
    try {
      const key = resultKey(id);
      const length = await this.#results.strlen(key);
      if (length > MAX_RESULT_BYTES) return new Uint8Array();
      return (await this.#results.getBuffer(key)) ?? undefined;
    } finally {
      leave();
    }
  }

  /** A job in work cannot be removed; it expires by its age. */
  async #remove(id: string): Promise<void> {
    await Promise.allSettled([this.#queue.remove(id), this.#results.del(resultKey(id))]);
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
