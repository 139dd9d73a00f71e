// The worker's end of the queue, over BullMQ: takes jobs, passes sealed bytes to a thread, and returns sealed bytes or
// one of two words. BullMQ keeps the text and the stack of an error in Redis, so both are fixed here.

import type { WorkOnJob } from '../ports/jobQueue.ts';
import { KEPT_SECONDS, MAX_JOB_CHARACTERS, MAX_RESULT_BYTES, QUEUE_NAME, resultKey } from './queueNames.ts';
import type { QueuedJob, QueuePackages, QueueWorker, RedisClient } from './queuePackages.ts';
import type { RedisAddress } from './redisAddress.ts';

/** A killed worker loses its job to another after so long; a running one renews the lock in time. */
const LOCK_MS = 30_000;
/** A job may be lost so often: enough for a bad day of a fleet. */
const STALLS = 10;

export interface BullWorkerOptions {
  readonly packages: QueuePackages;
  readonly address: RedisAddress;
  readonly password: string | undefined;
  /** Jobs at once. */
  readonly concurrency: number;
  readonly lockMs?: number;
  readonly work: WorkOnJob;
}

export class BullWorker {
  readonly #client: RedisClient;
  readonly #worker: QueueWorker;
  #redis: 'not yet there' | 'there' | 'away' = 'not yet there';
  #isClosing = false;
  #reportAway = (): void => undefined;
  #callOff = (): void => undefined;

  constructor({ packages, address, password, concurrency, lockMs = LOCK_MS, work }: BullWorkerOptions) {
    const { bullmq, connect } = packages;
    this.#client = connect(address, password);
    this.#client.on('ready', () => {
      this.#redis = 'there';
    });
    this.#client.on('close', () => {
      if (this.#redis !== 'away' && !this.#isClosing) this.#reportAway();
      this.#redis = 'away';
      this.#callOff();
    });
    const failed = (message: string, Kind: new (message: string) => Error): Error => {
      const error = new Kind(message);
      error.stack = message;
      return error;
    };
    const process = async (job: QueuedJob): Promise<null> => {
      const { id, data } = job;
      if (id === undefined || typeof data !== 'string' || data.length > MAX_JOB_CHARACTERS)
        throw failed('refused', bullmq.UnrecoverableError);
      const outcome = await work(id, new Uint8Array(Buffer.from(data, 'base64')));
      if (outcome === 'refused') throw failed('refused', bullmq.UnrecoverableError);
      if (outcome === 'try again') throw failed('try again', Error);
      if (outcome.length > MAX_RESULT_BYTES) throw failed('refused', bullmq.UnrecoverableError);
      await this.#client.set(resultKey(id), Buffer.from(outcome), 'EX', KEPT_SECONDS);
      return null;
    };
    this.#worker = new bullmq.Worker(QUEUE_NAME, process, {
      connection: this.#client,
      concurrency,
      lockDuration: lockMs,
      stalledInterval: lockMs,
      maxStalledCount: STALLS,
    });
    this.#worker.on('error', () => undefined);
  }

  /** Settles when the queue can be reached; until then it keeps trying. */
  async ready(): Promise<void> {
    await this.#worker.waitUntilReady();
  }

  /** Calls back when the queue cannot be reached, once until it can be again. */
  onAway(callback: () => void): void {
    this.#reportAway = callback;
  }

  /** Ends after the running jobs, or with `force` at once. Without Redis no job can end, and it waits for none. */
  async close(force = false): Promise<void> {
    this.#isClosing = true;
    const isLost = new Promise<void>((resolve) => {
      this.#callOff = resolve;
    });
    const isAway = this.#redis !== 'there';
    const closed = this.#worker.close(force || isAway);
    if (!isAway) await Promise.race([closed, isLost]);
    this.#client.disconnect();
  }
}
