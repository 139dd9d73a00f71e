// The module with its memory and threads. A thread that fails ends all of them: the others may wait for it for ever, and
// the memory may hold half of something.

import { Worker } from 'node:worker_threads';
import { failureOf, ProverError } from './failures.ts';
import type { Call, FromThread, ThreadStart } from './messages.ts';

/** Both numbers are also in rust/.cargo/config.toml. README.md has what proofs take. */
const INITIAL_PAGES = 1024;
export const MAX_PAGES = 16_384;

const THREAD = new URL('./moduleThread.js', import.meta.url);

export class ModuleThreads {
  readonly #module: WebAssembly.Module;
  readonly #memory = new WebAssembly.Memory({ initial: INITIAL_PAGES, maximum: MAX_PAGES, shared: true });
  readonly #workers: Worker[] = [];
  #settle: ((outcome: Uint8Array<ArrayBuffer> | ProverError) => void) | undefined;
  #ended: ProverError | undefined;

  constructor(module: WebAssembly.Module, threads: number) {
    this.#module = module;
    this.#start({ kind: 'calls', threads });
  }

  get hasEnded(): boolean {
    return this.#ended !== undefined;
  }

  /** It grows, and never shrinks. */
  get memoryBytes(): number {
    return this.#memory.buffer.byteLength;
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

  #start(role: ThreadStart['role']): void {
    if (this.hasEnded) return;
    const worker = new Worker(THREAD, {
      workerData: { module: this.#module, memory: this.#memory, role } satisfies ThreadStart,
      name: 'prover',
      env: {},
      // Node calls its WASI experimental in a warning, in each thread.
      execArgv: ['--no-warnings'],
    });
    this.#workers.push(worker);
    if (this.#settle === undefined) worker.unref();
    worker.on('message', (message: FromThread) => this.#hear(message));
    worker.once('error', ({ name }) => this.end(new ProverError('CRASHED', `The module stopped: ${name}.`)));
    worker.once('exit', () => this.end(new ProverError('CRASHED', 'A thread of the module ended.')));
  }

  #hear(message: FromThread): void {
    if (message.kind === 'spawn') this.#start({ ...message, kind: 'work' });
    else if (message.status === 0) this.#settle?.(message.answer);
    else this.#settle?.(failureOf(message.status, new TextDecoder().decode(message.answer)));
  }
}
