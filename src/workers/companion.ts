// The running companion: wallet and chain thread, connected to each other and to the front ends.

import { EventEmitter } from 'node:events';
import { systemAfter } from '@wallet-companion/base/async';
import { checkedWallet, DEFAULT_WALLET } from '@wallet-companion/client/contract';
import type { Config } from '../actors/wallet/ports/configFile.ts';
import type { PastPassword } from '../protocol/dispatch.ts';
import { CompanionError, type ErrorRecord } from '../protocol/errors.ts';
import type { CompanionEvent, EventListener } from '../protocol/events.ts';
import { COMMANDS } from '../protocol/generated/commands.ts';
import type { HealthReport, JsonLink, Link } from '../protocol/link.ts';
import type { CallContext, Handlers, OperationName, Output } from '../protocol/operations.ts';
import { failure, ok, type Result } from '../protocol/result.ts';
import type { StartPassword } from '../protocol/startPassword.ts';
import { ChainSide } from './chainSide.ts';
import type { CompanionOptions } from './companionOptions.ts';
import { DerivationTurns } from './derivationTurns.ts';
import { kernelReport } from './kernelWatch.ts';
import { ProgramQueue } from './pcztPrograms.ts';
import { Reopening } from './reopening.ts';
import { ScanHubs } from './scanHubs.ts';
import { environmentLevel, faultLogger, type Log } from './threadLog.ts';
import { keepHeapsSmall } from './threadMemory.ts';
import type { ReloadChanges, Reloaded } from './threadMethods.ts';
import { systemPutOff } from './threadWatch.ts';
import { WalletSide } from './walletSide.ts';
import { Wallets } from './wallets.ts';

export { STOP_PATIENCE_MS } from './walletSide.ts';

/** If an operation has not answered by then, its thread is stuck. */
const DEADLINE_MS = 120_000;

/** The default wallet's events have no name here. */
const eventsOf = (wallet: string | undefined): string => `events ${wallet ?? ''}`;

/** What an actor is told of a call's caller. */
const ofCaller = ({ requestId, byOwner = false, byService = false, origin, grant }: CallContext) => ({
  requestId,
  byOwner,
  byService,
  origin,
  grant,
});

const deadlineOf = (name: OperationName): number | undefined =>
  COMMANDS[name].hasNoDeadline === true ? undefined : DEADLINE_MS;

/** Loaded with the first call, when the threads are starting: building its schemas takes as long as they do. */
const operationTable = () => import('../protocol/operations.ts');
const dispatching = () => import('../protocol/dispatch.ts');

/** Undefined for the default wallet, and for operations on the whole companion. */
async function walletOf(name: OperationName, { wallet }: CallContext): Promise<Result<string | undefined>> {
  try {
    const { isOfWallet } = await operationTable();
    const checked = checkedWallet(wallet);
    return ok(isOfWallet(name) ? checked : undefined);
  } catch (thrown) {
    return failure(thrown);
  }
}

export class Companion implements Link, JsonLink {
  readonly #events = new EventEmitter<Record<string, Parameters<EventListener>>>();
  readonly #ofOthers = new Set<(wallet: string, event: CompanionEvent) => void>();
  /** The default wallet. */
  readonly #wallet: WalletSide;
  readonly #wallets: Wallets;
  readonly #scanHubs: ScanHubs;
  readonly #chain: ChainSide;
  readonly #log: Log;
  readonly #service: Handlers<'service'>;
  readonly #walletMoved: CompanionOptions['walletMoved'];
  /** Keyed by wallet; the default one is undefined. */
  readonly #reopenings = new Map<string | undefined, Reopening>();
  #stopping = false;

  private constructor(options: CompanionOptions) {
    this.#events.setMaxListeners(0);
    this.#scanHubs = new ScanHubs(options.scanThreads, options.log, options.after ?? systemPutOff);
    this.#chain = new ChainSide({
      log: options.log,
      putOff: options.after ?? systemPutOff,
      isStopping: () => this.#stopping,
      emit: (event) => this.emitToAll(event),
      restarted: () => {
        this.#wallet.connectChain();
        this.#wallets.connectChain();
      },
    });
    const shared = {
      chain: this.#chain,
      derivations: new DerivationTurns(),
      programs: new ProgramQueue(options.programs),
      scanHubs: this.#scanHubs,
      kernel: () => this.#wallet.kernel,
      sourceChosen: (block_source: Config['block_source']) => void this.#wallet.reload({ block_source }),
    };
    this.#wallets = new Wallets(options, {
      ...shared,
      emit: (wallet, event, texts) => {
        this.#reopenings.get(wallet)?.hear(event);
        this.emit(event, wallet, texts);
      },
      restarted: (wallet) => void this.#reopenings.get(wallet)?.restarted(),
    });
    this.#wallet = new WalletSide(options, {
      ...shared,
      emit: (event, texts) => {
        this.#reopenings.get(undefined)?.hear(event);
        this.emit(event, undefined, texts);
      },
      restarted: () => void this.#reopenings.get(undefined)?.restarted(),
      commonChanged: (common) => this.#wallets.takeCommon(common),
    });
    this.#log = options.log;
    this.#walletMoved = options.walletMoved;
    this.#service = {
      ...(options.service ?? ({} as NonNullable<CompanionOptions['service']>)),
      'wallets.list': (_input, { requestId, grant }) => this.#wallets.list(this.#wallet, requestId, grant),
      'wallets.rename': async (input, context) => {
        await this.#wallet.readyForChain();
        return this.#wallets.rename(input, context);
      },
    };
    const { password, otherPasswords = new Map<string, StartPassword>(), patience = systemAfter } = options;
    if (password !== undefined)
      this.#reopenings.set(undefined, new Reopening(this, password, options.log, patience));
    for (const [wallet, own] of otherPasswords)
      this.#reopenings.set(
        wallet,
        new Reopening(this.#inWallet(wallet), own, options.log.child({ wallet }), patience),
      );
  }

  static start(options: CompanionOptions): Companion {
    keepHeapsSmall();
    const companion = new Companion(options);
    // A single command may need none.
    if (options.oneCommand !== true) companion.#chain.wake();
    companion.#wallet.start();
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
      return (await this.#ask(wallet.value, message, deadlineOf(name))) as Result<Output<N>>;
    }
    const { inputPastPassword } = await dispatching();
    const given = await inputPastPassword(name, input, context, (check) =>
      this.#wallet.ask(check, DEADLINE_MS),
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
      answer = await this.#ask(wallet.value, message, deadlineOf(name), [body.buffer]);
    } else {
      const { passwordCheck } = await dispatching();
      const check = passwordCheck(name, json, context);
      const given = await this.#wallet.ask(check, DEADLINE_MS, [body.buffer]);
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
    await this.#wallet.readyForChain();
    return (await this.#chain.call(message, deadlineOf(name))) as Result<Output<N>>;
  }

  async #ask(
    wallet: string | undefined,
    message: { readonly name: OperationName },
    deadlineMs: number | undefined,
    moved?: ArrayBuffer[],
  ): Promise<Result<unknown>> {
    if (wallet === undefined) {
      const answer = await this.#wallet.ask(message, deadlineMs, moved);
      if (answer.ok && COMMANDS[message.name].removesWallet === true)
        await this.#walletMoved?.(DEFAULT_WALLET, undefined);
      return answer;
    }
    // Just started: the shared settings are unknown until the default wallet's thread has sent them.
    await this.#wallet.readyForChain();
    return this.#wallets.ask(wallet, message, deadlineMs, moved);
  }

  /** With the password that the companion was started with; undefined where it opened, or without a password. */
  async unlock(wallet?: string): Promise<ErrorRecord | undefined> {
    return this.#reopenings.get(wallet)?.unlock();
  }

  /** Reads an edited config.json; the log's level changes in every thread. `changes`: written first. Never rejects. */
  async reload(changes?: ReloadChanges): Promise<Result<Reloaded>> {
    const result = await this.#wallet.reload(changes);
    if (!result.ok) return result;
    const level = result.value.log_level ?? environmentLevel();
    this.#log.level = level;
    this.#chain.setLogLevel(level);
    return result;
  }

  async health(): Promise<HealthReport> {
    return {
      wallet: this.#wallet.isUp ? 'up' : 'down',
      chain: this.#chain.isUp ? 'up' : 'down',
      kernel: this.#wallet.kernel === undefined ? null : kernelReport(this.#wallet.kernel),
      restarts: { wallet: this.#wallet.restarts, chain: this.#chain.restarts },
    };
  }

  subscribe(listener: EventListener, wallet?: string): () => void {
    const events = eventsOf(checkedWallet(wallet));
    this.#events.on(events, listener);
    return () => this.#events.off(events, listener);
  }

  /** The events of each wallet besides the default one. Returns a function that unsubscribes. */
  subscribeOthers(listener: (wallet: string, event: CompanionEvent) => void): () => void {
    this.#ofOthers.add(listener);
    return () => this.#ofOthers.delete(listener);
  }

  /** To the listeners of the wallet; undefined: the default one. */
  emit(event: CompanionEvent, wallet: string | undefined, texts?: Uint8Array): void {
    this.#events.emit(eventsOf(wallet), event, texts);
    if (wallet !== undefined) for (const listener of this.#ofOthers) listener(wallet, event);
  }

  /** Events about the servers and the machine go to the listeners of every wallet. */
  emitToAll(event: CompanionEvent): void {
    for (const events of this.#events.eventNames()) this.#events.emit(events, event);
  }

  /** Locks the wallets, closes their files and ends the threads. */
  async stop(): Promise<void> {
    if (this.#stopping) return;
    this.#stopping = true;
    for (const reopening of this.#reopenings.values()) reopening.giveUp();
    await Promise.all([this.#wallet.stop(), this.#wallets.stop()]);
    await Promise.all([this.#scanHubs.stop(), this.#chain.end()]);
  }

  #inWallet(wallet: string): JsonLink {
    return { dispatchJson: (name, body, context) => this.dispatchJson(name, body, { ...context, wallet }) };
  }
}
