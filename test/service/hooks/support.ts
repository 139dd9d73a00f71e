// Hooks on a journal, a disk, a receiver and a clock that the test decides about. A crash leaves what is on the disk.

import type { CompanionEvent, EventListener } from '../../../src/protocol/events.ts';
import type { HookSetting } from '../../../src/protocol/hooks.ts';
import type { Link } from '../../../src/protocol/link.ts';
import type { CallContext, Output } from '../../../src/protocol/operations.ts';
import type { Deliver, Delivery, Failure } from '../../../src/service/hooks/delivery.ts';
import { Hooks } from '../../../src/service/hooks/hooks.ts';
import { VirtualClock } from '../../helpers/virtualClock.ts';

export type Change = Output<'changes.list'>['changes'][number];

/** Everything that promises alone can bring about has happened. */
export const settled = async (): Promise<void> => {
  for (let turn = 0; turn < 4; turn++) await new Promise((resolve) => setImmediate(resolve));
};

const never = (): Promise<never> => new Promise(() => undefined);

export const changeOf = (sequence: number, kind: Change['kind'] = 'received'): Change => ({
  sequence,
  kind,
  reverses: kind.startsWith('un') ? 1 : null,
  account: 0,
  pool: 'orchard',
  scope: 'external',
  txid: sequence.toString(16).padStart(64, '0'),
  output_index: 0,
  value_zatoshi: 1000 + sequence,
  height: 100 + sequence,
  block_hash: null,
  spent_by: null,
  diversifier_index: '0',
  address: 'u1example',
  label: null,
  memo: { text: `memo ${sequence}` },
});

export class Bench {
  readonly clock = new VirtualClock();
  journal: Change[] = [];
  /** Another one is another wallet. */
  journalId = 'a';
  isOpen = true;
  disk: string | undefined;
  isDiskFull = false;
  /** What the companion answers instead. */
  failure: string | undefined;
  /** What arrived at the receiver, answered or not. */
  readonly arrived: Delivery[] = [];
  readonly log: string[] = [];
  readonly contexts: CallContext[] = [];
  receive: (delivery: Delivery) => Failure | Promise<Failure> = () => undefined;
  hooks: Hooks;
  settings: readonly HookSetting[];
  readonly settingsFile: string;
  #life = {};
  #listeners = new Set<EventListener>();

  constructor(settings: readonly HookSetting[], settingsFile = process.execPath) {
    this.settings = settings;
    this.settingsFile = settingsFile;
    this.hooks = this.#born();
  }

  start(): void {
    this.hooks.start(this.#link());
  }

  crash(): void {
    this.#listeners.clear();
    this.#life = {};
    this.hooks = this.#born();
    this.start();
  }

  tell(event: CompanionEvent): void {
    for (const listener of [...this.#listeners]) listener(event);
  }

  write(...kinds: readonly Change['kind'][]): void {
    for (const kind of kinds) this.journal.push(changeOf(this.journal.length + 1, kind));
    this.tell({ event: 'sync.progress', data: {} as never });
  }

  lock(): void {
    this.isOpen = false;
    this.tell({ event: 'wallet.locked', data: { reason: 'asked' } });
  }

  unlock(): void {
    this.isOpen = true;
    this.tell({ event: 'wallet.unlocked', data: { expires_at: null } });
  }

  pass(ms: number): Promise<void> {
    return this.clock.pass(ms, settled);
  }

  get view(): Output<'hooks.list'>['hooks'][number] {
    const { hooks } = this.hooks.handlers['hooks.list']({}, {} as never) as Output<'hooks.list'>;
    return hooks[0]!;
  }

  #born(): Hooks {
    const life = this.#life;
    const isOver = () => life !== this.#life;
    const deliver: Deliver = async (delivery) => {
      if (isOver()) return never();
      this.arrived.push(delivery);
      const failure = await this.receive(delivery);
      return isOver() ? never() : failure;
    };
    const say = (fields: object, message: string) =>
      void this.log.push(`${message} ${JSON.stringify(fields)}`);
    let ids = 0;
    return new Hooks({
      settings: this.settings,
      settingsFile: this.settingsFile,
      file: {
        read: () => this.disk,
        write: async (text) => {
          if (isOver()) return never();
          if (this.isDiskFull) throw new Error('ENOSPC');
          this.disk = text;
        },
      },
      log: { info: say, warn: say },
      requestId: () => `r${ids++}`,
      now: () => this.clock.now(),
      after: (ms, strike) => this.clock.after(ms, () => isOver() || strike()),
      random: () => 0,
      env: {},
      way: () => deliver,
    });
  }

  #link(): Pick<Link, 'dispatch' | 'subscribe'> {
    return {
      subscribe: (listener) => {
        this.#listeners.add(listener);
        return () => this.#listeners.delete(listener);
      },
      dispatch: async (_name, input, context) => {
        this.contexts.push(context);
        return this.#page(input as { since?: string; limit?: number }) as never;
      },
    };
  }

  #page({ since, limit = 100 }: { since?: string; limit?: number }) {
    if (this.failure !== undefined) return { ok: false, error: { code: this.failure, detail: '' } };
    if (!this.isOpen) return { ok: false, error: { code: 'WALLET_LOCKED', detail: '' } };
    const [id, at] = since === 'now' ? [this.journalId, this.journal.length] : (since ?? '').split(':');
    const from = Number(at);
    if (id !== this.journalId || from > this.journal.length)
      return { ok: false, error: { code: 'CURSOR_UNKNOWN', detail: '' } };
    const changes = since === 'now' ? [] : this.journal.slice(from, from + limit);
    const next = from + changes.length;
    return {
      ok: true,
      value: {
        changes,
        next_cursor: `${this.journalId}:${next}`,
        has_more: next < this.journal.length,
        earlier_dropped: false,
      },
    };
  }
}
