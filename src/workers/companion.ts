// The running companion: wallet and chain thread, wired to each other and to the fronts.

import { EventEmitter } from 'node:events';
import { MessageChannel, type MessagePort, Worker } from 'node:worker_threads';
import { systemAfter } from '../async/after.ts';
import { dispatchMessage, inputPastPassword } from '../protocol/dispatch.ts';
import { CompanionError, type ErrorRecord } from '../protocol/errors.ts';
import type { CompanionEvent } from '../protocol/events.ts';
import type { HealthReport, JsonLink, Link } from '../protocol/link.ts';
import {
  type CallContext,
  type Handlers,
  isOperationName,
  type OperationName,
  type Output,
  operations,
} from '../protocol/operations.ts';
import { failure, type Result } from '../protocol/result.ts';
import type { CompanionOptions } from './companionOptions.ts';
import { Mailbox, sendTo } from './mailbox.ts';
import { Reopening } from './reopening.ts';
import { environmentLevel, faultLogger, type Log } from './threadLog.ts';
import type { ChainThreadData, FromChainThread, Reloaded, ToChainThread } from './threadMessages.ts';
import { systemPutOff, ThreadWatch } from './threadWatch.ts';
import { WalletSide } from './walletSide.ts';

export { STOP_PATIENCE_MS } from './walletSide.ts';

/**
 * These take as long as they take, with what was scanned or is to be; everything else answers within the deadline or the
 * thread is stuck.
 */
const UNBOUNDED: ReadonlySet<OperationName> = new Set([
  'sync.run',
  'lwd.sync_compact',
  'wallet.change_password',
  'notes.witness',
]);
const DEADLINE_MS = 120_000;

const NO_SERVICE: Handlers<'service'> = { 'hooks.list': () => ({ hooks: [] }) };

const deadlineOf = (name: OperationName): number | undefined =>
  UNBOUNDED.has(name) ? undefined : DEADLINE_MS;

export class Companion implements Link, JsonLink {
  readonly #events = new EventEmitter<{ event: [CompanionEvent] }>();
  readonly #wallet: WalletSide;
  readonly #chainWatch: ThreadWatch;
  readonly #log: Log;
  readonly #service: Handlers<'service'>;
  readonly #reopening: Reopening | undefined;
  #chain: { readonly worker: Worker; readonly mailbox: Mailbox } | undefined;
  #stopping = false;

  private constructor(options: CompanionOptions) {
    this.#events.setMaxListeners(0);
    this.#wallet = new WalletSide(options, {
      chain: () => this.#chain?.worker,
      tell: (event) => {
        this.#reopening?.hear(event);
        this.#events.emit('event', event);
      },
      restarted: () => void this.#reopening?.restarted(),
    });
    this.#log = options.log;
    this.#service = options.service ?? NO_SERVICE;
    this.#reopening =
      options.password && new Reopening(this, options.password, options.log, options.patience ?? systemAfter);
    this.#chainWatch = new ThreadWatch('chain', options.log, options.after ?? systemPutOff, {
      isRetired: () => false,
      isStopping: () => this.#stopping,
      ended: () => {
        this.#chain = undefined;
      },
      lost: () => undefined,
      restart: () => {
        const { port1, port2 } = new MessageChannel();
        this.#wallet.connectChain(port2);
        this.#startChain(port1);
      },
    });
  }

  static start(options: CompanionOptions): Companion {
    const companion = new Companion(options);
    const { port1, port2 } = new MessageChannel();
    companion.#startChain(port1);
    companion.#wallet.start(port2);
    return companion;
  }

  async dispatch<N extends OperationName>(
    name: N,
    input: unknown,
    context: CallContext,
  ): Promise<Result<Output<N>>> {
    if (!isOperationName(name))
      return failure(new CompanionError('NOT_FOUND', 'There is no such operation.'));
    this.#reopening?.asked(name);
    const deadlineMs = deadlineOf(name);
    const { requestId, byOwner = false, byService = false, origin } = context;
    const { actor } = operations[name];
    if (actor === 'service') {
      const logFault = faultLogger(this.#log);
      const message = { name, input, requestId, byOwner, origin };
      return (await dispatchMessage('service', this.#service, message, { logFault })) as Result<Output<N>>;
    }
    if (actor === 'wallet') {
      const message = { name, input, requestId, byOwner, byService, origin };
      return (await this.#wallet.ask(message, deadlineMs)) as Result<Output<N>>;
    }
    // Just started: the chain thread does not know the configuration until the wallet thread has told it.
    await this.#wallet.ready;
    const given = await inputPastPassword(name, input, (check) => this.#wallet.ask(check, DEADLINE_MS));
    if (!given.ok) return given;
    const message = { name, input: given.value, requestId, byOwner };
    return (await sendTo(this.#chain?.mailbox, message, deadlineMs)) as Result<Output<N>>;
  }

  /** Of the wallet thread alone: the other one gets no secrets. */
  async dispatchJson(
    name: OperationName,
    body: Uint8Array<ArrayBuffer>,
    { requestId, byOwner = false, origin }: CallContext,
  ): Promise<Result<Uint8Array>> {
    this.#reopening?.asked(name);
    const message = { name, json: body, requestId, byOwner, origin };
    return (await this.#wallet.ask(message, deadlineOf(name), [body.buffer])) as Result<Uint8Array>;
  }

  /** With the password that the companion was started with; undefined where it opened, or where there is none. */
  async unlock(): Promise<ErrorRecord | undefined> {
    return this.#reopening?.unlock();
  }

  /** Takes an edited config.json; the log's level changes in every thread. Never rejects. */
  async reload(): Promise<Result<Reloaded>> {
    const result = await this.#wallet.reload();
    if (!result.ok) return result;
    const level = result.value.log_level ?? environmentLevel();
    this.#log.level = level;
    this.#chain?.worker.postMessage({ kind: 'log_level', level } satisfies ToChainThread);
    return result;
  }

  async health(): Promise<HealthReport> {
    return {
      wallet: this.#wallet.isUp ? 'up' : 'down',
      chain: this.#chain === undefined ? 'down' : 'up',
      kernel: this.#wallet.kernel?.report ?? null,
      restarts: { wallet: this.#wallet.restarts, chain: this.#chainWatch.restarts },
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
    await this.#wallet.stop();
    await this.#chain?.worker.terminate();
  }

  #startChain(walletPort: MessagePort): void {
    const { port1, port2 } = new MessageChannel();
    const data: ChainThreadData = { front: port2, wallet: walletPort, logLevel: this.#log.level };
    const worker = new Worker(new URL('./chainThread.js', import.meta.url), {
      workerData: data,
      transferList: [port2, walletPort],
      name: 'chain',
    });
    worker.on('message', ({ event }: FromChainThread) => void this.#events.emit('event', event));
    this.#chain = { worker, mailbox: new Mailbox(port1, this.#chainWatch.watch(worker)) };
  }
}
