// The wallet thread as the main thread knows it: started, asked, exchanged for a fresh one when it is spent, started
// again when it was lost. Its memory goes with it, and with nothing else.

import { MessageChannel, type MessagePort, Worker } from 'node:worker_threads';
import type { WrongTries } from '../actors/wallet/ports/walletEnvironment.ts';
import { type After, systemAfter } from '../async/after.ts';
import { CompanionError } from '../protocol/errors.ts';
import type { CompanionEvent } from '../protocol/events.ts';
import { failure, type Result } from '../protocol/result.ts';
import type { CompanionOptions } from './companionOptions.ts';
import { Gate } from './gate.ts';
import { Mailbox, sendTo } from './mailbox.ts';
import type { ScanKernel } from './scanKernel.ts';
import type {
  CarriedState,
  FromWalletThread,
  Reloaded,
  ToChainThread,
  ToWalletThread,
  WalletThreadData,
} from './threadMessages.ts';
import { systemPutOff, ThreadWatch } from './threadWatch.ts';

/** Waiting for a running scan to commit and the files to close. */
export const STOP_PATIENCE_MS = 10_000;
/**
 * New calls are held back that long while old ones are being answered. Where that takes longer (a node that does not
 * answer), they go on to the spent thread, and are held back again when those old ones are answered.
 */
export const EXCHANGE_PATIENCE_MS = 2_000;

interface Thread {
  readonly worker: Worker;
  readonly mailbox: Mailbox;
}

export interface WalletSurroundings {
  /** The chain thread; undefined while it is lost. It then brings a port of its own when it is back. */
  readonly chain: () => Worker | undefined;
  readonly tell: (event: CompanionEvent) => void;
  /** In the place of a lost thread. */
  readonly restarted: () => void;
}

export class WalletSide {
  readonly #options: CompanionOptions;
  readonly #surroundings: WalletSurroundings;
  readonly #watch: ThreadWatch;
  readonly #after: After;
  /** Settles when the first thread has told the chain thread the configuration, or has ended. */
  readonly ready: Promise<void>;
  #isReady!: () => void;
  #thread: Thread | undefined;
  #kernel: ScanKernel | undefined;
  /** As the threads told of them, so that a lost one takes no wait away. */
  #wrongTries: WrongTries | undefined;
  /** Closed while one thread gives way to the next. */
  readonly #gate = new Gate();
  #exchange: Promise<void> = Promise.resolve();
  /** Stands for the end of the session that is being cleared away, until another one opens. */
  #ending: object | undefined;
  /** Ended on purpose. */
  readonly #retired = new WeakSet<Worker>();
  #stopping = false;

  constructor(options: CompanionOptions, surroundings: WalletSurroundings) {
    this.#options = options;
    this.#surroundings = surroundings;
    this.#after = options.patience ?? systemAfter;
    this.ready = new Promise((resolve) => {
      this.#isReady = resolve;
    });
    this.#watch = new ThreadWatch('wallet', options.log, options.after ?? systemPutOff, {
      isRetired: (worker) => this.#retired.has(worker),
      isStopping: () => this.#stopping,
      ended: () => {
        this.#thread = undefined;
        this.#isReady();
        this.#gate.open();
      },
      lost: () => surroundings.tell({ event: 'wallet.locked', data: { reason: 'thread_lost' } }),
      restart: () => {
        this.#connect(undefined);
        surroundings.restarted();
      },
    });
  }

  get isUp(): boolean {
    return this.#thread !== undefined;
  }

  get restarts(): number {
    return this.#watch.restarts;
  }

  get kernel(): ScanKernel | undefined {
    return this.#kernel;
  }

  /** The first thread, which shares a port with the chain thread. */
  start(chainPort: MessagePort): void {
    this.#start(chainPort, undefined);
  }

  /** The buffers that are `moved` are the thread's from now on. Never rejects. */
  async ask(
    message: object,
    deadlineMs: number | undefined,
    moved?: ArrayBuffer[],
  ): Promise<Result<unknown>> {
    await this.#gate.passed();
    return sendTo(this.#thread?.mailbox, message, deadlineMs, moved);
  }

  /** A chain thread that was lost is back. */
  connectChain(port: MessagePort): void {
    this.#thread?.worker.postMessage({ kind: 'chain', port } satisfies ToWalletThread, [port]);
  }

  /** Has the person's edit of config.json read. Never rejects. */
  async reload(): Promise<Result<Reloaded>> {
    await this.#gate.passed();
    const worker = this.#thread?.worker;
    if (worker === undefined)
      return failure(new CompanionError('THREAD_LOST', 'The thread is being restarted.'));
    return new Promise((resolve) => {
      const hear = (message: FromWalletThread): void => {
        if (message.kind === 'reloaded') end(message.result);
      };
      const lost = (): void => end(failure(new CompanionError('THREAD_LOST', 'The thread ended.')));
      const end = (result: Result<Reloaded>): void => {
        worker.off('message', hear).off('exit', lost);
        resolve(result);
      };
      worker.on('message', hear).once('exit', lost);
      worker.postMessage({ kind: 'reload' } satisfies ToWalletThread);
    });
  }

  /** Locks the wallet, closes its files and ends the thread. */
  async stop(): Promise<void> {
    this.#stopping = true;
    await this.#exchange;
    const worker = this.#thread?.worker;
    if (worker === undefined) return;
    await new Promise<void>((resolve) => {
      const timer = setTimeout(resolve, STOP_PATIENCE_MS);
      const done = () => {
        clearTimeout(timer);
        resolve();
      };
      worker.on('message', (message: FromWalletThread) => message.kind === 'stopped' && done());
      worker.once('exit', done);
      worker.postMessage({ kind: 'stop' } satisfies ToWalletThread);
    });
    await worker.terminate();
  }

  #start(chainPort: MessagePort | undefined, carried: CarriedState | undefined): void {
    const { configDir, dataDir, overrides, version, scanThreads, oneCommand = false } = this.#options;
    const { port1, port2 } = new MessageChannel();
    const data: WalletThreadData = {
      configDir,
      dataDir,
      overrides,
      version,
      scanThreads,
      oneCommand,
      logLevel: this.#options.log.level,
      front: port2,
      chain: chainPort,
      kernel: this.#kernel,
      carried,
      wrongTries: this.#wrongTries,
    };
    const worker = new Worker(new URL('./walletThread.js', import.meta.url), {
      workerData: data,
      transferList: chainPort === undefined ? [port2] : [port2, chainPort],
      name: 'wallet',
    });
    const thread = { worker, mailbox: new Mailbox(port1, this.#watch.watch(worker)) };
    worker.on('message', (message: FromWalletThread) => this.#hear(thread, message));
    this.#thread = thread;
  }

  #connect(carried: CarriedState | undefined): void {
    const chain = this.#surroundings.chain();
    if (chain === undefined) {
      this.#start(undefined, carried);
      return;
    }
    const { port1, port2 } = new MessageChannel();
    chain.postMessage({ kind: 'wallet', port: port1 } satisfies ToChainThread, [port1]);
    this.#start(port2, carried);
  }

  #hear(thread: Thread, message: FromWalletThread): void {
    if (message.kind === 'event') {
      // In use again: whoever waits need not wait for its end, which may be hours away.
      if (message.event.event === 'wallet.unlocked') {
        this.#ending = undefined;
        this.#gate.open();
      }
      this.#surroundings.tell(message.event);
    } else if (message.kind === 'kernel') this.#kernel = message.kernel;
    else if (message.kind === 'tries') this.#wrongTries = message.wrongTries;
    else if (message.kind === 'ready') this.#isReady();
    else if (message.kind === 'kept') this.#gate.open();
    else if (message.kind === 'spent') void this.#retire(thread);
    else if (message.kind === 'retired' && this.#isUnused(thread))
      this.#exchange = this.#replace(thread, message.carried);
  }

  /** It may have been asked again since it was told to retire: then it says once more when it may. */
  #isUnused({ worker, mailbox }: Thread): boolean {
    return this.#gate.isClosed && mailbox.openCalls === 0 && !this.#retired.has(worker);
  }

  /** Whoever has asked the thread is answered by it; who asks from now on waits for the next one. */
  async #retire(thread: Thread): Promise<void> {
    if (this.#stopping) return;
    const ending = {};
    this.#ending = ending;
    const early = this.#gate.close();
    const cancel = this.#after(EXCHANGE_PATIENCE_MS, () => {
      if (this.#gate.isClosedBy(early)) this.#gate.open();
    });
    await thread.mailbox.answered();
    cancel();
    if (this.#stopping || this.#thread !== thread || this.#ending !== ending) return;
    // A second time without patience: else calls that follow each other would keep the thread for ever.
    const closing = this.#gate.isClosedBy(early) ? early : this.#gate.close();
    await thread.mailbox.answered();
    if (this.#gate.isClosedBy(closing))
      thread.worker.postMessage({ kind: 'retire' } satisfies ToWalletThread);
  }

  /** One after the other: they share files. */
  async #replace({ worker }: Thread, carried: CarriedState): Promise<void> {
    if (!this.#stopping) {
      this.#retired.add(worker);
      await worker.terminate();
      this.#thread = undefined;
    }
    if (!this.#stopping) this.#connect(carried);
    this.#gate.open();
  }
}
