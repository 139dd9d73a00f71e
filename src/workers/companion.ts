// The running companion: wallet and chain thread, wired to each other and to the fronts, restarted when they die.

import { EventEmitter } from 'node:events';
import { MessageChannel, type MessagePort, Worker } from 'node:worker_threads';
import type { Config } from '../actors/wallet/ports/storage.ts';
import { inputPastPassword } from '../protocol/dispatch.ts';
import { CompanionError } from '../protocol/errors.ts';
import type { CompanionEvent } from '../protocol/events.ts';
import { faultFields } from '../protocol/faultFields.ts';
import type { HealthReport, JsonLink, Link } from '../protocol/link.ts';
import {
  type CallContext,
  isOperationName,
  type OperationName,
  type Output,
  operations,
} from '../protocol/operations.ts';
import { failure, type Result } from '../protocol/result.ts';
import { Gate } from './gate.ts';
import { Mailbox } from './mailbox.ts';
import type { ScanKernel } from './scanKernel.ts';
import type { Log } from './threadLog.ts';
import type {
  CarriedState,
  ChainThreadData,
  FromWalletThread,
  ToChainThread,
  ToWalletThread,
  WalletThreadData,
} from './threadMessages.ts';

export interface CompanionOptions {
  readonly configDir: string;
  readonly dataDir: string;
  readonly overrides: Partial<Config>;
  readonly version: string;
  readonly scanThreads: number;
  /** Scan new blocks as they come while the wallet is unlocked. */
  readonly follow?: boolean;
  readonly log: Log;
  /** Puts off the restart of a lost thread; default: for that long. */
  readonly after?: (waitMs: number, restart: () => void) => void;
}

/** A thread that dies again and again is restarted ever more slowly. */
const FIRST_RESTART_MS = 100;
const SLOWEST_RESTART_MS = 10_000;
/** Lives that long: the next death counts as the first one again. */
const HEALTHY_AFTER_MS = 60_000;
/** Waiting for a running scan to commit and the files to close. */
export const STOP_PATIENCE_MS = 10_000;

/**
 * These take as long as they take, with what was scanned or is to be; everything else answers within the deadline or the
 * thread is stuck.
 */
const UNBOUNDED: ReadonlySet<OperationName> = new Set([
  'sync.run',
  'lwd.sync_compact',
  'wallet.change_password',
]);
const DEADLINE_MS = 120_000;

interface Thread {
  readonly worker: Worker;
  readonly mailbox: Mailbox;
}

async function send(
  thread: Thread | undefined,
  message: object,
  deadlineMs: number | undefined,
  moved?: ArrayBuffer[],
): Promise<Result<unknown>> {
  if (thread !== undefined) return thread.mailbox.send(message, deadlineMs, moved);
  return failure(
    new CompanionError('THREAD_LOST', 'A worker thread of the companion is being restarted. Try again.'),
  );
}

export class Companion implements Link, JsonLink {
  readonly #options: CompanionOptions;
  readonly #after: (waitMs: number, restart: () => void) => void;
  readonly #events = new EventEmitter<{ event: [CompanionEvent] }>();
  #wallet: Thread | undefined;
  #chain: Thread | undefined;
  #kernel: ScanKernel | undefined;
  /** Closed while one wallet thread gives way to the next. */
  readonly #walletGate = new Gate();
  #exchange: Promise<void> = Promise.resolve();
  readonly #ready: Promise<void>;
  #isReady!: () => void;
  #stopping = false;
  readonly #restartMs = { wallet: FIRST_RESTART_MS, chain: FIRST_RESTART_MS };
  readonly #restarts = { wallet: 0, chain: 0 };
  /** Ended on purpose. */
  readonly #retired = new WeakSet<Worker>();

  private constructor(options: CompanionOptions) {
    this.#options = options;
    this.#after = options.after ?? ((waitMs, restart) => void setTimeout(restart, waitMs));
    this.#events.setMaxListeners(0);
    this.#ready = new Promise((resolve) => {
      this.#isReady = resolve;
    });
  }

  static start(options: CompanionOptions): Companion {
    const companion = new Companion(options);
    const { port1, port2 } = new MessageChannel();
    companion.#startChain(port1);
    companion.#startWallet(port2, undefined);
    return companion;
  }

  async dispatch<N extends OperationName>(
    name: N,
    input: unknown,
    context: CallContext,
  ): Promise<Result<Output<N>>> {
    if (!isOperationName(name))
      return failure(new CompanionError('NOT_FOUND', 'There is no such operation.'));
    const deadlineMs = UNBOUNDED.has(name) ? undefined : DEADLINE_MS;
    const { requestId, byOwner = false } = context;
    if (operations[name].actor === 'wallet') {
      const message = { name, input, requestId, byOwner };
      return (await this.#askWallet(message, deadlineMs)) as Result<Output<N>>;
    }
    // Just started: the chain thread does not know the configuration until the wallet thread has told it.
    await this.#ready;
    const given = await inputPastPassword(name, input, (check) => this.#askWallet(check, DEADLINE_MS));
    if (!given.ok) return given;
    const message = { name, input: given.value, requestId, byOwner };
    return (await send(this.#chain, message, deadlineMs)) as Result<Output<N>>;
  }

  /** Of the wallet thread alone: the other one gets no secrets. */
  async dispatchJson(
    name: OperationName,
    body: Uint8Array<ArrayBuffer>,
    { requestId, byOwner = false }: CallContext,
  ): Promise<Result<Uint8Array>> {
    const deadlineMs = UNBOUNDED.has(name) ? undefined : DEADLINE_MS;
    const message = { name, json: body, requestId, byOwner };
    return (await this.#askWallet(message, deadlineMs, [body.buffer])) as Result<Uint8Array>;
  }

  async #askWallet(
    message: object,
    deadlineMs: number | undefined,
    moved?: ArrayBuffer[],
  ): Promise<Result<unknown>> {
    await this.#walletGate.passed();
    return send(this.#wallet, message, deadlineMs, moved);
  }

  async health(): Promise<HealthReport> {
    return {
      wallet: this.#wallet === undefined ? 'down' : 'up',
      chain: this.#chain === undefined ? 'down' : 'up',
      kernel: this.#kernel?.report ?? null,
      restarts: { ...this.#restarts },
    };
  }

  subscribe(listener: (event: CompanionEvent) => void): () => void {
    this.#events.on('event', listener);
    return () => this.#events.off('event', listener);
  }

  /** Locks the wallet, closes its files and ends the threads. */
  async stop(): Promise<void> {
    if (this.#stopping) return;
    this.#stopping = true;
    await this.#exchange;
    const wallet = this.#wallet?.worker;
    if (wallet !== undefined) {
      await new Promise<void>((resolve) => {
        const timer = setTimeout(resolve, STOP_PATIENCE_MS);
        const done = () => {
          clearTimeout(timer);
          resolve();
        };
        wallet.on('message', (message: FromWalletThread) => message.kind === 'stopped' && done());
        wallet.once('exit', done);
        wallet.postMessage({ kind: 'stop' } satisfies ToWalletThread);
      });
    }
    await Promise.all([wallet?.terminate(), this.#chain?.worker.terminate()]);
  }

  #startWallet(chainPort: MessagePort | undefined, carried: CarriedState | undefined): void {
    const { configDir, dataDir, overrides, version, scanThreads, follow = false } = this.#options;
    const { port1, port2 } = new MessageChannel();
    const data: WalletThreadData = {
      configDir,
      dataDir,
      overrides,
      version,
      scanThreads,
      follow,
      front: port2,
      chain: chainPort,
      kernel: this.#kernel,
      carried,
    };
    const worker = new Worker(new URL('./walletThread.js', import.meta.url), {
      workerData: data,
      transferList: chainPort === undefined ? [port2] : [port2, chainPort],
      name: 'wallet',
    });
    const thread = { worker, mailbox: new Mailbox(port1, this.#watch('wallet', worker)) };
    worker.on('message', (message: FromWalletThread) => this.#hearWallet(thread, message));
    this.#wallet = thread;
  }

  #hearWallet(thread: Thread, message: FromWalletThread): void {
    if (message.kind === 'event') {
      // In use again: whoever waits need not wait for its end, which may be hours away.
      if (message.event.event === 'wallet.unlocked') this.#walletGate.open();
      this.#events.emit('event', message.event);
    } else if (message.kind === 'kernel') this.#kernel = message.kernel;
    else if (message.kind === 'ready') this.#isReady();
    else if (message.kind === 'kept') this.#walletGate.open();
    else if (message.kind === 'spent') this.#retireWallet(thread);
    else if (message.kind === 'retired' && this.#isUnused(thread))
      this.#exchange = this.#exchangeWallet(thread, message.carried);
  }

  /** It may have been asked again since it was told to retire: then it says once more when it may. */
  #isUnused({ worker, mailbox }: Thread): boolean {
    return this.#walletGate.isClosed && mailbox.openCalls === 0 && !this.#retired.has(worker);
  }

  /** Whoever has asked the thread is answered by it; who asks from now on waits for the next one. */
  #retireWallet(thread: Thread): void {
    if (this.#stopping) return;
    const closing = this.#walletGate.close();
    void thread.mailbox.answered().then(() => {
      if (this.#walletGate.isClosedBy(closing))
        thread.worker.postMessage({ kind: 'retire' } satisfies ToWalletThread);
    });
  }

  /** The memory of a thread goes with it, and with nothing else. One after the other: they share files. */
  async #exchangeWallet({ worker }: Thread, carried: CarriedState): Promise<void> {
    if (!this.#stopping) {
      this.#retired.add(worker);
      await worker.terminate();
      this.#wallet = undefined;
    }
    if (!this.#stopping) this.#connectWallet(carried);
    this.#walletGate.open();
  }

  #startChain(walletPort: MessagePort): void {
    const { port1, port2 } = new MessageChannel();
    const data: ChainThreadData = { front: port2, wallet: walletPort };
    const worker = new Worker(new URL('./chainThread.js', import.meta.url), {
      workerData: data,
      transferList: [port2, walletPort],
      name: 'chain',
    });
    this.#chain = { worker, mailbox: new Mailbox(port1, this.#watch('chain', worker)) };
  }

  /** Settles when the thread has ended; restarts it unless the companion is stopping. */
  #watch(which: 'wallet' | 'chain', worker: Worker): Promise<void> {
    const startedAt = performance.now();
    worker.on('error', (error) =>
      this.#options.log.error({ thread: which, ...faultFields(error) }, 'thread failed'),
    );
    return new Promise((resolve) => {
      worker.once('exit', () => {
        if (this.#retired.has(worker)) {
          resolve();
          return;
        }
        if (which === 'wallet') this.#wallet = undefined;
        else this.#chain = undefined;
        this.#isReady();
        if (which === 'wallet') this.#walletGate.open();
        resolve();
        if (this.#stopping) return;
        if (which === 'wallet')
          this.#events.emit('event', { event: 'wallet.locked', data: { reason: 'thread_lost' } });
        if (performance.now() - startedAt > HEALTHY_AFTER_MS) this.#restartMs[which] = FIRST_RESTART_MS;
        const wait = this.#restartMs[which];
        this.#restartMs[which] = Math.min(wait * 2, SLOWEST_RESTART_MS);
        this.#options.log.error({ thread: which, restartMs: wait }, 'thread lost, restarting');
        this.#after(wait, () => this.#restart(which));
      });
    });
  }

  #restart(which: 'wallet' | 'chain'): void {
    if (this.#stopping) return;
    this.#restarts[which] += 1;
    if (which === 'wallet') this.#connectWallet(undefined);
    else {
      const { port1, port2 } = new MessageChannel();
      this.#wallet?.worker.postMessage({ kind: 'chain', port: port2 } satisfies ToWalletThread, [port2]);
      this.#startChain(port1);
    }
  }

  /** A chain thread that is lost too brings a port of its own when it is back. */
  #connectWallet(carried: CarriedState | undefined): void {
    if (this.#chain === undefined) {
      this.#startWallet(undefined, carried);
      return;
    }
    const { port1, port2 } = new MessageChannel();
    this.#chain.worker.postMessage({ kind: 'wallet', port: port1 } satisfies ToChainThread, [port1]);
    this.#startWallet(port2, carried);
  }
}
