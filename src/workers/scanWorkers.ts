// The one owner of scan workers: a thread with the workers of all wallets. It starts with the first wallet that scans and
// ends with the last. The main thread gives each wallet thread a port to it; no block, key or note passes through here.

import { MessageChannel, type Worker } from 'node:worker_threads';
import type { HealthReport } from '../protocol/link.ts';
import { move } from './channel.ts';
import { chooseKernelApart } from './kernelChoice.ts';
import { kernelReport, watchKernel } from './kernelWatch.ts';
import type { KernelRequest, ScanKernel } from './scanKernel.ts';
import { startThread, type Thread } from './thread.ts';
import type { Log } from './threadLog.ts';
import type { MainMethods, ScanHubData, ScanHubMethods } from './threadMethods.ts';
import { ThreadWatch } from './threadWatch.ts';

type Hub = Thread<ScanHubMethods>;

export class ScanWorkers {
  readonly #threads: number;
  readonly #kernelRequest: () => KernelRequest;
  readonly #log: Log;
  readonly #watch: ThreadWatch;
  /** They end by themselves, when the last wallet has left them. */
  readonly #retired = new Set<Worker>();
  /** Connections of wallet threads. */
  readonly #connected = new Map<number, Hub>();
  #lastId = 0;
  #hub: Hub | undefined;
  #choosing: Promise<ScanKernel> | undefined;
  #kernel: ScanKernel | undefined;
  readonly #stopping = new AbortController();

  constructor(threads: number, log: Log, kernelRequest: () => KernelRequest) {
    this.#threads = threads;
    this.#kernelRequest = kernelRequest;
    this.#log = log;
    // Started again by the next connection: its wallets bring their tasks.
    this.#watch = new ThreadWatch('scan hub', log, (_ms, restart) => restart(), {
      isRetired: (worker) => this.#retired.has(worker),
      isStopping: () => this.#stopping.signal.aborted,
      ended: () => {
        this.#hub = undefined;
      },
      lost: () => undefined,
      restart: () => undefined,
    });
  }

  /** Null before the first scan. */
  get kernel(): HealthReport['kernel'] {
    return this.#kernel === undefined ? null : kernelReport(this.#kernel);
  }

  /** Once per process: compiling and testing it takes part of a second. */
  chooseKernel(): Promise<ScanKernel> {
    this.#choosing ??= this.#chooseKernel();
    return this.#choosing;
  }

  /** For one wallet thread, until it has ended. */
  join(ended: Promise<void>): Pick<MainMethods['calls'], 'connectScanWorkers' | 'leaveScanWorkers'> {
    const ids = new Set<number>();
    void ended.then(() => {
      for (const id of ids) void this.#leave(id);
    });
    return {
      connectScanWorkers: async (lost) => {
        if (lost !== undefined) {
          ids.delete(lost);
          await this.#connected.get(lost)?.ended;
          this.#connected.delete(lost);
        }
        this.#lastId += 1;
        const id = this.#lastId;
        ids.add(id);
        this.#hub ??= this.#start();
        this.#connected.set(id, this.#hub);
        const { port1, port2 } = new MessageChannel();
        this.#hub.channel.emit('connectWallet', port1);
        return move({ id, port: port2 }, [port2]);
      },
      leaveScanWorkers: (id) => {
        ids.delete(id);
        return this.#leave(id);
      },
    };
  }

  /** Called after the wallets have stopped: the hub has no users any more. */
  async stop(): Promise<void> {
    this.#stopping.abort();
    const workers = [this.#hub?.worker, ...this.#retired];
    await Promise.all([this.#choosing, ...workers.map((worker) => worker?.terminate())]);
  }

  /** Without users its thread ends, and what it passed on goes with it. */
  async #leave(id: number): Promise<void> {
    const hub = this.#connected.get(id);
    this.#connected.delete(id);
    if (hub === undefined || [...this.#connected.values()].includes(hub)) return;
    if (hub === this.#hub) {
      this.#hub = undefined;
      this.#retired.add(hub.worker);
      hub.channel.emit('end');
    }
    await hub.ended;
  }

  #start(): Hub {
    const data: ScanHubData = { threads: this.#threads };
    const entry = new URL('./scanHubThread.js', import.meta.url);
    const hub: Hub = startThread(entry, { name: 'scan hub', data }, () => ({}));
    this.#watch.watch(hub.worker);
    void this.chooseKernel().then(({ module }) => hub.channel.emit('kernelChosen', module));
    void hub.ended.then(() => this.#retired.delete(hub.worker));
    return hub;
  }

  async #chooseKernel(): Promise<ScanKernel> {
    const request = this.#kernelRequest();
    const kernel = await chooseKernelApart(request, { stopping: this.#stopping.signal });
    this.#kernel = kernel;
    void watchKernel(kernel, request.configDir, this.#log);
    return kernel;
  }
}
