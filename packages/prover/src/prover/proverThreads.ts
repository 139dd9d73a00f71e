// The threads of a prover. One that fails ends all of them: the others may wait for it for ever, and the memory may hold half
// of something.

import { Worker } from 'node:worker_threads';
import { failureOf, ProverError } from './failures.ts';
import type { Call, FromThread, Role } from './messages.ts';

/** By default short-lived objects take some 20 MB of each thread before they are collected. */
const MOST_YOUNG_MB = 2;

export interface ThreadEntry {
  readonly file: URL;
  readonly dataOf: (role: Role) => object;
  /** The first thread takes the calls, and has the others started that share the work of a call. */
  readonly threads: number;
}

export class ProverThreads {
  readonly #entry: ThreadEntry;
  readonly #workers: Worker[] = [];
  #memoryBytes = 0;
  #settle: ((outcome: Uint8Array<ArrayBuffer> | ProverError) => void) | undefined;
  #ended: ProverError | undefined;

  constructor(entry: ThreadEntry) {
    this.#entry = entry;
    this.#start({ kind: 'calls', threads: entry.threads });
  }

  get hasEnded(): boolean {
    return this.#ended !== undefined;
  }

  /** WebAssembly memory after the last call. It grows, and never shrinks. */
  get memoryBytes(): number {
    return this.#memoryBytes;
  }

  /** One at a time. */
  call(name: Call['name'], pczt: Uint8Array): Promise<Uint8Array<ArrayBuffer>> {
    return new Promise((resolve, reject) => {
      if (this.#ended !== undefined) return reject(this.#ended);
      for (const worker of this.#workers) worker.ref();
      this.#settle = (outcome) => {
        this.#settle = undefined;
        // Threads that wait for the next call keep no process running.
        for (const worker of this.#workers) worker.unref();
        if (outcome instanceof ProverError) reject(outcome);
        else resolve(outcome);
      };
      const own = new Uint8Array(pczt);
      this.#workers[0]?.postMessage({ name, pczt: own } satisfies Call, [own.buffer]);
    });
  }

  /** What runs ends at once. */
  end(reason: ProverError): void {
    if (this.#ended !== undefined) return;
    this.#ended = reason;
    this.#settle?.(reason);
    for (const worker of this.#workers) void worker.terminate();
  }

  #start(role: Role): void {
    if (this.hasEnded) return;
    const worker = new Worker(this.#entry.file, {
      workerData: this.#entry.dataOf(role),
      name: 'prover',
      resourceLimits: { maxYoungGenerationSizeMb: MOST_YOUNG_MB },
      env: {},
      // Node calls its WASI experimental in a warning, in each thread.
      execArgv: ['--no-warnings'],
    });
    this.#workers.push(worker);
    if (this.#settle === undefined) worker.unref();
    worker.on('message', (message: FromThread) => this.#hear(message));
    worker.once('error', ({ name }) => this.end(new ProverError('CRASHED', `The prover stopped: ${name}.`)));
    worker.once('exit', () => this.end(new ProverError('CRASHED', 'A thread of the prover ended.')));
  }

  #hear(message: FromThread): void {
    if (message.kind === 'spawn') {
      this.#start({ ...message, kind: 'work' });
      return;
    }
    this.#memoryBytes = message.memoryBytes;
    const { status, answer } = message;
    this.#settle?.(status === 0 ? answer : failureOf(status, new TextDecoder().decode(answer)));
  }
}
