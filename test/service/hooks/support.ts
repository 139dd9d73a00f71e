// Hooks on a journal, a disk, a receiver and a clock that the test decides about. A crash leaves what is on the disk.

import { type Deliver, type Delivery, encodeJson, type Failure } from '../../../src/hooks/delivery.ts';
import type { HookLink } from '../../../src/hooks/hookLink.ts';
import { Hooks } from '../../../src/hooks/hooks.ts';
import type { CompanionEvent } from '../../../src/protocol/events.ts';
import type { HookSetting } from '../../../src/protocol/hookEvents.ts';
import type { Output } from '../../../src/protocol/operations.ts';
import { VirtualClock } from '../../helpers/virtualClock.ts';

export type Change = Output<'changes.list'>['changes'][number];

/** A delivery as its receiver reads it. */
export type Heard = Omit<Delivery, 'data'> & { readonly data: unknown };

export const heardOf = (delivery: Delivery): Heard => ({
  ...delivery,
  data: JSON.parse(textOf(delivery.data)),
});

const textOf = (bytes: Uint8Array): string => new TextDecoder().decode(bytes);

/** Everything that promises alone can bring about has happened. */
export const settled = async (): Promise<void> => {
  for (let turn = 0; turn < 4; turn++) await new Promise((resolve) => setImmediate(resolve));
};

/** As good as any; the same on every machine. */
export function dice(seed: number): (sides: number) => number {
  let state = seed * 2_654_435_761;
  return (sides) => {
    state = (Math.imul(state ^ (state >>> 15), 0x2c1b3c6d) + 0x9e3779b9) >>> 0;
    return Math.floor(((state ^ (state >>> 13)) >>> 0) % sides);
  };
}

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
  time: null,
  height: 100 + sequence,
  block_hash: null,
  verified_with: null,
  spent_by: null,
  fee_zatoshi: null,
  diversifier_index: '0',
  address: 'u1example',
  label: null,
  memo: { text: `memo ${sequence}` },
});

/** A wallet: what the hooks can read of it. */
export class Purse {
  journal: Change[] = [];
  /** Another one is another wallet. */
  journalId = 'a';
  isOpen = true;
}

/** The default wallet, and beside it the `others`. */
export class Bench extends Purse {
  readonly clock = new VirtualClock();
  readonly others = new Map<string, Purse>();
  /** The folder of the others cannot be read. */
  isUnreadable = false;
  disk: string | undefined;
  isDiskFull = false;
  /** What the companion answers instead. */
  failure: string | undefined;
  /** What arrived at the receiver, answered or not. */
  readonly arrived: Heard[] = [];
  readonly log: string[] = [];
  readonly contexts: Parameters<HookLink['dispatchJson']>[2][] = [];
  mayHear: (grant: string, delivery: Delivery) => boolean = () => true;
  receive: (delivery: Heard, stop: AbortSignal) => Failure | Promise<Failure> = () => undefined;
  hooks: Hooks;
  settings: readonly HookSetting[];
  readonly settingsFile: string;
  #life = {};
  #listeners = new Set<Parameters<HookLink['subscribeToAll']>[0]>();

  constructor(settings: readonly HookSetting[], settingsFile = process.execPath) {
    super();
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

  emit(event: CompanionEvent, wallet = 'default'): void {
    for (const listener of [...this.#listeners]) listener(event, wallet);
  }

  write(...kinds: readonly Change['kind'][]): void {
    this.writeIn('default', ...kinds);
  }

  writeIn(wallet: string, ...kinds: readonly Change['kind'][]): void {
    const { journal } = this.#purse(wallet);
    for (const kind of kinds) journal.push(changeOf(journal.length + 1, kind));
    this.emit({ event: 'sync.progress', data: {} as never }, wallet);
  }

  lock(wallet?: string): void {
    this.#purse(wallet).isOpen = false;
    this.emit({ event: 'wallet.locked', data: { reason: 'asked' } }, wallet);
  }

  unlock(wallet?: string): void {
    this.#purse(wallet).isOpen = true;
    this.emit({ event: 'wallet.unlocked', data: { expires_at: null } }, wallet);
  }

  /** A wallet that is locked. */
  make(wallet: string): void {
    this.others.set(wallet, Object.assign(new Purse(), { isOpen: false, journalId: wallet }));
  }

  /** As the companion does it: locked before. */
  async rename(wallet: string, to: string): Promise<void> {
    this.lock(wallet);
    this.others.set(to, this.#purse(wallet));
    this.others.delete(wallet);
    await this.hooks.walletMoved(wallet, to);
  }

  async remove(wallet: string): Promise<void> {
    this.lock(wallet);
    this.others.delete(wallet);
    await this.hooks.walletMoved(wallet, undefined);
  }

  pass(ms: number): Promise<void> {
    return this.clock.pass(ms, settled);
  }

  get views(): Output<'hooks.list'>['hooks'] {
    return this.hooks.handlers['hooks.list']().hooks;
  }

  get view(): Output<'hooks.list'>['hooks'][number] {
    return this.views[0]!;
  }

  #purse(wallet = 'default'): Purse {
    return wallet === 'default' ? this : (this.others.get(wallet) ?? new Purse());
  }

  #born(): Hooks {
    const life = this.#life;
    const isOver = () => life !== this.#life;
    const deliver: Deliver = async (delivery, stop) => {
      if (isOver()) return never();
      const heard = heardOf(delivery);
      this.arrived.push(heard);
      const failure = await this.receive(heard, stop);
      return isOver() ? never() : failure;
    };
    const print = (fields: object, message: string) =>
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
      walletNames: () => {
        if (this.isUnreadable) throw new Error('EACCES');
        return ['default', ...this.others.keys()];
      },
      log: { info: print, warn: print },
      requestId: () => `r${ids++}`,
      now: () => this.clock.now(),
      elapsed: () => this.clock.elapsed(),
      after: (ms, strike) => this.clock.after(ms, () => isOver() || strike()),
      random: () => 0,
      env: {},
      way: () => deliver,
      mayHear: (grant, delivery) => this.mayHear(grant, delivery),
    });
  }

  #link(): HookLink {
    return {
      subscribeToAll: (listener) => {
        this.#listeners.add(listener);
        return () => this.#listeners.delete(listener);
      },
      dispatchJson: async (_name, input, context) => {
        this.contexts.push(context);
        const page = this.#page(JSON.parse(textOf(input)), this.#purse(context.wallet));
        return page.ok ? { ok: true, value: encodeJson(page.value) } : page;
      },
    };
  }

  #page({ since, limit = 100 }: { since?: string; limit?: number }, { journal, journalId, isOpen }: Purse) {
    if (this.failure !== undefined) return { ok: false, error: { code: this.failure } } as const;
    if (!isOpen) return { ok: false, error: { code: 'WALLET_LOCKED' } } as const;
    const [id, at] = since === 'now' ? [journalId, journal.length] : (since ?? '').split(':');
    const from = Number(at);
    if (id !== journalId || from > journal.length)
      return { ok: false, error: { code: 'CURSOR_UNKNOWN' } } as const;
    const changes = since === 'now' ? [] : journal.slice(from, from + limit);
    const next = from + changes.length;
    return {
      ok: true,
      value: {
        changes,
        next_cursor: `${journalId}:${next}`,
        has_more: next < journal.length,
        earlier_dropped: false,
      },
    } as const;
  }
}
