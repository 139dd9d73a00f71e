// A thread of Node that does one job after the other. It keeps no process running while it waits.

import { Worker } from 'node:worker_threads';

/** By default short-lived objects take some 20 MB before they are collected. */
const MOST_YOUNG_MB = 2;

interface Waiting<Result> {
  readonly resolve: (result: Result) => void;
  readonly reject: (error: Error) => void;
}

export class JobThread<Job, Result> {
  readonly #worker: Worker;
  readonly #waiting: Waiting<Result>[] = [];
  #ended: Error | undefined;

  constructor(file: URL, workerData: object) {
    const resourceLimits = { maxYoungGenerationSizeMb: MOST_YOUNG_MB };
    this.#worker = new Worker(file, { workerData, resourceLimits });
    this.#worker.unref();
    this.#worker.on('message', (result: Result) => {
      this.#waiting.shift()?.resolve(result);
      if (this.#waiting.length === 0) this.#worker.unref();
    });
    this.#worker.on('error', (error) => this.#end(error));
    this.#worker.on('exit', () => this.#end(new Error('the thread has ended')));
  }

  /** A job that is answered. */
  call(job: Job): Promise<Result> {
    return new Promise((resolve, reject) => {
      if (this.#ended !== undefined) return reject(this.#ended);
      this.#waiting.push({ resolve, reject });
      this.#worker.ref();
      this.#worker.postMessage(job);
    });
  }

  /** A job that is not answered. */
  post(job: Job): void {
    this.#worker.postMessage(job);
  }

  /** What it works on ends at once. */
  async close(): Promise<void> {
    await this.#worker.terminate();
  }

  #end(reason: Error): void {
    this.#ended ??= reason;
    for (const { reject } of this.#waiting.splice(0)) reject(this.#ended);
  }
}
