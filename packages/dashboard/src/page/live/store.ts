// The page's state, kept up to date by events. When the wallet locks, or the companion does not answer, it drops all
// data of the wallet at once; answers that arrive later are ignored.

import { CompanionError, type Output, type Progress } from '@wallet-companion/client';
import { type Funds, readFunds } from '../../model/funds.ts';
import { needsGrant } from '../../model/problems.ts';
import { isScanning } from '../../model/syncText.ts';
import { notifyOfMoney } from './notify.ts';
import { soundOf } from './sound.ts';
import { hold } from './token.ts';
import type { Call, PageEvent, Transport } from './transport.ts';

/** `lost`: the companion answered before and does not answer now. `refused`: it shows this page nothing; asked no more.
 * `till`: it answers this page about invoices alone, and at `pin` only the till's PIN. */
export type Phase = 'connecting' | 'refused' | 'lost' | 'none' | 'locked' | 'open' | 'till' | 'pin';

/** The pause between two reads of all funds while notes keep arriving. */
const PAUSE_MS = 2_000;
const CHECK_MS = 10_000;

const LOCKED = {
  unlocked: false,
  expires_at: null,
  syncing: false,
  own_signer: false,
  program_signer: false,
} as const;
const NOT_MADE = { exists: false, device: null, ...LOCKED } as const;

export class Store {
  readonly call: Call;
  readonly #transport: Transport;
  readonly #presence: Presence;
  #changed = (): void => undefined;
  /** Undefined: the default one. */
  readonly wallet: string | undefined;
  wallets: Output<'wallets.list'>['wallets'] = [];
  status: Output<'wallet.status'> | undefined;
  config: Output<'config.get'> | undefined;
  sync: Output<'sync.status'> | undefined;
  pairings: Output<'pairing.list'> | undefined;
  follow: Output<'follow.get'> | undefined;
  servers: Output<'system.status'> | undefined;
  funds: Funds | undefined;
  /** The wallet has changed while the user was away, and the page has not read it. */
  isStale = false;
  /** The wallet is open, and the user is still writing down its new phrase. */
  isHeld = false;
  /** The latest of the running scan. */
  progress: Progress | undefined;
  /** The scan was begun on this page: until its end the wallet does not lock while the page is open. */
  isBegun = false;
  /** Increases with each change of a prepared payment. */
  paymentChanges = 0;
  /** The same for invoices. */
  invoiceChanges = 0;
  /** The same for contacts. */
  contactChanges = 0;
  lockedBecause: string | undefined;
  /** For screen readers. Never amounts: other people may hear them. */
  announcement = '';
  #isUp: boolean | undefined;
  #isRefused = false;
  #till: 'off' | 'on' | 'locked' = 'off';
  #isListening = false;
  /** Increases when data is dropped: an answer to an older request does not count. */
  #generation = 0;
  #reading: Promise<void> | undefined;
  #readAgain = false;

  constructor(transport: Transport, wallet: string | undefined) {
    this.wallet = wallet;
    this.#transport = transport;
    this.call = async (name, ...input) => {
      try {
        return await transport.call(name, ...input);
      } catch (thrown) {
        if (needsGrant(thrown)) this.#refuse();
        throw thrown;
      }
    };
    this.#presence = new Presence(() => {
      if (!this.isStale) return;
      this.paymentChanges += 1;
      void this.refreshFunds();
    });
  }

  /** `changed` is called after each change of the state. */
  start(changed: () => void): void {
    this.#changed = changed;
    this.#listen();
    // An event may be lost with its connection: clearing the page after a lock must not depend on one.
    setInterval(() => this.#isUp === true && void this.#check(), CHECK_MS);
  }

  #listen(): void {
    if (this.#isListening) return;
    this.#isListening = true;
    const ended = this.#transport.listen(
      (event) => this.#take(event),
      () => void this.reload(),
      () => void this.#check(),
    );
    void ended.finally(() => {
      this.#isListening = false;
    });
  }

  /** From now on the page is the till's, by its token, or the owner's again. */
  async changeHands(till: 'on' | 'off', token: string | undefined): Promise<void> {
    this.#empty();
    hold(token);
    this.#till = till;
    this.#isRefused = false;
    this.#isUp = undefined;
    this.set({});
    this.#listen();
    await this.reload();
  }

  lockTill(): void {
    this.#empty();
    hold(undefined);
    this.#till = 'locked';
    this.set({});
  }

  get phase(): Phase {
    if (this.#till === 'locked') return 'pin';
    if (this.#isRefused) return 'refused';
    if (this.#isUp !== true || this.status === undefined) return this.#isUp === false ? 'lost' : 'connecting';
    if (this.#till === 'on') return 'till';
    if (!this.status.exists || (this.isHeld && this.status.unlocked)) return 'none';
    return this.status.unlocked ? 'open' : 'locked';
  }

  set(part: Partial<Omit<Store, 'call' | 'phase'>>): void {
    Object.assign(this, part);
    if (this.phase === 'locked' || this.phase === 'lost') this.isHeld = false;
    if (!isScanning(this)) this.progress = undefined;
    this.#changed();
  }

  /** What a setting of the whole companion was answered with: the default wallet's heights are not those of another one. */
  configured(config: Output<'config.get'>, announcement: string): void {
    const { birthday_height, last_scan_height } = (this.wallet && this.config) || config;
    this.set({ config: { ...config, birthday_height, last_scan_height }, announcement });
  }

  announce(announcement: string): void {
    this.set({ announcement });
  }

  /** Reads everything again, as after a break. */
  async reload(): Promise<void> {
    const generation = this.#generation;
    if (this.#till !== 'off') return this.#reloadTill(generation);
    await this.#try(async () => {
      const { wallets } = await this.call('wallets.list');
      const isMade = wallets.some(({ name, exists }) => exists && name === this.wallet);
      // The companion answers nothing about a name without a wallet. The page shows what the default one has in common with it.
      const read = this.wallet === undefined || isMade ? this.call : this.#transport.ofDefault;
      const [found, config, sync, pairings, follow, servers] = await Promise.all([
        read('wallet.status'),
        read('config.get'),
        read('sync.status'),
        this.call('pairing.list'),
        read('follow.get'),
        this.call('system.status', { known: true }),
      ]);
      const status = read === this.call ? found : { ...found, ...NOT_MADE };
      if (generation !== this.#generation) return;
      this.#isUp = true;
      if (!status.unlocked) this.#forget();
      const [paymentChanges, invoiceChanges] = [this.paymentChanges + 1, this.invoiceChanges + 1];
      this.progress = sync.progress ?? undefined;
      this.set({ status, config, sync, pairings, follow, servers, wallets, paymentChanges, invoiceChanges });
      if (status.unlocked) await this.refreshFunds();
    });
  }

  /** Its token reaches no more. */
  async #reloadTill(generation: number): Promise<void> {
    if (this.#till === 'locked') return;
    await this.#try(async () => {
      const status = await this.call('wallet.status');
      if (generation !== this.#generation) return;
      this.#isUp = true;
      this.set({ status, invoiceChanges: this.invoiceChanges + 1 });
    });
  }

  /** Reads the funds now or, if a read is running, once more after it. */
  refreshFunds(): Promise<void> {
    if (this.#reading !== undefined) {
      this.#readAgain = true;
      return this.#reading;
    }
    this.#reading = this.#readFunds().finally(() => {
      this.#reading = undefined;
      if (this.#readAgain) setTimeout(() => this.#moved(), PAUSE_MS);
      this.#readAgain = false;
    });
    return this.#reading;
  }

  async #readFunds(): Promise<void> {
    if (this.phase !== 'open') return;
    const generation = this.#generation;
    const isWanted = () => generation === this.#generation;
    await this.#try(async () => {
      const [funds, sync] = await Promise.all([readFunds(this.call), this.call('sync.status')]);
      if (isWanted()) this.set({ funds, sync, isStale: false });
    }, isWanted);
  }

  /** Reading keeps the session open: after an event only while the user is present. */
  #moved(hasPayments = false): void {
    if (this.phase !== 'open') return;
    const isAwaited = this.isBegun && this.follow?.state === 'scanning';
    const mayRead = isAwaited || this.#presence.mayAsk(this.config?.auto_lock_seconds ?? 0);
    if (!mayRead) this.set({ isStale: true });
    else if (hasPayments) this.set({ paymentChanges: this.paymentChanges + 1 });
    if (mayRead) void this.refreshFunds();
  }

  #take(event: PageEvent): void {
    if (this.#isRefused) return;
    if (event.event === 'note.received') notifyOfMoney();
    if (event.event === 'config.changed') this.set({ config: event.data });
    else if (event.event === 'pairing.changed') this.set({ pairings: event.data });
    else if (event.event === 'follow.changed') this.set({ follow: event.data });
    else if (event.event === 'wallet.locked') this.#locked(event.data.reason);
    else if (event.event === 'sync.progress')
      this.set({
        progress: event.data,
        sync: this.sync && { ...this.sync, syncing: true, progress: event.data },
      });
    else if (event.event === 'server.changed') this.#readChain();
    else if (event.event === 'payment.changed') this.#moved(true);
    else if (event.event === 'invoice.changed') {
      this.set({ invoiceChanges: this.invoiceChanges + 1 });
      soundOf(event.data);
    } else if (
      /^(?:reorg|blocks\.contradicted)$/.test(event.event) ||
      /^note\.(?:received|memo|spent)$/.test(event.event)
    )
      this.#moved();
    else if (event.event === 'sync.finished') {
      this.#readChain();
      this.#moved(true);
    } else void this.reload();
  }

  #locked(lockedBecause: string): void {
    this.#forget();
    this.set({ lockedBecause, status: this.status && { ...this.status, ...LOCKED } });
  }

  #readChain(): void {
    void this.#try(async () => {
      const calls = [this.call('sync.status'), this.call('system.status', { known: true })] as const;
      const [sync, servers] = await Promise.all(calls);
      this.set({ sync, servers });
    });
  }

  /** A broken stream may recover; a companion that does not answer is gone, and its wallet is locked. */
  #check(): Promise<void> {
    return this.#try(async () => {
      const { exists, unlocked } = await this.call('wallet.status');
      if (exists !== this.status?.exists || unlocked !== this.status.unlocked) await this.reload();
    });
  }

  async #try(read: () => Promise<void>, isWanted = () => true): Promise<void> {
    try {
      await read();
    } catch (thrown) {
      if (isWanted()) this.#failed(thrown);
    }
  }

  #failed(thrown: unknown): void {
    const code = thrown instanceof CompanionError ? thrown.code : undefined;
    if (code === 'WALLET_LOCKED' || code === 'NO_WALLET') return void this.reload();
    if (code !== 'COMPANION_UNREACHABLE' && this.#isUp !== undefined) return;
    this.#isUp = false;
    this.#forget();
    this.set({});
    setTimeout(() => this.phase === 'lost' && void this.reload(), PAUSE_MS);
  }

  #refuse(): void {
    if (this.#isRefused || this.#till === 'locked') return;
    this.#isRefused = true;
    this.#empty();
    this.set({});
    // The till may have been locked, or begun, elsewhere.
    void this.#transport.call('till.get').then(
      (till) => till.is_on && this.lockTill(),
      () => undefined,
    );
  }

  #empty(): void {
    this.#isUp = false;
    this.#forget();
    const nothing = { status: undefined, sync: undefined, pairings: undefined, servers: undefined };
    Object.assign(this, { ...nothing, config: undefined, follow: undefined, wallets: [] });
  }

  #forget(): void {
    this.#generation += 1;
    this.funds = undefined;
    this.isStale = false;
    this.progress = undefined;
  }
}

// Whether the user is present. A call that needs the session counts as activity, so an unattended page that reads the
// balance at every block would keep the wallet open for ever: it stops reading, and the wallet locks itself in time.
class Presence {
  #lastMs = Date.now();

  /** `back` is called at each input. */
  constructor(back: () => void) {
    const seen = () => {
      this.#lastMs = Date.now();
      back();
    };
    for (const kind of ['keydown', 'pointerdown', 'pointermove', 'wheel', 'touchstart'])
      addEventListener(kind, seen, { passive: true, capture: true });
  }

  /** For a third of the auto-lock time after the last key or click; 0: the wallet never locks itself. */
  mayAsk(autoLockSeconds: number): boolean {
    return autoLockSeconds === 0 || Date.now() - this.#lastMs < (autoLockSeconds * 1000) / 3;
  }
}
