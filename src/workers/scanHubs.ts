// Decides when wallets share their scan workers: while more than one has a pool open. The main thread starts the thread
// that owns the workers and gives each wallet thread a port to it; no block, key or note passes through here.

import { MessageChannel, type MessagePort, type Worker } from 'node:worker_threads';
import { startThread, type Thread } from './thread.ts';
import type { Log } from './threadLog.ts';
import type { MainMethods, ScanHubData, ScanHubMethods } from './threadMethods.ts';
import { type PutOff, ThreadWatch } from './threadWatch.ts';

/** Hands a wallet thread a port to the shared workers, or none any more. */
type Connect = (port: MessagePort | undefined) => void;

type Hub = Thread<ScanHubMethods>;

export class ScanHubs {
  readonly #threads: number;
  readonly #watch: ThreadWatch;
  /** They end by themselves, when the last wallet has left them. */
  readonly #retired = new Set<Worker>();
  /** Threads of wallets with a pool, each with the hub that it was connected to. */
  readonly #wallets = new Map<Connect, Hub | undefined>();
  #kernel: ScanHubData['kernel'] | undefined;
  #hub: Hub | undefined;
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

  /** For one wallet thread, until it has ended. */
  join(connect: Connect, ended: Promise<void>): Pick<MainMethods['events'], 'kernelChosen' | 'poolChanged'> {
    const change = (isOpen: boolean): void => {
      if (isOpen) this.#wallets.set(connect, undefined);
      else this.#wallets.delete(connect);
      this.#consider();
    };
    void ended.then(() => change(false));
    return {
      kernelChosen: (kernel) => {
        this.#kernel ??= kernel;
        this.#consider();
      },
      poolChanged: change,
    };
  }

  /** Called after the wallets have stopped: the hub has no users any more. */
  async stop(): Promise<void> {
    this.#isStopping = true;
    await Promise.all([this.#hub?.worker, ...this.#retired].map((worker) => worker?.terminate()));
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
    for (const [connect, known] of this.#wallets) {
      if (known === hub) continue;
      this.#wallets.set(connect, hub);
      const { port1, port2 } = new MessageChannel();
      hub.channel.emit('connectWallet', port1);
      connect(port2);
    }
  }

  /** The remaining wallet continues with separate workers; the hub ends when that wallet has left it. */
  #part(): void {
    const hub = this.#hub;
    if (hub === undefined) return;
    this.#hub = undefined;
    this.#retired.add(hub.worker);
    for (const connect of this.#wallets.keys()) {
      this.#wallets.set(connect, undefined);
      connect(undefined);
    }
    hub.channel.emit('end');
  }

  #start(kernel: ScanHubData['kernel']): Hub {
    const data: ScanHubData = { threads: this.#threads, kernel };
    const entry = new URL('./scanHubThread.js', import.meta.url);
    const hub: Hub = startThread(entry, { name: 'scan hub', data }, () => ({}));
    this.#watch.watch(hub.worker);
    void hub.ended.then(() => this.#retired.delete(hub.worker));
    return hub;
  }
}
