// A wallet's thread, for the main thread: started, called, replaced by a fresh one when it is spent, started again when
// it was lost (walletLife.ts). Only the end of the thread frees its memory.
//
// It rests until it is called, and again when it is spent, lost or has not been called for a while: there may be many
// wallets. One that answers for the companion as well does not rest.

import { type After, systemAfter } from '@wallet-companion/base/async';
import type { Carried } from '../actors/wallet/ports/walletEnvironment.ts';
import type { EventListener } from '../protocol/events.ts';
import type { EventWithoutTexts } from '../protocol/eventTexts.ts';
import type { WrongTries } from '../protocol/passwordGuard.ts';
import { failure, type Result } from '../protocol/result.ts';
import type { WalletConfig } from '../storage/config/walletConfig.ts';
import type { ChainSide } from './chainSide.ts';
import { move, threadLost } from './channel.ts';
import type { CompanionOptions } from './companionOptions.ts';
import type { DerivationTurns } from './derivationTurns.ts';
import type { ProgramQueue } from './pcztPrograms.ts';
import { overwriteReadBlock } from './readBlock.ts';
import type { ScanWorkers } from './scanWorkers.ts';
import { startThread, type Thread } from './thread.ts';
import type { MainMethods, WalletMethods, WalletThreadData } from './threadMethods.ts';
import { systemPutOff, ThreadWatch } from './threadWatch.ts';
import { holdsCalls, type LifeEvent, lifeAfter, stageOf, type WalletLife } from './walletLife.ts';

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

export interface WalletContext {
  /** For the log. */
  readonly thread: string;
  readonly folder: string;
  /** Throws where its thread must not start. */
  readonly check: () => void;
  readonly openConfig: () => WalletConfig;
  /** Its thread also answers calls for the companion as a whole, and is always there. */
  readonly answersForCompanion: boolean;
  readonly changeConfig: (side: WalletSide) => Pick<MainMethods['calls'], 'updateConfig' | 'chooseSource'>;
  readonly chain: ChainSide;
  readonly emit: EventListener;
  /** Called when a lost thread was replaced. */
  readonly restarted: () => void;
  readonly derivations: DerivationTurns;
  readonly programs: ProgramQueue;
  readonly scanWorkers: ScanWorkers;
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
  #config: WalletConfig | undefined;
  /** As the threads reported them, so that the loss of a thread ends no wait. */
  #wrongTries: readonly WrongTries[] | undefined;
  #life: WalletLife = { kind: 'resting', carried: undefined };
  /** Called at the next change of the stage. */
  #waiting: (() => void)[] = [];
  /** Settles when the thread that was ended last is gone. */
  #gone: Promise<void> = Promise.resolve();
  /** Identifies the latest wait for open calls. */
  #wait: object | undefined;
  /** Of the patience with open calls, or of the rest that follows them. */
  #cancelTimer: () => void = () => undefined;

  constructor(options: CompanionOptions, context: WalletContext) {
    this.#options = options;
    this.#context = context;
    this.#after = options.patience ?? systemAfter;
    this.ready = new Promise((resolve) => {
      this.#isReady = resolve;
    });
    this.#watch = new ThreadWatch(context.thread, options.log, options.after ?? systemPutOff, {
      isRetired: () => this.#life.kind === 'ending',
      isStopping: () => this.#life.kind === 'stopped',
      ended: () => {
        this.#thread = undefined;
        this.#isReady();
        this.#on({ kind: 'lost' });
      },
      lost: () => context.emit({ event: 'wallet.locked', data: { reason: 'thread_lost' } }),
      restart: () => {
        this.#on({ kind: 'restart' });
        context.restarted();
      },
    });
  }

  get isUp(): boolean {
    return this.#thread !== undefined;
  }

  get answersForCompanion(): boolean {
    return this.#context.answersForCompanion;
  }

  /** No session is open, according to the events so far, and no call is open. */
  get isIdle(): boolean {
    const isOpen = 'isOpen' in this.#life && this.#life.isOpen;
    return !isOpen && (this.#thread?.channel.openCalls ?? 0) === 0;
  }

  /** Throws where a file of it cannot be read. */
  get config(): WalletConfig {
    this.#config ??= this.#context.openConfig();
    return this.#config;
  }

  get restarts(): number {
    return this.#watch.restarts;
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
    // From here to the call nothing is awaited: what was let through is open at the next change.
    while (holdsCalls(this.#life)) await this.#changed();
    try {
      this.wake();
    } catch (thrown) {
      return failure(thrown);
    }
    if (this.#life.kind === 'running') this.#cancelTimer();
    const sent = moved === undefined ? message : move(message, moved);
    const answer = await (this.#thread?.channel.call('dispatch', sent, deadlineMs) ?? threadLost());
    this.#restLater();
    return answer;
  }

  /** As `ask`, without counting as use; undefined while there is no thread, or a locked one is being replaced. */
  async look(message: object, deadlineMs: number): Promise<Result<unknown> | undefined> {
    return holdsCalls(this.#life) ? undefined : this.#thread?.channel.call('dispatch', message, deadlineMs);
  }

  /** A thread that starts later gets it then. */
  configChanged(byThisWallet: boolean): void {
    this.#thread?.channel.emit('configChanged', { config: this.config.snapshot(), byThisWallet });
  }

  setLogLevel(level: string): void {
    this.#thread?.channel.emit('logLevelChanged', level);
  }

  /** Lets the thread rest unless it is needed; settles when that is decided. */
  async rest(): Promise<void> {
    this.#on({ kind: 'spent' });
    while (this.#life.kind === 'replacing' || this.#life.kind === 'ending') await this.#changed();
  }

  /** The chain thread was restarted after a loss. */
  connectChain(): void {
    if (this.#thread === undefined) return;
    const port = this.#context.chain.port(this.answersForCompanion);
    if (port === undefined) return;
    this.#thread.channel.emit('connectChain', port);
  }

  /** Locks the wallet, closes its files and ends the thread. */
  async stop(): Promise<void> {
    this.#on({ kind: 'stop' });
    await this.#gone;
    const thread = this.#thread;
    if (thread === undefined) return;
    await thread.channel.call('stop', undefined, STOP_PATIENCE_MS);
    await thread.worker.terminate();
  }

  #start(carried: Carried | undefined): void {
    const { configDir, version, scanThreads, oneCommand = false, kdf } = this.#options;
    const { thread: name, folder, answersForCompanion } = this.#context;
    const config = this.config.snapshot();
    const chain = this.#context.chain.port(answersForCompanion);
    const data: WalletThreadData = {
      thread: name,
      config,
      configDir,
      dataDir: folder,
      version,
      scanThreads,
      oneCommand,
      logLevel: this.#options.log.level,
      chain,
      isChainAsleep: this.#context.chain.isAsleep,
      carried,
      wrongTries: this.#wrongTries,
      ...(kdf === undefined ? {} : { kdf }),
    };
    const entry = new URL('./walletThread.js', import.meta.url);
    const thread: WalletThread = startThread(entry, { name: 'wallet', data, moved: chain }, (ended) =>
      this.#methods(ended),
    );
    this.#watch.watch(thread.worker);
    this.#thread = thread;
  }

  /** What the thread may ask for. */
  #methods(ended: Promise<void>): MainMethods {
    const { derivations, programs, scanWorkers, chain, changeConfig } = this.#context;
    const turns = derivations.join(ended);
    const runs = programs.join(ended);
    return {
      calls: {
        derivationTurn: turns.take,
        runProgram: runs.run,
        provesSapling: runs.provesSapling,
        prices: async () => (await this.#options.prices?.state()) ?? {},
        dayRates: async () => (await this.#options.prices?.dayRates()) ?? {},
        ...scanWorkers.join(ended),
        ...changeConfig(this),
      },
      events: {
        happened: (event) => this.#happened(event),
        triesChanged: (wrongTries) => {
          this.#wrongTries = wrongTries;
        },
        derivationDone: turns.done,
        giveUpProgram: runs.giveUp,
        wakeChain: () => chain.wake(),
        ready: () => this.#isReady(),
        spent: () => this.#on({ kind: 'spent' }),
      },
    };
  }

  #changed(): Promise<void> {
    return new Promise((resolve) => this.#waiting.push(resolve));
  }

  /** Starts a resting thread. Throws where it must not start. */
  wake(): void {
    if (this.#life.kind !== 'resting') return;
    this.#context.check();
    // A file with mistakes is refused at each start; what was read first, and changed since, stays.
    const config = this.#context.openConfig();
    this.#config ??= config;
    this.#start(this.#life.carried);
    this.#on({ kind: 'call' });
  }

  #restLater(): void {
    if (this.answersForCompanion || this.#life.kind !== 'running' || !this.isIdle) return;
    this.#cancelTimer();
    this.#cancelTimer = this.#after(REST_AFTER_MS, () => {
      if (this.isIdle) void this.rest();
    });
  }

  #happened({ event, texts }: EventWithoutTexts): void {
    if (event.event === 'wallet.unlocked') this.#on({ kind: 'unlocked' });
    else if (event.event === 'wallet.locked') {
      this.#on({ kind: 'locked' });
      overwriteReadBlock();
    }
    this.#context.emit(event, texts);
    texts?.fill(0);
  }

  /** Follows the event, and does what the new stage asks for. */
  #on(event: LifeEvent): void {
    const before = stageOf(this.#life);
    this.#life = lifeAfter(this.#life, event);
    const stage = stageOf(this.#life);
    if (stage === before) return;
    // A wait for a thread that is gone would keep the process from ending.
    this.#cancelTimer();
    const waiting = this.#waiting.splice(0);
    const thread = this.#thread;
    try {
      if (stage === 'resting' && this.answersForCompanion) this.wake();
      else if (event.kind === 'kept') this.#restLater();
      else if (thread !== undefined) this.#replace(thread, stage);
    } finally {
      // Where the machine gives no thread, too: held calls learn it by themselves.
      for (const go of waiting) go();
    }
  }

  #replace(thread: WalletThread, stage: ReturnType<typeof stageOf>): void {
    if (stage === 'answering')
      this.#cancelTimer = this.#after(EXCHANGE_PATIENCE_MS, () => this.#on({ kind: 'impatient' }));
    if (stage === 'answering' || stage === 'closing') void this.#waitForAnswers(thread);
    else if (stage === 'asked') void this.#askToRetire(thread);
    else if (stage === 'ending') this.#gone = this.#end(thread);
  }

  async #waitForAnswers({ channel }: WalletThread): Promise<void> {
    const wait = {};
    this.#wait = wait;
    await channel.answered();
    if (this.#wait === wait) this.#on({ kind: 'answered' });
  }

  async #askToRetire({ channel }: WalletThread): Promise<void> {
    const answer = await channel.call('retire', undefined);
    if (!answer.ok) return;
    const { value: carried } = answer;
    this.#on(carried === undefined ? { kind: 'kept' } : { kind: 'retired', carried });
  }

  /** The next one starts after that: they share files. */
  async #end({ worker }: WalletThread): Promise<void> {
    await worker.terminate();
    this.#thread = undefined;
    this.#on({ kind: 'gone' });
  }
}
