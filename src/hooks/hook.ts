// Runs one hook for one wallet: one delivery at a time, changes first, with separate retry pauses for changes and state events.

import type { After } from '@wallet-companion/base/async';
import { type CompanionEvent, type Outputs, walletField } from '@wallet-companion/client/contract';
import type { HookSetting } from '../protocol/hookEvents.ts';
import { type Deliver, encodeJson, type Failure } from './delivery.ts';
import type { HookRecord, HookRecords } from './hookRecords.ts';
import type { Lane, LaneItem } from './lane.ts';
import { StateLane, type Waiting } from './stateLane.ts';

export type HookView = Outputs['hooks.list']['hooks'][number];

const FIRST_PAUSE_MS = 1_000;
const LONGEST_PAUSE_MS = 300_000;

export interface HookLog {
  info(fields: object, message: string): void;
  warn(fields: object, message: string): void;
}

export interface HookContext {
  readonly wallet: string;
  readonly record: HookRecord;
  readonly records: HookRecords;
  readonly deliver: Deliver;
  /** Undefined where the hook wants no changes, of notes or invoices. */
  readonly changes: Lane | undefined;
  readonly newId: () => string;
  /** Milliseconds since 1970. */
  readonly now: () => number;
  /** Milliseconds that never go back: the next try does not wait for a clock that was set. */
  readonly elapsed: () => number;
  readonly after: After;
  readonly random: () => number;
  readonly log: HookLog;
}

interface Pauses {
  failures: number;
  /** By `elapsed`. */
  until: number;
}

interface Item {
  readonly id: string;
  readonly event: string;
  readonly data: Uint8Array;
  readonly arrived: () => void;
  readonly failed: () => void;
  readonly pauses: Pauses;
}

export class Hook {
  readonly #setting: HookSetting;
  readonly #context: HookContext;
  readonly #record: HookRecord;
  readonly #states: StateLane;
  readonly #stop = new AbortController();
  readonly #changePauses: Pauses = { failures: 0, until: 0 };
  readonly #statePauses: Pauses = { failures: 0, until: 0 };
  /** The delivery that was tried last. */
  #last: { id: string; sequence: number; time: string } | undefined;
  #sequence: number;
  #failures = 0;
  #failure: HookView['failure'] = null;
  #isDelivering = false;
  #wake: (() => void) | undefined;
  #isAwake = false;
  #ended: Promise<void> = Promise.resolve();

  constructor(setting: HookSetting, context: HookContext) {
    this.#setting = setting;
    this.#context = context;
    this.#record = context.record;
    this.#sequence = this.#record.reserved;
    this.#states = new StateLane(setting.events, context.newId);
  }

  start(): void {
    this.#ended = this.#work();
  }

  /** Aborts the running delivery; no later one starts. */
  async stop(): Promise<void> {
    this.#stop.abort();
    this.#rouse();
    await this.#ended;
    this.#context.changes?.drop();
  }

  hear(heard: CompanionEvent): void {
    const { changes } = this.#context;
    if (heard.event === 'wallet.locked') changes?.locked();
    else if (heard.event === 'wallet.unlocked') {
      changes?.unlocked();
      this.#changePauses.until = 0;
    } else changes?.stir();
    this.#states.hear(heard);
    this.#rouse();
  }

  view(): HookView {
    const { now, changes, wallet } = this.#context;
    const waitMs = this.#nextTryMs() ?? 0;
    const state = this.#isDelivering
      ? 'delivering'
      : waitMs > 0
        ? 'backing_off'
        : changes?.isLocked === true
          ? 'waiting_for_unlock'
          : 'idle';
    return {
      ...settingView(this.#setting, wallet, this.#record, state),
      queued: this.#states.count,
      last_sequence: this.#sequence,
      failures: this.#failures,
      failure: this.#failure,
      next_try_at: state === 'backing_off' ? new Date(now() + waitMs).toISOString() : null,
      dropped: this.#states.dropped,
    };
  }

  async #work(): Promise<void> {
    while (!this.#stop.signal.aborted) {
      this.#isAwake = false;
      const item = await this.#next();
      if (!this.#stop.signal.aborted) await (item === undefined ? this.#rest() : this.#deliver(item));
      item?.data.fill(0);
    }
  }

  async #next(): Promise<Item | undefined> {
    const { changes, elapsed } = this.#context;
    if (changes !== undefined && this.#changePauses.until <= elapsed()) {
      const found = await changes.next();
      if (found !== 'nothing' && 'failed' in found) this.#failed(found.failed, this.#changePauses);
      else if (found !== 'nothing') return this.#changeItem(found);
      else if (!changes.isLocked) this.#journalAnswers();
    }
    const { first } = this.#states;
    return first !== undefined && this.#statePauses.until <= elapsed() ? this.#stateItem(first) : undefined;
  }

  #changeItem({ id, event, data, settle }: LaneItem): Item {
    return { id, event, data, arrived: settle, failed: () => undefined, pauses: this.#changePauses };
  }

  #stateItem(one: Waiting): Item {
    const { id, event } = one;
    const data = encodeJson(one.data);
    const states = this.#states;
    const [arrived, failed] = [() => states.arrived(one), () => states.failed(one)];
    return { id, event, data, arrived, failed, pauses: this.#statePauses };
  }

  async #deliver({ id, event, data, arrived, failed, pauses }: Item): Promise<void> {
    const { deliver, records, now, wallet } = this.#context;
    try {
      // Each delivery gets a new number, higher than all numbers before.
      if (this.#last?.id !== id) {
        this.#sequence = await records.numberAfter(this.#sequence, this.#record);
        this.#last = { id, sequence: this.#sequence, time: new Date(now()).toISOString() };
      }
    } catch {
      this.#failed('STORAGE_FAILED', pauses);
      return;
    }
    this.#isDelivering = true;
    const delivery = { ...this.#last, event, wallet, data };
    const failure: Failure = await deliver(delivery, this.#stop.signal).catch(() => 'NOT_STARTED');
    this.#isDelivering = false;
    if (failure !== undefined) {
      if (this.#stop.signal.aborted) return;
      failed();
      this.#failed(failure, pauses);
      return;
    }
    arrived();
    this.#arrived(pauses);
    // If the record cannot be saved, a crash repeats the delivery.
    await records.save().catch(() => undefined);
  }

  #arrived(pauses: Pauses): void {
    const { log, now, wallet } = this.#context;
    pauses.failures = 0;
    pauses.until = 0;
    if (this.#failures > 0)
      log.info({ ...about(this.#setting, wallet), failures: this.#failures }, 'hook delivers again');
    this.#failures = 0;
    this.#failure = null;
    this.#record.lastDeliveredAt = new Date(now()).toISOString();
  }

  #failed(reason: string, pauses: Pauses): void {
    const { log, now, elapsed, random, wallet } = this.#context;
    if (this.#failure?.reason !== reason) log.warn({ ...about(this.#setting, wallet), reason }, 'hook fails');
    this.#failures += 1;
    this.#failure = { reason, at: new Date(now()).toISOString() };
    const pause = Math.min(LONGEST_PAUSE_MS, FIRST_PAUSE_MS * 2 ** Math.min(pauses.failures, 20));
    pauses.failures += 1;
    // Spreads the retries of many hooks that wait for one receiver.
    pauses.until = elapsed() + pause * (1 - random() / 4);
  }

  /** No change is left to deliver, so what failed was reading the journal, and that works again. */
  #journalAnswers(): void {
    if (this.#changePauses.failures === 0) return;
    this.#changePauses.failures = 0;
    if (this.#statePauses.failures > 0) return;
    this.#failures = 0;
    this.#failure = null;
  }

  /** In how many milliseconds the failed delivery is tried again; undefined where none has failed. */
  #nextTryMs(): number | undefined {
    const { changes, elapsed } = this.#context;
    const waits = [
      ...(changes?.isLocked === false && this.#changePauses.failures > 0 ? [this.#changePauses.until] : []),
      ...(this.#states.count > 0 ? [this.#statePauses.until] : []),
    ];
    return waits.length === 0 ? undefined : Math.min(...waits) - elapsed();
  }

  /** Waits until something happens, or until a pause is over. */
  async #rest(): Promise<void> {
    const { after } = this.#context;
    const waitMs = this.#nextTryMs();
    if (this.#isAwake || (waitMs !== undefined && waitMs <= 0)) return;
    await new Promise<void>((resolve) => {
      const callOff = waitMs === undefined ? undefined : after(waitMs, () => this.#rouse());
      this.#wake = () => {
        callOff?.();
        resolve();
      };
    });
    this.#wake = undefined;
  }

  #rouse(): void {
    this.#isAwake = true;
    this.#wake?.();
  }
}

/** For the log. */
export const about = ({ name: hook }: HookSetting, wallet: string): object => ({
  hook,
  ...walletField(wallet),
});

/** The part of the view that a hook which does not run has as well. */
export function settingView(
  setting: HookSetting,
  wallet: string,
  record: HookRecord,
  state: HookView['state'],
): HookView {
  const { name, events, command, url } = setting;
  const target = url === undefined ? (command?.[0]?.split(/[/\\]/).at(-1) ?? '') : new URL(url).host;
  return {
    name,
    wallet,
    kind: url === undefined ? 'command' : 'webhook',
    target,
    events: [...events],
    state,
    queued: 0,
    last_sequence: record.reserved,
    last_delivered_at: record.lastDeliveredAt ?? null,
    failures: 0,
    failure: null,
    next_try_at: null,
    dropped: 0,
    began_anew_at: record.beganAnewAt ?? null,
  };
}
