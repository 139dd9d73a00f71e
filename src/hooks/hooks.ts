// All hooks of config.json, each once for every wallet that it is for: they run by themselves, in the main thread, as
// ordinary clients of the companion. Wallets that are made, renamed or removed meanwhile are followed.

import { CompanionError, type CompanionEvent, DEFAULT_WALLET } from '@wallet-companion/client/contract';
import { trustedFile } from '../programs/trustedFile.ts';
import type { HookSetting } from '../protocol/hookEvents.ts';
import { type Hook, type HookView, settingView } from './hook.ts';
import type { HookLink, HookReads } from './hookLink.ts';
import { HookRecords, type RecordFile, recordName } from './hookRecords.ts';
import { type HookEnvironment, walletHook } from './walletHook.ts';

export interface HooksEnvironment extends HookEnvironment {
  /** Absolute path of config.json: a user who can write it decides which programs run. */
  readonly settingsFile: string;
  readonly settings: readonly HookSetting[];
  readonly file: RecordFile;
  /** The names of the wallets, the default one first. Throws where they cannot be read. */
  readonly walletNames: () => readonly string[];
}

interface Pair {
  readonly setting: HookSetting;
  readonly wallet: string;
}

interface Running extends Pair {
  readonly hook: Hook;
}

/** Events that never come with new journal entries. */
const TELLS_NOTHING: ReadonlySet<CompanionEvent['event']> = new Set([
  'config.changed',
  'pairing.changed',
  'follow.changed',
]);

/** They concern no wallet: a hook gets them once, with the first of its wallets. */
const OF_COMPANION: ReadonlySet<CompanionEvent['event']> = new Set(['server.changed', 'disk.low']);

export class Hooks {
  readonly #environment: HooksEnvironment;
  readonly #records: HookRecords;
  #settings: readonly HookSetting[];
  /** In the order of the settings, and of the wallets of each. */
  #running: readonly Running[] = [];
  #wallets: ReadonlySet<string> = new Set([DEFAULT_WALLET]);
  /** Those with a session, by their events. */
  readonly #open = new Set<string>();
  #link: HookLink | undefined;
  #deafen: () => void = () => undefined;
  #turn: Promise<void> = Promise.resolve();

  constructor(environment: HooksEnvironment) {
    this.#environment = environment;
    this.#settings = environment.settings;
    const { log } = environment;
    this.#records = new HookRecords(environment.file, () =>
      log.warn({}, 'hooks.json is damaged: the hooks begin anew from now'),
    );
  }

  /** The handlers that answer calls about the hooks. */
  get handlers(): { readonly 'hooks.list': () => { hooks: HookView[] } } {
    return { 'hooks.list': () => ({ hooks: this.#views() }) };
  }

  /** Throws `INVALID_REQUEST` where other users could have written the settings. */
  start(link: HookLink): void {
    this.#refuseOthersSettings(this.#settings);
    this.#link = link;
    this.#deafen = link.subscribeToAll((event, wallet) => this.#hear(wallet, event));
    this.#look();
    this.#begin();
  }

  /**
   * Applies an edited config.json. Remaining hooks continue at their position; waiting state events are lost. Rejects
   * with `INVALID_REQUEST`, without any change, where other users could have written the file.
   */
  configure(settings: readonly HookSetting[]): Promise<void> {
    return this.#inTurn(async () => {
      if (JSON.stringify(settings) === JSON.stringify(this.#settings)) return;
      this.#refuseOthersSettings(settings);
      await this.#end(() => true);
      this.#settings = settings;
      this.#look();
      this.#begin();
    });
  }

  /**
   * A wallet has another name from now on, with its places; undefined: it was removed, and its places are dropped. Never
   * rejects.
   */
  walletMoved(wallet: string, to: string | undefined): Promise<void> {
    return this.#inTurn(async () => {
      this.#open.delete(wallet);
      await this.#end((one) => one.wallet === wallet);
      const others = [...this.#wallets].filter((name) => name !== wallet);
      this.#wallets = new Set(to === undefined ? others : [...others, to]);
      // If they cannot be saved, the next delivery saves them.
      if (this.#records.move(wallet, to)) await this.#records.save().catch(() => undefined);
      this.#begin();
    });
  }

  stop(): Promise<void> {
    this.#deafen();
    return this.#inTurn(async () => {
      this.#link = undefined;
      await this.#end(() => true);
    });
  }

  #inTurn(change: () => Promise<void>): Promise<void> {
    const done = this.#turn.then(change);
    this.#turn = done.catch(() => undefined);
    return done;
  }

  #refuseOthersSettings(settings: readonly HookSetting[]): void {
    if (settings.length === 0) return;
    const trust = trustedFile(this.#environment.settingsFile);
    if ('file' in trust) return;
    throw new CompanionError(
      'INVALID_REQUEST',
      `on_event in config.json says what is run, so nobody else may write it: ${trust.problem}.`,
    );
  }

  #hear(wallet: string, event: CompanionEvent): void {
    if (TELLS_NOTHING.has(event.event)) return;
    if (this.#wallets.has(wallet)) this.#emit(wallet, event);
    // A new wallet, or one that is just getting this name. Its hooks begin in their turn, and hear this first.
    else if (event.event === 'wallet.unlocked' || this.#open.has(wallet))
      void this.#inTurn(async () => {
        this.#wallets = new Set([...this.#wallets, wallet]);
        this.#begin();
        this.#emit(wallet, event);
      });
    if (event.event === 'wallet.unlocked') this.#open.add(wallet);
    else if (event.event === 'wallet.locked') this.#open.delete(wallet);
  }

  #emit(wallet: string, event: CompanionEvent): void {
    const first = (setting: HookSetting) => this.#running.find((one) => one.setting === setting);
    for (const one of this.#running)
      if (OF_COMPANION.has(event.event) ? one === first(one.setting) : one.wallet === wallet)
        one.hook.hear(event);
  }

  #views(): HookView[] {
    if (this.#link === undefined) this.#look();
    return this.#pairs().map(({ setting, wallet }) => {
      const running = this.#runningFor({ setting, wallet });
      if (running !== undefined) return running.hook.view();
      const state = this.#wallets.has(wallet) ? 'not_running' : 'no_wallet';
      return settingView(setting, wallet, this.#records.look(recordName(setting.name, wallet)), state);
    });
  }

  /** Starts what does not run yet. */
  #begin(): void {
    const link = this.#link;
    if (link === undefined) return;
    const pairs = this.#pairs().filter(({ wallet }) => this.#wallets.has(wallet));
    this.#records.keep(new Set(pairs.map(({ setting, wallet }) => recordName(setting.name, wallet))));
    this.#running = pairs.map((pair) => this.#runningFor(pair) ?? this.#started(pair, link));
  }

  #started({ setting, wallet }: Pair, link: HookReads): Running {
    // The default wallet's thread is always there: asking it starts none.
    const isLocked = wallet !== DEFAULT_WALLET && !this.#open.has(wallet);
    const hook = walletHook(setting, { link, wallet, isLocked }, this.#records, this.#environment);
    hook.start();
    return { setting, wallet, hook };
  }

  async #end(isEnding: (one: Running) => boolean): Promise<void> {
    const ending = this.#running.filter(isEnding);
    this.#running = this.#running.filter((one) => !ending.includes(one));
    await Promise.all(ending.map(({ hook }) => hook.stop()));
  }

  #runningFor({ setting, wallet }: Pair): Running | undefined {
    return this.#running.find((one) => one.setting === setting && one.wallet === wallet);
  }

  #pairs(): Pair[] {
    const [first, ...others] = this.#wallets;
    const all = [first!, ...others.sort()];
    return this.#settings.flatMap((setting) =>
      (setting.wallets ?? all).map((wallet) => ({ setting, wallet })),
    );
  }

  #look(): void {
    const { log, walletNames } = this.#environment;
    try {
      this.#wallets = new Set(walletNames());
    } catch {
      log.warn({}, 'the folder of the wallets cannot be read: hooks begin with a wallet when it is open');
    }
    if (this.#link === undefined) return;
    for (const { setting, wallet } of this.#pairs())
      if (!this.#wallets.has(wallet))
        log.warn(
          { hook: setting.name, wallet },
          'a hook names a wallet that is not there: "wallet-companion wallet list" has the names',
        );
  }
}
