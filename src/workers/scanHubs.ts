// Decides when wallets share their scan workers: while more than one has a pool open. The main thread starts the thread
// that owns the workers and gives each wallet thread a port to it; no block, key or note passes through here.

import { MessageChannel, Worker } from 'node:worker_threads';
import type { Log } from './threadLog.ts';
import { THREAD_MEMORY } from './threadMemory.ts';
import type { FromWalletThread, ScanHubData, ToScanHub, ToWalletThread } from './threadMessages.ts';
import { type PutOff, ThreadWatch } from './threadWatch.ts';

export class ScanHubs {
  readonly #threads: number;
  readonly #watch: ThreadWatch;
  /** They end by themselves, when the last wallet has left them. */
  readonly #retired = new Set<Worker>();
  /** Threads of wallets with a pool, each with the hub that it was connected to. */
  readonly #wallets = new Map<Worker, Worker | undefined>();
  #kernel: ScanHubData['kernel'] | undefined;
  #hub: Worker | undefined;
  /** A lost hub is started again after a while. */
  #isPutOff = false;
  #isStopping = false;

  constructor(threads: number, log: Log, putOff: PutOff) {
    this.#threads = threads;
    this.#watch = new ThreadWatch('scan hub', log, putOff, {
      isRetired: (worker) => this.#retired.has(worker),
      isStopping: () => this.#isStopping,
      ended: () => {
        this.#hub = undefined;
        this.#isPutOff = true;
      },
      lost: () => undefined,
      restart: () => {
        this.#isPutOff = false;
        this.#consider();
      },
    });
  }

  /** Call it for each started wallet thread. */
  listen(worker: Worker): void {
    worker.on('message', (message: FromWalletThread) => {
      if (message.kind === 'kernel') this.#kernel ??= message.kernel;
      else if (message.kind !== 'pool') return;
      else if (message.isOpen) this.#wallets.set(worker, undefined);
      else this.#wallets.delete(worker);
      this.#consider();
    });
    worker.once('exit', () => {
      this.#wallets.delete(worker);
      this.#consider();
    });
  }

  /** Called after the wallets have stopped: the hub has no users any more. */
  async stop(): Promise<void> {
    this.#isStopping = true;
    await Promise.all([this.#hub, ...this.#retired].map((hub) => hub?.terminate()));
  }

  #consider(): void {
    if (this.#isStopping) return;
    if (this.#wallets.size > 1) this.#share();
    else this.#part();
  }

  #share(): void {
    if (this.#kernel === undefined || this.#isPutOff) return;
    this.#hub ??= this.#start(this.#kernel);
    const hub = this.#hub;
    for (const [wallet, known] of this.#wallets) {
      if (known === hub) continue;
      this.#wallets.set(wallet, hub);
      const { port1, port2 } = new MessageChannel();
      hub.postMessage({ kind: 'wallet', port: port1 } satisfies ToScanHub, [port1]);
      wallet.postMessage({ kind: 'scan_hub', port: port2 } satisfies ToWalletThread, [port2]);
    }
  }

  /** The remaining wallet continues with separate workers; the hub ends when that wallet has left it. */
  #part(): void {
    const hub = this.#hub;
    if (hub === undefined) return;
    this.#hub = undefined;
    this.#retired.add(hub);
    for (const wallet of this.#wallets.keys()) {
      this.#wallets.set(wallet, undefined);
      wallet.postMessage({ kind: 'scan_hub', port: undefined } satisfies ToWalletThread);
    }
    hub.postMessage({ kind: 'end' } satisfies ToScanHub);
  }

  #start(kernel: ScanHubData['kernel']): Worker {
    const data: ScanHubData = { threads: this.#threads, kernel };
    const hub = new Worker(new URL('./scanHubThread.js', import.meta.url), {
      workerData: data,
      resourceLimits: THREAD_MEMORY,
      name: 'scan hub',
    });
    void this.#watch.watch(hub).then(() => this.#retired.delete(hub));
    return hub;
  }
}
