// The chain thread as the main thread sees it: started when it is needed, and again when it is lost.

import { MessageChannel, type MessagePort } from 'node:worker_threads';
import type { ProxySetting } from '@wallet-companion/base/proxy';
import type { CompanionEvent } from '../protocol/events.ts';
import type { Result } from '../protocol/result.ts';
import { move, threadLost } from './channel.ts';
import { startThread, type Thread } from './thread.ts';
import type { Log } from './threadLog.ts';
import type { ChainEvents, ChainThreadData, ChainThreadMethods } from './threadMethods.ts';
import { type PutOff, ThreadWatch } from './threadWatch.ts';

export const CHAIN_THREAD = new URL('./chainThread.js', import.meta.url);

export interface ChainSideOptions {
  readonly log: Log;
  readonly putOff: PutOff;
  readonly isStopping: () => boolean;
  readonly emit: (event: CompanionEvent) => void;
  /** The thread was started again after a loss: each wallet connects anew. */
  readonly restarted: () => void;
  readonly proxy: () => ProxySetting | null;
}

export class ChainSide {
  readonly #options: ChainSideOptions;
  readonly #watch: ThreadWatch;
  #thread: Thread<ChainThreadMethods, ChainEvents> | undefined;
  /** The default wallet's port, until the first start. */
  #waiting: MessagePort | undefined;
  #isAsleep = true;

  constructor(options: ChainSideOptions) {
    this.#options = options;
    const { log, putOff, isStopping, restarted } = options;
    this.#watch = new ThreadWatch('chain', log, putOff, {
      isRetired: () => false,
      isStopping,
      ended: () => {
        this.#thread = undefined;
      },
      lost: () => undefined,
      restart: () => {
        this.#start();
        restarted();
      },
    });
  }

  /** Not needed yet. */
  get isAsleep(): boolean {
    return this.#isAsleep;
  }

  get isUp(): boolean {
    return this.#isAsleep || this.#thread !== undefined;
  }

  get restarts(): number {
    return this.#watch.restarts;
  }

  wake(): void {
    if (!this.#isAsleep || this.#options.isStopping()) return;
    this.#isAsleep = false;
    this.#start();
    if (this.#waiting !== undefined) this.#connect(this.#waiting, true);
    this.#waiting = undefined;
  }

  /**
   * A wallet thread's end of a port to the thread; undefined while that is lost. The default wallet's messages wait in it
   * for a thread that is asleep; another wallet wakes it.
   */
  port(isDefault: boolean): MessagePort | undefined {
    if (!isDefault) this.wake();
    const { port1, port2 } = new MessageChannel();
    if (this.#isAsleep) this.#waiting = port1;
    else if (!this.#connect(port1, isDefault)) return undefined;
    return port2;
  }

  /** Never rejects. */
  async call(message: object, deadlineMs: number | undefined): Promise<Result<unknown>> {
    return this.#thread?.channel.call('dispatch', message, deadlineMs) ?? threadLost();
  }

  setLogLevel(level: string): void {
    this.#thread?.channel.emit('logLevelChanged', level);
  }

  async end(): Promise<void> {
    await this.#thread?.worker.terminate();
  }

  #connect(port: MessagePort, isDefault: boolean): boolean {
    this.#thread?.channel.emit('connectWallet', move({ port, isDefault }, [port]));
    return this.#thread !== undefined;
  }

  #start(): void {
    const { log, emit, proxy } = this.#options;
    const data: ChainThreadData = { logLevel: log.level, proxy: proxy() };
    this.#thread = startThread(CHAIN_THREAD, { name: 'chain', data }, () => ({ events: { happened: emit } }));
    this.#watch.watch(this.#thread.worker);
  }
}
