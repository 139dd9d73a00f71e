// The page's state, kept up to date by events. When the wallet locks, or the companion does not answer, it drops all
// data of the wallet at once; answers that arrive later are ignored.

import { CompanionError, type Output } from '@wallet-companion/client';
import type { CompanionEvent } from '../../../protocol/events.ts';
import { type Funds, readFunds } from './funds.ts';
import { Presence } from './presence.ts';
import type { Transport } from './transport.ts';

/** `lost`: the companion answered before and does not answer now. */
export type Phase = 'connecting' | 'lost' | 'none' | 'locked' | 'open';
export type Progress = NonNullable<Output<'sync.status'>['progress']>;

/** The pause between two reads of all funds while notes keep arriving. */
const PAUSE_MS = 2_000;
const CHECK_MS = 10_000;

export class Store {
  readonly transport: Transport;
  readonly #presence: Presence;
  readonly #listeners = new Set<() => void>();
  status: Output<'wallet.status'> | undefined;
  config: Output<'config.get'> | undefined;
  sync: Output<'sync.status'> | undefined;
  pairings: Output<'pairing.list'> | undefined;
  follow: Output<'follow.get'> | undefined;
  servers: Output<'system.status'> | undefined;
  funds: Funds | undefined;
  /** The wallet has changed while the user was away, and the page has not read it. */
  isStale = false;
  /** Increases with each change of a prepared payment. */
  paymentChanges = 0;
  lockedBecause: string | undefined;
  #isUp: boolean | undefined;
  /** Increases when data is dropped: an answer to an older request does not count. */
  #generation = 0;
  #reading: Promise<void> | undefined;
  #readAgain = false;

  constructor(transport: Transport) {
    this.transport = transport;
    this.#presence = new Presence(() => {
      if (!this.isStale) return;
      this.paymentChanges += 1;
      void this.refreshFunds();
    });
  }

  start(): void {
    this.transport.listen({
      event: (event) => this.#take(event),
      up: () => void this.reload(),
      down: () => void this.#check(),
    });
    // An event may be lost with its connection: clearing the page after a lock must not depend on one.
    setInterval(() => this.#isUp === true && void this.#check(), CHECK_MS);
  }

  get phase(): Phase {
    if (this.#isUp !== true || this.status === undefined) return this.#isUp === false ? 'lost' : 'connecting';
    if (!this.status.exists) return 'none';
    return this.status.unlocked ? 'open' : 'locked';
  }

  onChange(listener: () => void): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  changed(): void {
    for (const listener of [...this.#listeners]) listener();
  }

  /** Reads everything again, as after a break. */
  async reload(): Promise<void> {
    const generation = this.#generation;
    try {
      const { call } = this.transport;
      const [status, config, sync, pairings, follow, servers] = await Promise.all([
        call('wallet.status'),
        call('config.get'),
        call('sync.status'),
        call('pairing.list'),
        call('follow.get'),
        call('system.status', { known: true }),
      ]);
      if (generation !== this.#generation) return;
      Object.assign(this, { status, config, sync, pairings, follow, servers });
      this.#isUp = true;
      this.paymentChanges += 1;
      if (!status.unlocked) this.#forget();
      this.changed();
      if (status.unlocked) await this.refreshFunds();
    } catch (thrown) {
      this.#failed(thrown);
    }
  }

  /** Reads the funds now or, if a read is running, once more after it. */
  refreshFunds(): Promise<void> {
    if (this.#reading !== undefined) {
      this.#readAgain = true;
      return this.#reading;
    }
    this.#reading = this.#readFunds().finally(() => {
      this.#reading = undefined;
      if (!this.#readAgain) return;
      this.#readAgain = false;
      setTimeout(() => this.#fundsMoved(), PAUSE_MS);
    });
    return this.#reading;
  }

  async #readFunds(): Promise<void> {
    if (this.phase !== 'open') return;
    const generation = this.#generation;
    try {
      const [funds, sync] = await Promise.all([
        readFunds(this.transport.call),
        this.transport.call('sync.status'),
      ]);
      if (generation !== this.#generation) return;
      this.isStale = false;
      Object.assign(this, { funds, sync });
      this.changed();
    } catch (thrown) {
      if (generation === this.#generation) this.#failed(thrown);
    }
  }

  /** Called for an event: reads only while the user is present, as a read keeps the session open. */
  #fundsMoved(): void {
    if (this.phase !== 'open') return;
    if (this.#presence.mayAsk(this.config?.auto_lock_seconds ?? 0)) void this.refreshFunds();
    else {
      this.isStale = true;
      this.changed();
    }
  }

  #take(told: CompanionEvent | { readonly event: 'events.missed' }): void {
    switch (told.event) {
      case 'wallet.locked':
        this.#locked(told.data.reason);
        break;
      case 'sync.progress':
        this.progressed(told.data);
        break;
      case 'config.changed':
        this.config = told.data;
        this.changed();
        break;
      case 'pairing.changed':
        this.pairings = told.data;
        this.changed();
        break;
      case 'follow.changed':
        this.follow = told.data;
        this.changed();
        break;
      case 'server.changed':
        void this.#readServers();
        break;
      case 'payment.changed':
        this.#paymentChanged();
        this.#fundsMoved();
        break;
      case 'note.received':
      case 'note.memo':
      case 'note.spent':
      case 'reorg':
        this.#fundsMoved();
        break;
      case 'sync.finished':
        void this.#readSync();
        void this.#readServers();
        this.#fundsMoved();
        this.#paymentChanged();
        break;
      default:
        void this.reload();
    }
  }

  /** Reading payments keeps the session open, as reading the funds does. */
  #paymentChanged(): void {
    if (this.#presence.mayAsk(this.config?.auto_lock_seconds ?? 0)) this.paymentChanges += 1;
    else this.isStale = true;
    this.changed();
  }

  progressed(progress: Progress): void {
    if (this.sync !== undefined) this.sync = { ...this.sync, syncing: true, progress };
    this.changed();
  }

  #locked(reason: string): void {
    this.lockedBecause = reason;
    if (this.status !== undefined) {
      this.status = { ...this.status, unlocked: false, expires_at: null, syncing: false };
    }
    this.#forget();
    this.changed();
  }

  async #readSync(): Promise<void> {
    try {
      this.sync = await this.transport.call('sync.status');
      this.changed();
    } catch (thrown) {
      this.#failed(thrown);
    }
  }

  async #readServers(): Promise<void> {
    try {
      this.servers = await this.transport.call('system.status', { known: true });
      this.changed();
    } catch (thrown) {
      this.#failed(thrown);
    }
  }

  /** A broken stream may recover; a companion that does not answer is gone, and its wallet is locked. */
  async #check(): Promise<void> {
    try {
      const { exists, unlocked } = await this.transport.call('wallet.status');
      if (exists !== this.status?.exists || unlocked !== this.status.unlocked) await this.reload();
    } catch (thrown) {
      this.#failed(thrown);
    }
  }

  #failed(thrown: unknown): void {
    const code = thrown instanceof CompanionError ? thrown.code : undefined;
    if (code === 'WALLET_LOCKED' || code === 'NO_WALLET') return void this.reload();
    if (code !== 'COMPANION_UNREACHABLE' && this.#isUp !== undefined) return;
    this.#isUp = false;
    this.#forget();
    this.changed();
    setTimeout(() => this.#isUp === false && void this.reload(), PAUSE_MS);
  }

  #forget(): void {
    this.#generation += 1;
    this.funds = undefined;
    this.isStale = false;
  }
}
