// The wallet thread, for the main thread: started, called, replaced by a fresh one when it is spent, started again when
// it was lost. Only the end of the thread frees its memory.
//
// The thread of a wallet besides the default one rests until it is called, and again when it is spent, lost or has not
// been called for a while: there may be many wallets.

import type { Worker } from 'node:worker_threads';
import { type After, systemAfter } from '@wallet-companion/shielded/async';
import type { Config } from '../actors/wallet/ports/storage.ts';
import type { WrongTries } from '../actors/wallet/ports/walletEnvironment.ts';
import { CompanionError } from '../protocol/errors.ts';
import type { EventListener } from '../protocol/events.ts';
import type { EventWithoutTexts } from '../protocol/eventTexts.ts';
import { failure, type Result } from '../protocol/result.ts';
import type { CarriedConfig } from '../storage/config/configFile.ts';
import type { ChainSide } from './chainSide.ts';
import { move, threadLost } from './channel.ts';
import type { CompanionOptions } from './companionOptions.ts';
import type { DerivationTurns } from './derivationTurns.ts';
import { Gate } from './gate.ts';
import { watchKernel } from './kernelWatch.ts';
import type { ProgramQueue } from './pcztPrograms.ts';
import { overwriteReadBlock } from './readBlock.ts';
import type { ScanHubs } from './scanHubs.ts';
import type { ScanKernel } from './scanKernel.ts';
import { startThread, type Thread } from './thread.ts';
import type {
  CarriedState,
  MainMethods,
  ReloadChanges,
  Reloaded,
  WalletMethods,
  WalletThreadData,
} from './threadMethods.ts';
import { systemPutOff, ThreadWatch } from './threadWatch.ts';

/** The wait for a running scan to commit and the files to close. */
export const STOP_PATIENCE_MS = 10_000;
/**
 * New calls are held back this long while old ones are being answered. Where that takes longer (a node that does not
 * answer), they go to the spent thread, and are held back again when those old ones are answered.
 */
export const EXCHANGE_PATIENCE_MS = 2_000;

type WalletThread = Thread<WalletMethods, MainMethods>;

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
  #thread: WalletThread | undefined;
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
    return !this.#isOpen && (this.#thread?.channel.openCalls ?? 0) === 0;
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
    this.#thread?.channel.emit('wakeChain');
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
    const sent = moved === undefined ? message : move(message, moved);
    const answer = await (this.#thread?.channel.call('dispatch', sent, deadlineMs) ?? threadLost());
    this.#restLater();
    return answer;
  }

  /** Starts a resting thread. Throws where it must not start. */
  wakeUp(): void {
    this.#wake();
  }

  /** As `ask`, without counting as use; undefined while there is no thread, or a locked one is being replaced. */
  async look(message: object, deadlineMs: number): Promise<Result<unknown> | undefined> {
    return this.#gate.isClosed ? undefined : this.#thread?.channel.call('dispatch', message, deadlineMs);
  }

  /** The shared settings have changed. A thread that starts later gets them then. */
  tellCommon(common: CarriedConfig, level: string): void {
    this.#thread?.channel.emit('commonChanged', { common, level });
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
    this.#thread.channel.emit('connectChain', port);
  }

  /** Has the user's edit of config.json read. `changes`: written first. Never rejects. */
  async reload(changes?: ReloadChanges): Promise<Result<Reloaded>> {
    await this.#gate.passed();
    return this.#thread?.channel.call('reload', changes) ?? threadLost();
  }

  /** Locks the wallet, closes its files and ends the thread. */
  async stop(): Promise<void> {
    this.#stopping = true;
    this.#cancelRest();
    await this.#exchange;
    const thread = this.#thread;
    if (thread === undefined) return;
    await thread.channel.call('stop', undefined, STOP_PATIENCE_MS);
    await thread.worker.terminate();
  }

  #start(carried: CarriedState | undefined, first: Pick<WalletThreadData, 'config'> = {}): void {
    const { configDir, dataDir, overrides, version, scanThreads, oneCommand = false, kdf } = this.#options;
    const { other, kernel } = this.#context;
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
      chain,
      isChainAsleep: this.#context.chain.isAsleep,
      kernel: this.#kernel ?? kernel?.(),
      carried,
      wrongTries: this.#wrongTries,
      ...(kdf === undefined ? {} : { kdf }),
    };
    const entry = new URL('./walletThread.js', import.meta.url);
    const thread: WalletThread = startThread(entry, { name: 'wallet', data, moved: chain }, (ended) =>
      this.#methods(ended, () => thread),
    );
    this.#watch.watch(thread.worker);
    this.#thread = thread;
  }

  /** What the thread may ask for. */
  #methods(ended: Promise<void>, thread: () => WalletThread): MainMethods {
    const { derivations, programs, scanHubs, chain, commonChanged, sourceChosen } = this.#context;
    const turns = derivations.join(ended);
    const runs = programs.join(ended);
    const hub = scanHubs.join((port) => thread().channel.emit('connectScanHub', port), ended);
    return {
      calls: { derivationTurn: turns.take, runProgram: runs.run },
      events: {
        happened: (event) => this.#happened(event),
        kernelChosen: (kernel) => {
          this.#kernel = kernel;
          void watchKernel(kernel, this.#options.configDir, this.#options.log);
          hub.kernelChosen(kernel);
        },
        triesChanged: (wrongTries) => {
          this.#wrongTries = wrongTries;
        },
        commonChanged: (common) => commonChanged?.(common),
        sourceChosen: (source) => sourceChosen?.(source),
        derivationDone: turns.done,
        giveUpProgram: runs.giveUp,
        poolChanged: hub.poolChanged,
        wakeChain: () => chain.wake(),
        ready: () => this.#isReady(),
        spent: () => void this.#retire(thread()),
      },
    };
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

  #happened({ event, texts }: EventWithoutTexts): void {
    // In use again: waiting callers need not wait for its end, which may be hours away.
    if (event.event === 'wallet.unlocked') {
      this.#isOpen = true;
      this.#ending = undefined;
      this.#gate.open();
      this.#settleRestless();
    } else if (event.event === 'wallet.locked') {
      this.#isOpen = false;
      overwriteReadBlock();
    }
    this.#context.tell(event, texts);
    texts?.fill(0);
  }

  /** There may be new calls since it was asked to retire: then it reports again when it may. */
  #isUnused({ worker, channel }: WalletThread): boolean {
    return this.#gate.isClosed && channel.openCalls === 0 && !this.#retired.has(worker);
  }

  /** The thread answers earlier calls; later calls wait for the next thread. */
  async #retire(thread: WalletThread): Promise<void> {
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
    await thread.channel.answered();
    cancel();
    // Another end of the session has taken over, and decides later.
    if (this.#ending !== ending) return;
    if (this.#stopping || this.#thread !== thread) {
      this.#settleRestless();
      return;
    }
    // The second time without patience: else a series of calls would keep the thread for ever.
    const closing = this.#gate.isClosedBy(early) ? early : this.#gate.close();
    await thread.channel.answered();
    if (this.#gate.isClosedBy(closing)) await this.#end(thread);
    else if (this.#ending === ending) this.#settleRestless();
  }

  async #end(thread: WalletThread): Promise<void> {
    const answer = await thread.channel.call('retire', undefined);
    if (!answer.ok) return;
    if (answer.value === undefined) {
      this.#gate.open();
      this.#settleRestless();
      this.#restLater();
    } else if (this.#isUnused(thread)) this.#exchange = this.#replace(thread, answer.value);
    // A thread that is being replaced may report it twice: then it is decided when it has ended.
    else if (!this.#retired.has(thread.worker)) this.#settleRestless();
  }

  /** One after the other: they share files. */
  async #replace({ worker }: WalletThread, carried: CarriedState): Promise<void> {
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
