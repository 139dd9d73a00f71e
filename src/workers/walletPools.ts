// The scan pool of a wallet thread: separate workers while only this wallet scans, shared ones while several do. It
// switches between two tasks; where the shared workers are lost, their tasks run again on separate ones.

import type { MessagePort } from 'node:worker_threads';
import type { ScanPool } from '../actors/wallet/ports/scanPool.ts';
import { CompanionError } from '../protocol/errors.ts';
import { unwrap } from '../protocol/result.ts';
import { Channel } from './channel.ts';
import { scanPoolOver } from './scanPool.ts';
import type { ScanWorkMethods } from './threadMethods.ts';

interface Context {
  /** The number of the shared workers. */
  readonly threads: number;
  readonly openOwn: () => ScanPool;
  /** Whether separate workers start with the first task, and not with the pool. */
  readonly isLazy: boolean;
  /** The main thread uses it to decide when workers are shared. */
  readonly report: (isOpen: boolean) => void;
}

export class WalletPools {
  readonly #context: Context;
  #current: WalletPool | undefined;

  constructor(context: Context) {
    this.#context = context;
  }

  open(): ScanPool {
    const { report } = this.#context;
    const pool = new WalletPool(this.#context, () => {
      if (this.#current === pool) this.#current = undefined;
      report(false);
    });
    this.#current = pool;
    report(true);
    return pool;
  }

  /** A port to the shared workers, or none any more. */
  connect(port: MessagePort | undefined): void {
    if (this.#current === undefined) port?.close();
    else this.#current.connect(port && new SharedWorkers(port, this.#context.threads));
  }
}

class WalletPool implements ScanPool {
  readonly scan: ScanPool['scan'] = (...task) => this.#run((pool) => pool.scan(...task));
  readonly enhance: ScanPool['enhance'] = (...task) => this.#run((pool) => pool.enhance(...task));
  readonly readUnmined: ScanPool['readUnmined'] = (...task) => this.#run((pool) => pool.readUnmined(...task));
  readonly leaves: ScanPool['leaves'] = (...task) => this.#run((pool) => pool.leaves(...task));
  readonly combine: ScanPool['combine'] = (...task) => this.#run((pool) => pool.combine(...task));
  readonly #openOwn: () => ScanPool;
  readonly #closed: () => void;
  #own: ScanPool | undefined;
  #ownTasks = 0;
  #shared: SharedWorkers | undefined;
  /** Settles when the workers that this wallet has left have ended: some may still have its keys. */
  #left: Promise<unknown> = Promise.resolve();
  #isClosed = false;

  constructor({ openOwn, isLazy }: Context, closed: () => void) {
    this.#openOwn = openOwn;
    this.#closed = closed;
    // At once: starting workers takes part of a second.
    if (!isLazy) this.#own = openOwn();
  }

  get concurrency(): number {
    return (this.#shared?.pool ?? this.#ownPool()).concurrency;
  }

  connect(shared: SharedWorkers | undefined): void {
    const before = this.#shared;
    this.#shared = shared;
    if (before !== undefined) this.#leave(before.finish());
    this.#restOwn();
  }

  async close(): Promise<void> {
    this.#isClosed = true;
    const [own, shared] = [this.#own, this.#shared];
    this.#own = undefined;
    this.#shared = undefined;
    this.#closed();
    await Promise.all([own?.close(), shared?.pool.close(), this.#left]);
  }

  async #run<T>(task: (pool: ScanPool) => Promise<T>): Promise<T> {
    const shared = this.#shared;
    if (shared === undefined) return this.#runOwn(task);
    try {
      return await shared.during(task);
    } catch (error) {
      const isLost = error instanceof CompanionError && error.code === 'THREAD_LOST';
      if (!isLost || this.#isClosed) throw error;
      if (this.#shared === shared) this.connect(undefined);
      return this.#runOwn(task);
    }
  }

  async #runOwn<T>(task: (pool: ScanPool) => Promise<T>): Promise<T> {
    this.#ownTasks += 1;
    try {
      return await task(this.#ownPool());
    } finally {
      this.#ownTasks -= 1;
      this.#restOwn();
    }
  }

  #ownPool(): ScanPool {
    this.#own ??= this.#openOwn();
    return this.#own;
  }

  #restOwn(): void {
    const own = this.#own;
    if (this.#shared === undefined || this.#ownTasks > 0 || own === undefined) return;
    this.#own = undefined;
    this.#leave(own.close());
  }

  #leave(ended: Promise<unknown>): void {
    this.#left = Promise.allSettled([this.#left, ended]);
  }
}

/** The connection of one wallet to them. */
class SharedWorkers {
  readonly pool: ScanPool;
  #tasks = 0;
  #finish: (() => void) | undefined;

  constructor(port: MessagePort, threads: number) {
    const hub = new Channel<ScanWorkMethods>({ port, methods: {} });
    // Copied, not moved: a task that is lost with the workers runs again.
    this.pool = scanPoolOver(
      threads,
      async (task) => unwrap(await hub.call('run', task)),
      async () => {
        await hub.call('leave', undefined);
        port.close();
      },
    );
  }

  async during<T>(task: (pool: ScanPool) => Promise<T>): Promise<T> {
    this.#tasks += 1;
    try {
      return await task(this.pool);
    } finally {
      this.#tasks -= 1;
      if (this.#tasks === 0) this.#finish?.();
    }
  }

  /** Leaves once its running tasks have ended. */
  async finish(): Promise<void> {
    if (this.#tasks > 0)
      await new Promise<void>((resolve) => {
        this.#finish = resolve;
      });
    await this.pool.close();
  }
}
