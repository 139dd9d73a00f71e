// The running companion: wallet and chain thread, connected to each other and to the front ends.

import { EventEmitter } from 'node:events';
import { systemAfter } from '@wallet-companion/base/async';
import { checkedWallet, DEFAULT_WALLET, walletField } from '@wallet-companion/client/contract';
import type { Config } from '../actors/wallet/ports/configFile.ts';
import type { PastPassword } from '../protocol/dispatch.ts';
import { CompanionError, type ErrorRecord } from '../protocol/errors.ts';
import type { CompanionEvent, EventListener } from '../protocol/events.ts';
import { COMMANDS } from '../protocol/generated/commands.ts';
import type { AllEvents, HealthReport, JsonLink, Link } from '../protocol/link.ts';
import type { CallContext, Handlers, OperationName, Output } from '../protocol/operations.ts';
import { failure, ok, type Result } from '../protocol/result.ts';
import type { StartPassword } from '../protocol/startPassword.ts';
import { proxyOf } from '../storage/config/configValues.ts';
import { ChainSide } from './chainSide.ts';
import type { CompanionOptions } from './companionOptions.ts';
import { DerivationTurns } from './derivationTurns.ts';
import { ProgramQueue } from './pcztPrograms.ts';
import { Reopening } from './reopening.ts';
import { ScanWorkers } from './scanWorkers.ts';
import { keepHeapsSmall } from './thread.ts';
import { environmentLevel, faultLogger, type Log } from './threadLog.ts';
import { systemPutOff } from './threadWatch.ts';
import { Wallets } from './wallets.ts';

export { STOP_PATIENCE_MS } from './walletSide.ts';

/** If an operation has not answered by then, its thread is stuck. */
const DEADLINE_MS = 120_000;

/** A start is over by then. */
export const KERNEL_AFTER_MS = 1_000;

const eventsOf = (wallet: string): string => `events ${wallet}`;

/** What an actor is told of a call's caller. */
const ofCaller = ({ requestId, byOwner = false, byService = false, origin, grant }: CallContext) => ({
  requestId,
  byOwner,
  byService,
  origin,
  grant,
});

/** Throws `INVALID_REQUEST`. */
const nameOf = (wallet: string | undefined): string => checkedWallet(wallet) ?? DEFAULT_WALLET;

const deadlineOf = (name: OperationName): number | undefined =>
  COMMANDS[name].hasNoDeadline === true ? undefined : DEADLINE_MS;

/** Loaded with the first call, when the threads are starting: building its schemas takes as long as they do. */
const operationTable = () => import('../protocol/operations.ts');
const dispatching = () => import('../protocol/dispatch.ts');

/** The default wallet's thread answers for the whole companion. */
async function walletOf(name: OperationName, { wallet }: CallContext): Promise<Result<string>> {
  try {
    const { isOfWallet } = await operationTable();
    const checked = nameOf(wallet);
    return ok(isOfWallet(name) ? checked : DEFAULT_WALLET);
  } catch (thrown) {
    return failure(thrown);
  }
}

export class Companion implements Link, JsonLink, AllEvents {
  readonly #events = new EventEmitter<Record<string, Parameters<EventListener>>>();
  readonly #ofAll = new Set<(event: CompanionEvent, wallet: string) => void>();
  readonly #wallets: Wallets;
  readonly #scanWorkers: ScanWorkers;
  readonly #chain: ChainSide;
  readonly #log: Log;
  readonly #service: Handlers<'service'>;
  /** By wallet. */
  readonly #reopenings = new Map<string, Reopening>();
  #cancelKernel = (): void => undefined;
  #stopping = false;

  private constructor(options: CompanionOptions) {
    this.#events.setMaxListeners(0);
    this.#log = options.log;
    this.#scanWorkers = new ScanWorkers(options.scanThreads, options.log, () => ({
      configured: this.#wallets.config.scan_kernel,
      configDir: options.configDir,
    }));
    this.#chain = new ChainSide({
      log: options.log,
      putOff: options.after ?? systemPutOff,
      isStopping: () => this.#stopping,
      emit: (event) => this.emitToAll(event),
      restarted: () => this.#wallets.connectChain(),
      proxy: () => proxyOf(this.#wallets.config),
    });
    this.#wallets = new Wallets(options, {
      chain: this.#chain,
      derivations: new DerivationTurns(),
      programs: new ProgramQueue(options.programs),
      scanWorkers: this.#scanWorkers,
      emit: (wallet, event, texts) => {
        this.#reopenings.get(wallet)?.hear(event);
        this.emit(event, wallet, texts);
      },
      restarted: (wallet) => void this.#reopenings.get(wallet)?.restarted(),
    });
    this.#service = {
      ...(options.service ?? ({} as NonNullable<CompanionOptions['service']>)),
      'wallets.list': (_input, { requestId, grant }) => this.#wallets.list(requestId, grant),
      'wallets.rename': (input, context) => this.#wallets.rename(input, context),
    };
    const { passwords = new Map<string, StartPassword>(), patience = systemAfter } = options;
    for (const [wallet, password] of passwords)
      this.#reopenings.set(
        wallet,
        new Reopening(this.#inWallet(wallet), password, this.#log.child(walletField(wallet)), patience),
      );
  }

  static start(options: CompanionOptions): Companion {
    keepHeapsSmall();
    const companion = new Companion(options);
    // A single command may need none, and no scan.
    if (options.oneCommand !== true) {
      companion.#chain.wake();
      const { patience = systemAfter } = options;
      companion.#cancelKernel = patience(KERNEL_AFTER_MS, () => void companion.#scanWorkers.chooseKernel());
    }
    companion.#wallets.default.wake();
    return companion;
  }

  async dispatch<N extends OperationName>(
    name: N,
    input: unknown,
    context: CallContext,
  ): Promise<Result<Output<N>>> {
    const { isOperationName, operations } = await operationTable();
    if (!isOperationName(name))
      return failure(new CompanionError('NOT_FOUND', 'There is no such operation.'));
    const { actor } = operations[name];
    const wallet = await walletOf(name, context);
    if (!wallet.ok) return wallet;
    if (actor === 'wallet') {
      this.#reopenings.get(wallet.value)?.asked(name);
      const message = { name, input, ...ofCaller(context) };
      return (await this.#wallets.ask(wallet.value, message, deadlineOf(name))) as Result<Output<N>>;
    }
    const { inputPastPassword } = await dispatching();
    const given = await inputPastPassword(name, input, context, (check) =>
      this.#wallets.default.ask(check, DEADLINE_MS),
    );
    return given.ok ? this.#pastPassword(name, given.value, context) : given;
  }

  /** Bytes of JSON texts: only the wallet thread reads them, for another actor it takes the password out. */
  async dispatchJson(
    name: OperationName,
    body: Uint8Array<ArrayBuffer>,
    context: CallContext,
  ): Promise<Result<Uint8Array>> {
    const wallet = await walletOf(name, context);
    if (!wallet.ok) {
      body.fill(0);
      return wallet;
    }
    const { operations } = await operationTable();
    const { inPath } = context;
    const json = { json: body, ...(inPath === undefined ? {} : { inPath }) };
    let answer: Result<unknown>;
    if (operations[name].actor === 'wallet') {
      this.#reopenings.get(wallet.value)?.asked(name);
      const message = { name, ...json, ...ofCaller(context) };
      answer = await this.#wallets.ask(wallet.value, message, deadlineOf(name), [body.buffer]);
    } else {
      const { passwordCheck } = await dispatching();
      const check = passwordCheck(name, json, context);
      const given = await this.#wallets.default.ask(check, DEADLINE_MS, [body.buffer]);
      answer = given.ok
        ? await this.#pastPassword(
            name,
            JSON.parse(new TextDecoder().decode(given.value as Uint8Array)),
            context,
          )
        : given;
      if (answer.ok) answer = ok(new TextEncoder().encode(JSON.stringify(answer.value)));
    }
    // If no thread could take it, the body is still here.
    if (body.byteLength > 0) body.fill(0);
    return answer as Result<Uint8Array>;
  }

  /** For the actors that see no password. */
  async #pastPassword<N extends OperationName>(
    name: N,
    { handled: input, hasPassword }: PastPassword,
    context: CallContext,
  ): Promise<Result<Output<N>>> {
    const { operations } = await operationTable();
    const message = { name, input, hasPassword, ...ofCaller(context) };
    if (operations[name].actor === 'service') {
      const { dispatchMessage } = await dispatching();
      const logFault = faultLogger(this.#log);
      return (await dispatchMessage('service', this.#service, message, { logFault })) as Result<Output<N>>;
    }
    // Just started: the chain thread has no configuration until the wallet thread has sent it.
    await this.#wallets.default.readyForChain();
    return (await this.#chain.call(message, deadlineOf(name))) as Result<Output<N>>;
  }

  /** With the password that the companion was started with; undefined where it opened, or without a password. */
  async unlock(wallet: string): Promise<ErrorRecord | undefined> {
    return this.#reopenings.get(wallet)?.unlock();
  }

  /** Reads an edited config.json; the log's level changes in every thread. `changes`: written first. Never rejects. */
  async reload(changes?: Partial<Config>): Promise<Result<Config>> {
    try {
      const config = await this.#wallets.reload(changes);
      const level = config.log_level ?? environmentLevel();
      this.#log.level = level;
      this.#chain.setLogLevel(level);
      this.#wallets.setLogLevel(level);
      return ok(config);
    } catch (thrown) {
      return failure(thrown);
    }
  }

  async health(): Promise<HealthReport> {
    const { isUp, restarts } = this.#wallets.default;
    return {
      wallet: isUp ? 'up' : 'down',
      chain: this.#chain.isUp ? 'up' : 'down',
      kernel: this.#scanWorkers.kernel,
      restarts: { wallet: restarts, chain: this.#chain.restarts },
    };
  }

  subscribe(listener: EventListener, wallet?: string): () => void {
    const events = eventsOf(nameOf(wallet));
    this.#events.on(events, listener);
    return () => this.#events.off(events, listener);
  }

  /** The events of all wallets, each with its name; those of the companion have that of the default one. */
  subscribeToAll(listener: (event: CompanionEvent, wallet: string) => void): () => void {
    this.#ofAll.add(listener);
    return () => this.#ofAll.delete(listener);
  }

  /** To the listeners of the wallet. */
  emit(event: CompanionEvent, wallet: string, texts?: Uint8Array): void {
    this.#events.emit(eventsOf(wallet), event, texts);
    for (const listener of this.#ofAll) listener(event, wallet);
  }

  /** Events about the servers and the machine go to the listeners of every wallet. */
  emitToAll(event: CompanionEvent): void {
    for (const events of this.#events.eventNames()) this.#events.emit(events, event);
    for (const listener of this.#ofAll) listener(event, DEFAULT_WALLET);
  }

  /** Locks the wallets, closes their files and ends the threads. */
  async stop(): Promise<void> {
    if (this.#stopping) return;
    this.#stopping = true;
    this.#cancelKernel();
    for (const reopening of this.#reopenings.values()) reopening.giveUp();
    await this.#wallets.stop();
    await Promise.all([this.#scanWorkers.stop(), this.#chain.end()]);
  }

  #inWallet(wallet: string): JsonLink {
    return { dispatchJson: (name, body, context) => this.dispatchJson(name, body, { ...context, wallet }) };
  }
}
