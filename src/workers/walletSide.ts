// The wallet thread, for the main thread: started, called, replaced by a fresh one when it is spent, started again when
// it was lost. Only the end of the thread frees its memory.
//
// The thread of a wallet besides the default one rests until it is called, and again when it is spent, lost or has not
// been called for a while: there may be many wallets.

import { MessageChannel, Worker } from 'node:worker_threads';
import { type After, systemAfter } from '@wallet-companion/shielded/async';
import type { Config } from '../actors/wallet/ports/storage.ts';
import type { WrongTries } from '../actors/wallet/ports/walletEnvironment.ts';
import { CompanionError } from '../protocol/errors.ts';
import type { EventListener } from '../protocol/events.ts';
import { failure, type Result } from '../protocol/result.ts';
import type { CarriedConfig } from '../storage/config/configFile.ts';
import type { ChainSide } from './chainSide.ts';
import type { CompanionOptions } from './companionOptions.ts';
import type { DerivationTurns } from './derivationTurns.ts';
import { Gate } from './gate.ts';
import { watchKernel } from './kernelWatch.ts';
import { Mailbox, sendTo } from './mailbox.ts';
import type { ProgramQueue } from './pcztPrograms.ts';
import { overwriteReadBlock } from './readBlock.ts';
import type { ScanHubs } from './scanHubs.ts';
import type { ScanKernel } from './scanKernel.ts';
import { THREAD_MEMORY } from './threadMemory.ts';
import type {
  CarriedState,
  FromWalletThread,
  ReloadChanges,
  Reloaded,
  ToWalletThread,
  WalletThreadData,
} from './threadMessages.ts';
import { systemPutOff, ThreadWatch } from './threadWatch.ts';

/** The wait for a running scan to commit and the files to close. */
export const STOP_PATIENCE_MS = 10_000;
/**
 * New calls are held back this long while old ones are being answered. Where that takes longer (a node that does not
 * answer), they go to the spent thread, and are held back again when those old ones are answered.
 */
export const EXCHANGE_PATIENCE_MS = 2_000;

interface Thread {
  readonly worker: Worker;
  readonly mailbox: Mailbox;
}

/** Status calls for a locked wallet come every few seconds at most. */
export const REST_AFTER_MS = 60_000;

/** What the thread of a wallet besides the default one needs. */
export interface OtherContext {
  readonly name: string;
  readonly folder: string;
  /** Throws where the thread must not start. */
  readonly check: () => void;
  /** Undefined until the default wallet's thread has sent it. */
  readonly common: () => CarriedConfig | undefined;
}

export interface WalletContext {
  readonly chain: ChainSide;
  readonly tell: EventListener;
  /** Called when a lost thread was replaced. */
  readonly restarted: () => void;
  readonly derivations: DerivationTurns;
  readonly programs: ProgramQueue;
  readonly scanHubs: ScanHubs;
  /** The default wallet's thread has sent the shared settings. */
  readonly commonChanged?: (common: CarriedConfig) => void;
  readonly sourceChosen?: (source: Config['block_source']) => void;
  /** Already chosen by another wallet's thread. */
  readonly kernel?: () => ScanKernel | undefined;
  readonly other?: OtherContext;
}

export class WalletSide {
  readonly #options: CompanionOptions;
  readonly #context: WalletContext;
  readonly #watch: ThreadWatch;
  readonly #after: After;
  /** Settles when the first thread has sent the chain thread the configuration, or has ended. */
  readonly ready: Promise<void>;
  #isReady!: () => void;
  #thread: Thread | undefined;
  #kernel: ScanKernel | undefined;
  /** As the threads reported them, so that the loss of a thread ends no wait. */
  #wrongTries: readonly WrongTries[] | undefined;
  /** Closed while one thread is replaced by the next. */
  readonly #gate = new Gate();
  #exchange: Promise<void> = Promise.resolve();
  /** Identifies the end of the session being cleared, until another one opens. */
  #ending: object | undefined;
  /** Threads that were ended on purpose. */
  readonly #retired = new WeakSet<Worker>();
  #stopping = false;
  /** There is no thread; the next call starts one with this. */
  #resting: { readonly carried: CarriedState | undefined } | undefined;
  /** The state of the thread before, while this one rests. */
  #isOpen = false;
  #cancelRest: () => void = () => undefined;
  /** Callers that wait until a thread rests, or reports that it is needed. */
  #restless: (() => void)[] = [];

  constructor(options: CompanionOptions, context: WalletContext) {
    this.#options = options;
    this.#context = context;
    this.#after = options.patience ?? systemAfter;
    this.ready = new Promise((resolve) => {
      this.#isReady = resolve;
    });
    const { other } = context;
    if (other !== undefined) this.#resting = { carried: undefined };
    const name = other === undefined ? 'wallet' : `wallet ${other.name}`;
    this.#watch = new ThreadWatch(name, options.log, options.after ?? systemPutOff, {
      isRetired: (worker) => this.#retired.has(worker),
      isStopping: () => this.#stopping,
      ended: () => {
        this.#forgetThread();
        this.#isOpen = false;
        this.#isReady();
        this.#gate.open();
        this.#settleRestless();
      },
      lost: () => context.tell({ event: 'wallet.locked', data: { reason: 'thread_lost' } }),
      restart: () => {
        if (other === undefined) this.#start(undefined);
        else this.#resting = { carried: undefined };
        context.restarted();
      },
    });
  }

  get isUp(): boolean {
    return this.#thread !== undefined;
  }

  /** No session is open, according to the events so far, and no call is open. */
  get isIdle(): boolean {
    return !this.#isOpen && (this.#thread?.mailbox.openCalls ?? 0) === 0;
  }

  get restarts(): number {
    return this.#watch.restarts;
  }

  get kernel(): ScanKernel | undefined {
    return this.#kernel;
  }

  start(): void {
    const { config } = this.#options;
    this.#start(undefined, config === undefined ? {} : { config });
  }

  /** As `ready`; a chain thread that is asleep is started. */
  async readyForChain(): Promise<void> {
    this.#thread?.worker.postMessage({ kind: 'wake_chain' } satisfies ToWalletThread);
    await this.ready;
  }

  /** The buffers in `moved` belong to the thread from now on. Never rejects. */
  async ask(
    message: object,
    deadlineMs: number | undefined,
    moved?: ArrayBuffer[],
  ): Promise<Result<unknown>> {
    await this.#gate.passed();
    try {
      this.#wake();
    } catch (thrown) {
      return failure(thrown);
    }
    this.#cancelRest();
    const answer = await sendTo(this.#thread?.mailbox, message, deadlineMs, moved);
    this.#restLater();
    return answer;
  }

  /** Starts a resting thread. Throws where it must not start. */
  wakeUp(): void {
    this.#wake();
  }

  /** As `ask`, without counting as use; undefined while there is no thread, or a locked one is being replaced. */
  async look(message: object, deadlineMs: number): Promise<Result<unknown> | undefined> {
    const mailbox = this.#thread?.mailbox;
    return mailbox === undefined || this.#gate.isClosed ? undefined : mailbox.send(message, deadlineMs);
  }

  /** The shared settings have changed. A thread that starts later gets them then. */
  tellCommon(common: CarriedConfig, level: string): void {
    this.#thread?.worker.postMessage({ kind: 'common', common, level } satisfies ToWalletThread);
  }

  /** Lets the thread rest unless it is needed; settles when that is decided. */
  async rest(): Promise<void> {
    const thread = this.#thread;
    if (thread === undefined) return;
    const decided = new Promise<void>((resolve) => this.#restless.push(resolve));
    // Its replacement may have begun already.
    if (!this.#gate.isClosed) void this.#retire(thread);
    await decided;
  }

  /** The chain thread was restarted after a loss. */
  connectChain(): void {
    if (this.#thread === undefined) return;
    const port = this.#context.chain.port(this.#isDefault);
    if (port === undefined) return;
    this.#thread.worker.postMessage({ kind: 'chain', port } satisfies ToWalletThread, [port]);
  }

  /** Has the user's edit of config.json read. `changes`: written first. Never rejects. */
  async reload(changes?: ReloadChanges): Promise<Result<Reloaded>> {
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
      worker.postMessage({ kind: 'reload', changes } satisfies ToWalletThread);
    });
  }

  /** Locks the wallet, closes its files and ends the thread. */
  async stop(): Promise<void> {
    this.#stopping = true;
    this.#cancelRest();
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

  #start(carried: CarriedState | undefined, first: Pick<WalletThreadData, 'config'> = {}): void {
    const { configDir, dataDir, overrides, version, scanThreads, oneCommand = false, kdf } = this.#options;
    const { other, derivations, programs, scanHubs, kernel } = this.#context;
    const { port1, port2 } = new MessageChannel();
    const chain = this.#context.chain.port(this.#isDefault);
    const data: WalletThreadData = {
      ...this.#otherWallet(),
      ...first,
      configDir,
      dataDir: other?.folder ?? dataDir,
      overrides,
      version,
      scanThreads,
      oneCommand,
      logLevel: this.#options.log.level,
      front: port2,
      chain,
      isChainAsleep: this.#context.chain.isAsleep,
      kernel: this.#kernel ?? kernel?.(),
      carried,
      wrongTries: this.#wrongTries,
      ...(kdf === undefined ? {} : { kdf }),
    };
    const worker = new Worker(new URL('./walletThread.js', import.meta.url), {
      workerData: data,
      transferList: chain === undefined ? [port2] : [port2, chain],
      resourceLimits: THREAD_MEMORY,
      name: 'wallet',
    });
    derivations.listen(worker);
    programs.listen(worker);
    scanHubs.listen(worker);
    const thread = { worker, mailbox: new Mailbox(port1, this.#watch.watch(worker)) };
    worker.on('message', (message: FromWalletThread) => this.#hear(thread, message));
    this.#thread = thread;
  }

  get #isDefault(): boolean {
    return this.#context.other === undefined;
  }

  #otherWallet(): Pick<WalletThreadData, 'other'> {
    const { other } = this.#context;
    if (other === undefined) return {};
    const common = other.common();
    if (common === undefined)
      throw new CompanionError('BUSY', 'The companion is still starting. Try again in a moment.');
    return { other: { name: other.name, common } };
  }

  #wake(): void {
    const resting = this.#resting;
    if (resting === undefined || this.#stopping) return;
    this.#context.other?.check();
    this.#otherWallet();
    this.#start(resting.carried);
    this.#resting = undefined;
  }

  /** A wait for a thread that is gone would keep the process from ending. */
  #forgetThread(): void {
    this.#thread = undefined;
    this.#cancelRest();
  }

  #restLater(): void {
    this.#cancelRest();
    if (this.#context.other === undefined || !this.isUp || !this.isIdle || this.#stopping) return;
    this.#cancelRest = this.#after(REST_AFTER_MS, () => {
      if (this.isIdle && !this.#stopping) void this.rest();
    });
  }

  #settleRestless(): void {
    for (const settle of this.#restless.splice(0)) settle();
  }

  #hear(thread: Thread, message: FromWalletThread): void {
    if (message.kind === 'event') {
      // In use again: waiting callers need not wait for its end, which may be hours away.
      if (message.event.event === 'wallet.unlocked') {
        this.#isOpen = true;
        this.#ending = undefined;
        this.#gate.open();
        this.#settleRestless();
      } else if (message.event.event === 'wallet.locked') {
        this.#isOpen = false;
        overwriteReadBlock();
      }
      this.#context.tell(message.event, message.texts);
      message.texts?.fill(0);
    } else if (message.kind === 'kernel') {
      this.#kernel = message.kernel;
      void watchKernel(message.kernel, this.#options.configDir, this.#options.log);
    } else if (message.kind === 'tries') this.#wrongTries = message.wrongTries;
    else if (message.kind === 'chain_wanted') this.#context.chain.wake();
    else if (message.kind === 'ready') this.#isReady();
    else if (message.kind === 'common') this.#context.commonChanged?.(message.common);
    else if (message.kind === 'block_source') this.#context.sourceChosen?.(message.source);
    else if (message.kind === 'kept') {
      this.#gate.open();
      this.#settleRestless();
    } else if (message.kind === 'spent') void this.#retire(thread);
    else if (message.kind === 'retired' && this.#isUnused(thread))
      this.#exchange = this.#replace(thread, message.carried);
    // A thread that is being replaced may report it twice: then it is decided when it has ended.
    else if (message.kind === 'retired' && !this.#retired.has(thread.worker)) this.#settleRestless();
  }

  /** There may be new calls since it was asked to retire: then it reports again when it may. */
  #isUnused({ worker, mailbox }: Thread): boolean {
    return this.#gate.isClosed && mailbox.openCalls === 0 && !this.#retired.has(worker);
  }

  /** The thread answers earlier calls; later calls wait for the next thread. */
  async #retire(thread: Thread): Promise<void> {
    if (this.#stopping) {
      this.#settleRestless();
      return;
    }
    const ending = {};
    this.#ending = ending;
    const early = this.#gate.close();
    const cancel = this.#after(EXCHANGE_PATIENCE_MS, () => {
      if (this.#gate.isClosedBy(early)) this.#gate.open();
    });
    await thread.mailbox.answered();
    cancel();
    // Another end of the session has taken over, and decides later.
    if (this.#ending !== ending) return;
    if (this.#stopping || this.#thread !== thread) {
      this.#settleRestless();
      return;
    }
    // The second time without patience: else a series of calls would keep the thread for ever.
    const closing = this.#gate.isClosedBy(early) ? early : this.#gate.close();
    await thread.mailbox.answered();
    if (this.#gate.isClosedBy(closing))
      thread.worker.postMessage({ kind: 'retire' } satisfies ToWalletThread);
    else if (this.#ending === ending) this.#settleRestless();
  }

  /** One after the other: they share files. */
  async #replace({ worker }: Thread, carried: CarriedState): Promise<void> {
    if (!this.#stopping) {
      this.#retired.add(worker);
      await worker.terminate();
      this.#forgetThread();
    }
    if (!this.#stopping) {
      if (this.#context.other === undefined) this.#start(carried);
      else this.#resting = { carried };
    }
    this.#gate.open();
    this.#settleRestless();
  }
}
