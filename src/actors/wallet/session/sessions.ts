// The only session: opened with the password, closed on request, when idle or with the process. Changes of state are
// serialised; reads are answered between them.

import { atDeadline, Deadline, SerialQueue } from '@wallet-companion/base/async';
import { timeTextOrNull } from '@wallet-companion/base/values';
import type { NetworkParameters } from '@wallet-companion/zcash/network';
import { CompanionError, noWallet } from '../../../protocol/errors.ts';
import type { Caller, HandlerContext } from '../../../protocol/operations.ts';
import {
  classOf,
  type PasswordGuard,
  PasswordGuards,
  type WrongTries,
} from '../../../protocol/passwordGuard.ts';
import type { WalletEnvironment } from '../ports/walletEnvironment.ts';
import type { WalletHeader, WalletSecrets } from '../ports/walletFile.ts';
import { changePassword } from './passwordChange.ts';
import { lowerBirthdays, searchFurther } from './searchFurther.ts';
import { Session } from './session.ts';
import { type WalletDraft, watchOnly } from './walletDraft.ts';

/** What every feature of a wallet shares. */
export interface SessionContext {
  readonly environment: WalletEnvironment;
  readonly params: NetworkParameters;
  readonly sessions: Sessions;
}

export type LockReason = 'asked' | 'idle' | 'exit';

/** Keeps the scan height of config.json equal to the wallet's. */
interface ScanHeightKeeper {
  /** Called before a new wallet is written. */
  begin(header: WalletHeader): Promise<void>;
  /** Called before the session counts as open. An error closes it again. */
  match(session: Session): Promise<void>;
}

interface SessionsListener {
  readonly opened: () => Promise<void>;
  /** No caller has used the wallet for `auto_lock_seconds`. Undefined where something else does; else it locks. */
  readonly idle: () => Promise<void> | undefined;
}

export class Sessions {
  readonly #environment: WalletEnvironment;
  readonly #params: NetworkParameters;
  readonly #scanHeight: ScanHeightKeeper;
  readonly #guards: PasswordGuards;
  #current: Session | undefined;
  /** Undefined: never. */
  #deadline: Deadline | undefined;
  /** The time of the session is over, and it is being locked. */
  #ending: Promise<void> | undefined;
  #cancelAutoLock: () => void = () => undefined;
  readonly #changes = new SerialQueue();
  #listener: SessionsListener = { opened: async () => undefined, idle: () => undefined };

  constructor(environment: WalletEnvironment, params: NetworkParameters, scanHeight: ScanHeightKeeper) {
    this.#environment = environment;
    this.#params = params;
    this.#scanHeight = scanHeight;
    this.#guards = new PasswordGuards(environment.clock, environment.carried?.wrongTries);
  }

  get wrongTries(): readonly WrongTries[] {
    return this.#guards.wrongTries;
  }

  /** The listener needs the sessions first, so it is set later. Call before the first session opens. */
  listen(listener: SessionsListener): void {
    this.#listener = listener;
  }

  /** Looks at the clocks: after a sleep the timer strikes later than the first call comes. */
  get current(): Session | undefined {
    if (this.#current !== undefined && this.#deadline?.isOver === true) this.#expire();
    return this.#ending === undefined ? this.#current : undefined;
  }

  /** When the session locks itself, RFC 3339; null when it is closed or never does. */
  get expiresAt(): string | null {
    return this.current === undefined ? null : timeTextOrNull(this.#deadline?.at);
  }

  /** One change of state at a time, in the order of the calls. */
  exclusive<T>(change: () => Promise<T>): Promise<T> {
    return this.#changes.run(change);
  }

  /** A change of state that tries a password; refused at once during the caller's wait. `NO_WALLET` comes first. */
  async exclusiveTry<T>(caller: Caller, change: (guard: PasswordGuard) => Promise<T>): Promise<T> {
    if (!this.#environment.walletFile.exists()) throw noWallet();
    if (this.current === undefined && this.#ending !== undefined) await this.#ending;
    const guard = this.#guards.of(classOf(caller));
    return guard.inLine(() => this.exclusive(() => change(guard)));
  }

  /** Most changes that try a password do no more than open the session. */
  enterAs(caller: Caller, password: Uint8Array): Promise<Session> {
    return this.exclusiveTry(caller, (guard) => this.enter(guard, password));
  }

  /** Throws `NO_WALLET`, `WALLET_CORRUPT`, and `NETWORK_MISMATCH` for a wallet of another network. */
  header(): WalletHeader {
    const header = this.#environment.walletFile.header();
    if (header === undefined) throw noWallet();
    this.#requireNetwork(header);
    return header;
  }

  readonly #requireNetwork = ({ network }: WalletHeader): void => {
    if (network === this.#params.network) return;
    throw new CompanionError(
      'NETWORK_MISMATCH',
      `This wallet belongs to the network "${network}", the companion runs on "${this.#params.network}". Start it with --network ${network}.`,
    );
  };

  /** The open session, for work without a request. Throws `NO_WALLET`, `WALLET_LOCKED`. */
  open(): Session {
    if (!this.#environment.walletFile.exists()) this.header();
    const session = this.current;
    if (session === undefined) {
      throw new CompanionError('WALLET_LOCKED', 'The wallet is locked. Unlock it with its password first.');
    }
    session.noteStore.readAgain();
    return session;
  }

  /** The open session, counted as activity. Throws `NO_WALLET`, `WALLET_LOCKED`, `NOT_FOUND` for an unknown account. */
  use(account?: number): Session {
    const session = this.open();
    this.touch();
    if (account !== undefined) session.account(account);
    return session;
  }

  /** For a read that the companion's own services make too: theirs is no activity. Throws as `use`. */
  read({ byService }: Pick<HandlerContext, 'byService'>, account?: number): Session {
    return byService === true ? this.open() : this.use(account);
  }

  /** The session, opened with the password when closed; else the password is checked against the open one. */
  enter(guard: PasswordGuard, password: Uint8Array): Promise<Session> {
    return guard.attempt(async () => {
      if (this.#current !== undefined) {
        this.#current.checkPassword(password);
        this.touch();
        await searchFurther(this.#environment, this.#params, this.#current, password);
        return this.#current;
      }
      const opened = await this.#environment.walletFile.open(password, this.#requireNetwork);
      const session = await Session.open(this.#environment, this.#params, opened, password);
      await searchFurther(this.#environment, this.#params, session, password);
      return await this.#open(session);
    });
  }

  /** Writes a new wallet and opens its session. The draft's secrets are wiped. */
  async begin({ header, secrets, book }: WalletDraft, password: Uint8Array): Promise<Session> {
    try {
      await this.#scanHeight.begin(header);
      this.#environment.noteDatabases.retire();
      this.#environment.invoiceFiles.retire();
      const opened = await this.#environment.walletFile.create(header, secrets, book, password);
      return await this.#open(await Session.open(this.#environment, this.#params, opened, password));
    } finally {
      secrets.mnemonic?.fill(0);
      secrets.bip39Passphrase.fill(0);
    }
  }

  /** Call between scans. After a failure the session ends unless it is certain that nothing has changed. */
  async changePassword(guard: PasswordGuard, password: Uint8Array, newPassword: Uint8Array): Promise<void> {
    this.header();
    const session = this.#current;
    let masterKey: Uint8Array | undefined;
    try {
      masterKey = await guard.attempt(() => {
        session?.checkPassword(password);
        return changePassword(this.#environment, { password, newPassword, session });
      });
      const { noteDatabases } = this.#environment;
      if (session === undefined) noteDatabases.open(masterKey).close();
      else session.rekey(newPassword, masterKey, noteDatabases);
    } catch (error) {
      if (!this.#stillHolds(session, masterKey)) await this.close('asked');
      throw masterKey === undefined ? error : changedAllTheSame(error);
    } finally {
      masterKey?.fill(0);
    }
  }

  /** Whether the session can go on as if nothing had been tried. */
  #stillHolds(session: Session | undefined, changed: Uint8Array | undefined): boolean {
    if (session === undefined) return true;
    try {
      return changed === undefined && this.#environment.walletFile.sealsWith(session.masterKey);
    } catch {
      return false;
    }
  }

  /** Spending secrets exist only while `use` runs. Refused for a wallet without a recovery phrase. */
  async withSecrets<T>(
    guard: PasswordGuard,
    password: Uint8Array,
    use: (mnemonic: string, passphrase: string) => T,
  ): Promise<T> {
    return guard.attempt(() => {
      this.#current?.checkPassword(password);
      const decoded = ({ mnemonic, bip39Passphrase }: WalletSecrets): T => {
        if (mnemonic === null) throw watchOnly();
        const decode = new TextDecoder();
        return use(decode.decode(mnemonic), decode.decode(bip39Passphrase));
      };
      return this.#environment.walletFile.withSecrets(password, decoded, this.#requireNetwork);
    });
  }

  /** Restarts the time until the idle lock. */
  touch(): void {
    const config = this.#environment.configFile.get();
    const seconds = config.follow && config.follow_keep_open ? 0 : config.auto_lock_seconds;
    const { clock } = this.#environment;
    this.#cancelAutoLock();
    this.#deadline = seconds === 0 ? undefined : new Deadline(clock, seconds * 1000);
    if (this.#deadline !== undefined)
      this.#cancelAutoLock = atDeadline(clock, this.#deadline, () => this.#expire());
  }

  #expire(): void {
    if (this.#ending !== undefined) return;
    this.#cancelAutoLock();
    // Set before the call, because what locks looks at the session too.
    this.#ending = Promise.resolve();
    this.#ending = this.#listener.idle()?.finally(() => {
      this.#ending = undefined;
    });
  }

  async close(reason: LockReason): Promise<void> {
    const session = this.#current;
    if (session === undefined) return;
    this.#current = undefined;
    this.#cancelAutoLock();
    this.#deadline = undefined;
    await session.close();
    this.#environment.emit({ event: 'wallet.locked', data: { reason } });
  }

  async #open(session: Session): Promise<Session> {
    try {
      await this.#scanHeight.match(session);
      await lowerBirthdays(this.#environment, session)?.();
    } catch (error) {
      await session.close();
      throw error;
    }
    this.#current = session;
    this.touch();
    await this.#listener.opened();
    this.#environment.emit({ event: 'wallet.unlocked', data: { expires_at: this.expiresAt } });
    return session;
  }
}

const changedAllTheSame = (cause: unknown): CompanionError =>
  new CompanionError(
    'STORAGE_FAILED',
    'The password has been changed, but the note store could not be put in its place. Check that the disk has room, and unlock with the new password.',
    { cause },
  );
