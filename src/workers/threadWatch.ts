// The reaction to an unexpected end of a thread: it is logged, and the thread is started again after a while.

import type { Worker } from 'node:worker_threads';
import { faultFields } from '@wallet-companion/client/contract';
import type { Log } from './threadLog.ts';

/** A thread that dies again and again is restarted less and less often. */
const FIRST_RESTART_MS = 100;
const SLOWEST_RESTART_MS = 10_000;
/** After this time alive, the next death counts as the first one again. */
const HEALTHY_AFTER_MS = 60_000;

/** Delays the restart of a lost thread, without keeping the process from ending. */
export type PutOff = (waitMs: number, restart: () => void) => void;

export const systemPutOff: PutOff = (waitMs, restart) => void setTimeout(restart, waitMs).unref();

export interface Watching {
  /** Ended on purpose, and replaced by the code that ended it. */
  readonly isRetired: (worker: Worker) => boolean;
  readonly isStopping: () => boolean;
  /** Called after any end, unless the thread was retired. */
  readonly ended: () => void;
  /** Called after an unexpected end. */
  readonly lost: () => void;
  readonly restart: () => void;
}

export class ThreadWatch {
  readonly #thread: string;
  readonly #log: Log;
  readonly #putOff: PutOff;
  readonly #watching: Watching;
  #restartMs = FIRST_RESTART_MS;
  #restarts = 0;

  constructor(thread: string, log: Log, putOff: PutOff, watching: Watching) {
    this.#thread = thread;
    this.#log = log;
    this.#putOff = putOff;
    this.#watching = watching;
  }

  /** How often the thread was lost and started again. */
  get restarts(): number {
    return this.#restarts;
  }

  watch(worker: Worker): void {
    const startedAt = performance.now();
    worker.on('error', (error) =>
      this.#log.error({ thread: this.#thread, ...faultFields(error) }, 'thread failed'),
    );
    worker.once('exit', () => {
      if (this.#watching.isRetired(worker)) return;
      this.#watching.ended();
      if (!this.#watching.isStopping()) this.#startAgain(startedAt);
    });
  }

  #startAgain(startedAt: number): void {
    this.#watching.lost();
    if (performance.now() - startedAt > HEALTHY_AFTER_MS) this.#restartMs = FIRST_RESTART_MS;
    const restartMs = this.#restartMs;
    this.#restartMs = Math.min(restartMs * 2, SLOWEST_RESTART_MS);
    this.#log.error({ thread: this.#thread, restartMs }, 'thread lost, restarting');
    this.#putOff(restartMs, () => {
      if (this.#watching.isStopping()) return;
      this.#restarts += 1;
      this.#watching.restart();
      this.#log.info({ thread: this.#thread, restarts: this.#restarts }, 'thread started again');
    });
  }
}
