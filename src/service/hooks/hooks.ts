// All hooks of config.json: each runs by itself, in the main thread, as an ordinary client of the companion.

import { CompanionError } from '../../protocol/errors.ts';
import type { CompanionEvent } from '../../protocol/events.ts';
import type { HookSetting } from '../../protocol/hooks.ts';
import type { Dispatcher, EventPublisher } from '../../protocol/link.ts';
import type { Handlers } from '../../protocol/operations.ts';
import { trustedFile } from '../programs/trustedFile.ts';
import { ChangesLane, wantedChanges } from './changesLane.ts';
import { commandHook } from './commandHook.ts';
import type { After, Deliver } from './delivery.ts';
import { Hook, type HookLog, settingView } from './hook.ts';
import { HookRecords, type RecordFile } from './hookRecords.ts';
import { webhook } from './webhook.ts';

export interface HooksEnvironment {
  /** Absolute path of config.json: a user who can write it decides which programs run. */
  readonly settingsFile: string;
  readonly settings: readonly HookSetting[];
  readonly file: RecordFile;
  readonly log: HookLog;
  readonly requestId: () => string;
  /** Milliseconds since 1970. */
  readonly now: () => number;
  readonly after: After;
  readonly random: () => number;
  readonly env: Readonly<Record<string, string | undefined>>;
  /** Default: chosen by the setting. */
  readonly way?: (setting: HookSetting) => Deliver;
}

/** Events that never come with new journal entries. */
const TELLS_NOTHING: ReadonlySet<CompanionEvent['event']> = new Set([
  'config.changed',
  'pairing.changed',
  'follow.changed',
]);

export class Hooks {
  readonly #environment: HooksEnvironment;
  readonly #records: HookRecords;
  #settings: readonly HookSetting[];
  #running: readonly Hook[] = [];
  #link: (Dispatcher & EventPublisher) | undefined;
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
  get handlers(): Pick<Handlers<'service'>, 'hooks.list'> {
    return { 'hooks.list': () => ({ hooks: this.#views() }) };
  }

  /** Throws `INVALID_REQUEST` where other users could have written the settings. */
  start(link: Dispatcher & EventPublisher): void {
    this.#refuseOthersSettings(this.#settings);
    this.#link = link;
    this.#deafen = link.subscribe((event) => {
      if (!TELLS_NOTHING.has(event.event)) for (const hook of this.#running) hook.hear(event);
    });
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
      await this.#end();
      this.#settings = settings;
      this.#begin();
    });
  }

  stop(): Promise<void> {
    this.#deafen();
    return this.#inTurn(async () => {
      this.#link = undefined;
      await this.#end();
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

  #views(): ReturnType<Hook['view']>[] {
    if (this.#link !== undefined) return this.#running.map((hook) => hook.view());
    return this.#settings.map((setting) => settingView(setting, this.#records.get(setting.name)));
  }

  #begin(): void {
    const link = this.#link;
    if (link === undefined) return;
    this.#records.keep(new Set(this.#settings.map(({ name }) => name)));
    this.#running = this.#settings.map((setting) => this.#hook(setting, link));
    for (const hook of this.#running) hook.start();
  }

  async #end(): Promise<void> {
    const running = this.#running;
    this.#running = [];
    await Promise.all(running.map((hook) => hook.stop()));
  }

  #hook(setting: HookSetting, link: Dispatcher): Hook {
    const { log, requestId, now } = this.#environment;
    const wanted = wantedChanges(setting.events);
    const beganAnew = () =>
      log.warn(
        { hook: setting.name },
        'the place of a hook in the changes is not known: it begins anew from now',
      );
    const record = this.#records.get(setting.name);
    const save = () => this.#records.save();
    const context = { link, requestId, now, save, beganAnew };
    const changes = wanted.size === 0 ? undefined : new ChangesLane(wanted, record, context);
    const deliver = this.#environment.way?.(setting) ?? this.#way(setting);
    return new Hook(setting, {
      ...this.#environment,
      records: this.#records,
      deliver,
      changes,
      newId: requestId,
    });
  }

  #way({ name, command, url, secret_file: secretFile }: HookSetting): Deliver {
    if (url !== undefined && secretFile !== undefined)
      return webhook(name, url, secretFile, this.#environment);
    return commandHook(name, command ?? [], this.#environment);
  }
}
