// The wallets: each has a thread while it is in use, up to a maximum. Any caller who knows a name can have a thread
// started for it, so unneeded threads are ended. That of the default wallet answers for the companion, too, and stays.

import { SerialQueue } from '@wallet-companion/base/async';
import { checkedWallet, DEFAULT_WALLET } from '@wallet-companion/client/contract';
import type { Config } from '../actors/wallet/ports/configFile.ts';
import { badField, CompanionError, noWallet } from '../protocol/errors.ts';
import type { EventListener } from '../protocol/events.ts';
import { COMMANDS } from '../protocol/generated/commands.ts';
import { type CallingGrant, mayUseWallet } from '../protocol/grants.ts';
import type { Operation } from '../protocol/operation.ts';
import type { CallContext, HandledInput, OperationName, Output } from '../protocol/operations.ts';
import { failure, ok, type Result, unwrap } from '../protocol/result.ts';
import { type OpenedConfigFile, openConfigFile } from '../storage/config/configFile.ts';
import { isOfOneWallet, openWalletFile, WalletConfig } from '../storage/config/walletConfig.ts';
import {
  dropEmptyWalletFolder,
  makeWalletFolder,
  renameWalletFolder,
  requirePrivateWallet,
  walletFolder,
  walletNames,
} from '../storage/files/walletFolders.ts';
import { createWalletFile } from '../storage/wallet/walletFile.ts';
import type { CompanionOptions } from './companionOptions.ts';
import { faultLogger } from './threadLog.ts';
import { type WalletContext, WalletSide } from './walletSide.ts';

/** Each may have a scan pool, and the blocks of a scan in memory. */
const MOST_OPEN = 16;

/** The wait for a thread that does not answer. */
const LOOK_MS = 5_000;

type Context = Pick<WalletContext, 'chain' | 'derivations' | 'programs' | 'scanWorkers'> & {
  readonly emit: (wallet: string, ...happened: Parameters<EventListener>) => void;
  readonly restarted: (wallet: string) => void;
};

interface WalletMessage {
  readonly name: OperationName;
  /** Absent where the input is bytes, which the front has checked for a GET. */
  readonly input?: unknown;
  /** These bytes: the answer is bytes then, too. */
  readonly json?: Uint8Array;
  readonly [more: string]: unknown;
}

type Listed = Output<'wallets.list'>['wallets'][number];

export class Wallets {
  readonly #options: CompanionOptions;
  readonly #context: Context;
  /** The companion's config.json. */
  readonly #config: OpenedConfigFile;
  readonly #mostOpen: number;
  readonly default: WalletSide;
  /** In the order of their last use. */
  readonly #sides = new Map<string, WalletSide>();
  /** One start at a time, so that the limit holds. */
  readonly #starts = new SerialQueue();
  /** Calls on their way to a wallet, or open there. */
  readonly #calls = new Map<string, number>();
  #isStopping = false;

  constructor(options: CompanionOptions, context: Context) {
    this.#options = options;
    this.#mostOpen = options.mostOpen ?? MOST_OPEN;
    this.#context = context;
    const { configDir, overrides, config = openConfigFile({ configDir, overrides }) } = options;
    this.#config = config;
    this.default = this.#newSide(DEFAULT_WALLET);
    this.#sides.set(DEFAULT_WALLET, this.default);
  }

  /** Reads an edited config.json. `changes`: written first. */
  async reload(changes: Partial<Config> | undefined): Promise<Config> {
    const config = await (changes === undefined ? this.#config.reload() : this.#config.update(changes, true));
    this.#configChanged();
    return config;
  }

  get config(): Config {
    return this.#config.get();
  }

  setLogLevel(level: string): void {
    for (const side of this.#sides.values()) side.setLogLevel(level);
  }

  /** Never rejects. */
  async ask(
    wallet: string,
    message: WalletMessage,
    deadlineMs: number | undefined,
    moved?: ArrayBuffer[],
  ): Promise<Result<unknown>> {
    const { makesWallet: isMaking = false, removesWallet: isRemoving = false } = COMMANDS[message.name];
    this.#count(wallet, 1);
    try {
      const none = this.#isMissing(wallet) ? await answerOfNone(message) : undefined;
      if (none !== undefined) return none;
      const side = await this.#readySide(wallet);
      if (isMaking) makeWalletFolder(this.#options.dataDir, wallet);
      const answer = await side.ask(message, deadlineMs, moved);
      if (answer.ok && isRemoving) await this.#options.walletMoved?.(wallet, undefined);
      return answer;
    } catch (thrown) {
      return failure(thrown);
    } finally {
      this.#count(wallet, -1);
      // The folder of a wallet that was not made after all.
      if (isMaking && !this.#calls.has(wallet)) dropEmptyWalletFolder(this.#options.dataDir, wallet);
    }
  }

  /** A grant sees its own. */
  async list(requestId: string, grant: CallingGrant | undefined): Promise<Output<'wallets.list'>> {
    const listed = walletNames(this.#options.dataDir)
      .filter((name) => grant === undefined || mayUseWallet(grant, name))
      .map((name) => this.#listed(name, requestId));
    return { wallets: await Promise.all(listed), most_open: this.#mostOpen };
  }

  /** Checks the password, locks the wallet and ends its thread, which knows its folder by name; then renames the folder. */
  async rename(
    { wallet: from, name: to, password }: HandledInput<'wallets.rename'>,
    { requestId, byOwner, origin, grant }: CallContext,
  ): Promise<Output<'wallets.rename'>> {
    const [wallet, name] = [from, to].map(checkedWallet);
    if (wallet === undefined || name === undefined) throw defaultKeepsName();
    await this.default.readyForChain();
    const caller = { requestId, byOwner, origin, grant };
    unwrap(await this.ask(wallet, { name: 'wallet.unlock', input: { password }, ...caller }, undefined));
    unwrap(await this.ask(wallet, { name: 'wallet.lock', input: {}, ...caller }, undefined));
    await this.#starts.run(async () => {
      const side = this.#sides.get(wallet);
      await side?.rest();
      if (side?.isUp === true || this.#calls.has(wallet) || this.#calls.has(name))
        throw new CompanionError('BUSY', 'The wallet is in use. Try again in a moment.');
      renameWalletFolder(this.#options.dataDir, wallet, name);
      for (const known of [wallet, name]) this.#sides.delete(known);
    });
    // Not in the turn above: a call that waits for it may be waited for here.
    await this.#options.walletMoved?.(wallet, name);
    return { name };
  }

  /** The chain thread was restarted after a loss. */
  connectChain(): void {
    for (const side of this.#sides.values()) side.connectChain();
  }

  async stop(): Promise<void> {
    this.#isStopping = true;
    await Promise.all([...this.#sides.values()].map((side) => side.stop()));
  }

  /** From its thread, where it runs; else from its file, without the password. */
  async #listed(name: string, requestId: string): Promise<Listed> {
    const folder = walletFolder(this.#options.dataDir, name);
    const side = this.#sides.get(name);
    const look = (asked: OperationName) => side?.look({ name: asked, input: {}, requestId }, LOOK_MS);
    const [status, sync] = await Promise.all([look('wallet.status'), look('sync.status')]);
    const { unlocked, syncing } = status?.ok
      ? (status.value as Output<'wallet.status'>)
      : { unlocked: false, syncing: false };
    const last_scan_height = sync?.ok
      ? (sync.value as Output<'sync.status'>).last_scan_height
      : this.#writtenHeight(name);
    const file = fileOf(folder);
    return { name, ...file, unlocked, syncing, last_scan_height: file.exists ? last_scan_height : null };
  }

  async #readySide(wallet: string): Promise<WalletSide> {
    const known = this.#sides.get(wallet);
    if (known?.answersForCompanion === true) return known;
    // Just started: the chain thread has no settings until the thread that answers for the companion has sent them.
    await this.default.readyForChain();
    return this.#starts.run(() => this.#sideWithRoom(wallet));
  }

  async #sideWithRoom(wallet: string): Promise<WalletSide> {
    if (this.#sides.get(wallet)?.isUp !== true) await this.#makeRoom();
    if (this.#isStopping) throw new CompanionError('THREAD_LOST', 'The companion is stopping.');
    const side = this.#sides.get(wallet) ?? this.#newSide(wallet);
    this.#sides.delete(wallet);
    this.#sides.set(wallet, side);
    // Now, and not when the call arrives: the next start must count it.
    side.wake();
    return side;
  }

  async #makeRoom(): Promise<void> {
    for (const [name, side] of this.#others) if (!side.isUp) this.#forgetUnmade(name);
    // The events of a session may be a little late: in the end the thread itself decides whether it is needed.
    for (const areAllTried of [false, true]) {
      for (const [name, side] of this.#others) {
        if (this.#up < this.#mostOpen) return;
        if (side.isUp && (areAllTried || side.isIdle) && !this.#calls.has(name)) await side.rest();
      }
    }
    if (this.#up < this.#mostOpen) return;
    throw new CompanionError(
      'BUSY',
      `${this.#mostOpen} wallets besides the default one are in use, and that is the most. Lock one of them first.`,
    );
  }

  #count(wallet: string, change: 1 | -1): void {
    const count = (this.#calls.get(wallet) ?? 0) + change;
    if (count === 0) this.#calls.delete(wallet);
    else this.#calls.set(wallet, count);
  }

  get #up(): number {
    return this.#others.filter(([, side]) => side.isUp).length;
  }

  get #others(): [string, WalletSide][] {
    return [...this.#sides].filter(([, side]) => !side.answersForCompanion);
  }

  /** No thread is started to say so: any caller can make up names. One that is being made has a thread. */
  #isMissing(wallet: string): boolean {
    const side = this.#sides.get(wallet);
    if (side?.isUp === true || side?.answersForCompanion === true) return false;
    const { dataDir } = this.#options;
    requirePrivateWallet(dataDir, wallet);
    return !fileOf(walletFolder(dataDir, wallet)).exists;
  }

  /** A name without a wallet has no data to keep; else every name ever used would stay. */
  #forgetUnmade(name: string): void {
    const { dataDir } = this.#options;
    if (!this.#calls.has(name) && !fileOf(walletFolder(dataDir, name)).exists) this.#sides.delete(name);
  }

  #newSide(name: string): WalletSide {
    const { dataDir, overrides } = this.#options;
    const { emit, restarted, ...shared } = this.#context;
    const isDefault = name === DEFAULT_WALLET;
    const folder = walletFolder(dataDir, name);
    return new WalletSide(this.#options, {
      ...shared,
      thread: isDefault ? 'wallet' : `wallet ${name}`,
      folder,
      answersForCompanion: isDefault,
      emit: (...happened) => emit(name, ...happened),
      restarted: () => restarted(name),
      check: () => requirePrivateWallet(dataDir, name),
      openConfig: () =>
        new WalletConfig(this.#config, isDefault ? this.#config : openWalletFile(folder, overrides)),
      changeConfig: (side) => ({
        updateConfig: ({ changes, byOwner }) =>
          this.#changeConfig(side.config.update(changes, byOwner), isOfOneWallet(changes), side),
        chooseSource: (source) => this.#changeConfig(side.config.chooseSource(source), false, side),
      }),
    });
  }

  async #changeConfig<T>(changing: Promise<T>, isOfOne: boolean, side: WalletSide): Promise<T> {
    const changed = await changing.catch((error) => {
      // The thread learns no cause, which names the file.
      faultLogger(this.#options.log)('config.update', error);
      throw error;
    });
    if (isOfOne) side.configChanged(true);
    else this.#configChanged(side);
    return changed;
  }

  /** `by`: the one whose thread asked for it. */
  #configChanged(by?: WalletSide): void {
    for (const side of this.#sides.values()) side.configChanged(side === by);
  }

  /** As it was written last. */
  #writtenHeight(name: string): number | null {
    try {
      const side = this.#sides.get(name) ?? this.#newSide(name);
      const { last_scan_height: height } = side.config.snapshot().values;
      return height === null ? null : Math.max(0, height);
    } catch {
      // A call for the wallet reports the problem with the file.
      return null;
    }
  }
}

/** What only reads needs no thread to know that there is no wallet. Bad input comes first, as everywhere. */
async function answerOfNone({ name, input, json }: WalletMessage): Promise<Result<unknown> | undefined> {
  const { operations, parseInput } = await import('../protocol/operations.ts');
  const { http, answerOfNone: answer }: Operation = operations[name];
  if (http.method !== 'GET') return undefined;
  if (input !== undefined) parseInput(name, input);
  if (answer === undefined) return failure(noWallet());
  return ok(json === undefined ? answer : new TextEncoder().encode(JSON.stringify(answer)));
}

/** What is known without the password. */
function fileOf(dataDir: string): Pick<Listed, 'exists' | 'watch_only'> {
  try {
    const header = createWalletFile({ dataDir, randomBytes: noRandomness }).header();
    return { exists: header !== undefined, watch_only: header?.watchOnly ?? null };
  } catch {
    // A call for the wallet reports the problem with the file.
    return { exists: true, watch_only: null };
  }
}

const defaultKeepsName = (): CompanionError => {
  const message = 'must not be that of the default wallet';
  return badField(
    'wallet',
    message,
    'The default wallet has no other name, and no other wallet has its name.',
  );
};

const noRandomness = (): never => {
  throw new Error('a file that is only read needs no randomness');
};
