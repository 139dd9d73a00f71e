// The wallet actor: the only place with key material. It opens no socket and touches no file itself; storage, the chain
// side and the pool come in as interfaces. Changes of state are serialised; reads are answered between them.

import { dispatchMessage } from '../../protocol/dispatch.ts';
import { CompanionError } from '../../protocol/errors.ts';
import type { Handlers, Input, Output } from '../../protocol/operations.ts';
import type { Result } from '../../protocol/result.ts';
import { type AccountAddress, addressAt, firstAddress } from '../../shielded/address/account.ts';
import { generateMnemonic } from '../../shielded/mnemonic.ts';
import { type NetworkParameters, networkParameters } from '../../shielded/network.ts';
import { defaultBirthday } from './birthday.ts';
import type { WalletEnvironment } from './environment.ts';
import { Follower, type FollowOutcome } from './follow.ts';
import { PasswordGuard } from './passwordGuard.ts';
import { Scans } from './scans.ts';
import { type Account, Session } from './session.ts';
import type { Config, WalletHeader, WalletView } from './storage.ts';
import { balanceView, notesView, rangeView, refuseForeignCursor, transactionsView } from './views.ts';
import {
  deriveAccount,
  draftFromPhrase,
  draftFromViewingKey,
  validMnemonic,
  validViewingKey,
  type WalletDraft,
} from './walletDraft.ts';

type State = { readonly kind: 'closed' } | { readonly kind: 'open'; readonly session: Session };
type LockReason = 'asked' | 'idle' | 'exit';

/** A key that cannot tell spends: whoever reads the balance must know. */
const INCOMING_ONLY_WARNING =
  'This is an incoming viewing key: it sees payments received, but neither spends nor change, so spent funds stay in the balance.';

const utf8 = (text: string): Uint8Array => new TextEncoder().encode(text);

export class WalletActor {
  readonly #environment: WalletEnvironment;
  readonly #params: NetworkParameters;
  readonly #guard: PasswordGuard;
  readonly #handlers: Handlers<'wallet'>;
  readonly #scans: Scans;
  readonly #follower: Follower | undefined;
  #state: State = { kind: 'closed' };
  #expiresAt: number | null = null;
  #cancelAutoLock: () => void = () => undefined;
  #queue: Promise<unknown> = Promise.resolve();

  constructor(environment: WalletEnvironment) {
    this.#environment = environment;
    const config = environment.configFile.get();
    this.#params = networkParameters(config.network, config.activation_heights);
    this.#guard = new PasswordGuard(environment.clock);
    this.#handlers = this.#table();
    this.#scans = new Scans(environment, {
      activity: () => {
        if (this.#state.kind === 'open') this.#touch();
      },
      exported: () => void this.#tellChain(),
    });
    this.#follower =
      environment.follow === true ? new Follower(environment.clock, () => this.#scanNew()) : undefined;
  }

  /** Tells the chain side what it needs of the configuration. Call once before the first message. */
  async start(): Promise<void> {
    await this.#configureChain();
  }

  /** One message: `{name, input, requestId}`. Never throws. */
  dispatch(message: unknown): Promise<Result<unknown>> {
    return dispatchMessage('wallet', this.#handlers, message, this.#environment.logFault);
  }

  async stop(): Promise<void> {
    await this.#lock('exit');
  }

  #table(): Handlers<'wallet'> {
    return {
      'wallet.exists': () => ({ exists: this.#environment.walletFile.exists() }),
      'wallet.status': () => this.#status(),
      'wallet.create': (input) => this.#making(() => this.#create(input)),
      'wallet.restore': (input) => this.#making(() => this.#restore(input)),
      'wallet.import_viewing_key': (input) => this.#making(() => this.#importViewingKey(input)),
      'wallet.unlock': (input) => this.#exclusive(() => this.#unlock(input)),
      'wallet.lock': () => this.#lock('asked').then(() => ({ unlocked: false as const })),
      'wallet.change_password': (input) => this.#exclusive(() => this.#changePassword(input)),
      'wallet.backup': (input) => this.#exclusive(() => this.#backup(input)),
      'wallet.rescan': (input) => this.#exclusive(() => this.#betweenScans(() => this.#rescan(input))),
      'wallet.viewing_key': (input) => this.#exclusive(() => this.#viewingKey(input)),
      'config.get': () => this.#configView(),
      'config.node_url': (input) => this.#setNodeUrl(input),
      'config.compact_server_url': ({ url }) => this.#changeConfig({ compact_server_url: url }),
      'config.theme': ({ theme }) => this.#changeConfig({ theme }),
      'balance.get': (input) => {
        const session = this.#use(input.account);
        const balance = balanceView(session.ledger, input, this.#config.min_confirmations);
        const seesSpends = session.account(0).keys.kind === 'full';
        return seesSpends ? balance : { ...balance, warning: INCOMING_ONLY_WARNING };
      },
      'address.get': (input) => this.#address(input),
      'address.next': (input) => this.#exclusive(() => this.#nextAddress(input)),
      'notes.list': (input) => {
        refuseForeignCursor(input);
        return notesView(this.#use(input.account).ledger, input);
      },
      'transactions.list': (input) => {
        refuseForeignCursor(input);
        return transactionsView(this.#use(input.account).ledger, input, this.#params);
      },
      'accounts.list': () => {
        const session = this.#use();
        return { accounts: session.accounts.map((account) => this.#accountView(session, account)) };
      },
      'accounts.create': (input) =>
        this.#exclusive(() => this.#betweenScans(() => this.#createAccount(input))),
      'sync.run': (input) => this.#runSync(input),
      'sync.status': () => this.#scans.status(this.#configView().last_scan_height),
      'sync.cancel': () => {
        const cancelling = this.#scans.turns.isScanning;
        this.#scans.turns.current?.stop();
        return { cancelling };
      },
      'system.version': () => ({
        name: 'wallet-companion',
        version: this.#environment.version,
        api_version: 1 as const,
        network: this.#params.network,
        features: [],
      }),
    };
  }

  // -------------------------------------------------------------------------------------------------------------------
  // Making and opening the wallet

  /** Where somebody moved the wallet file away, the session of that wallet ends before another one is made. */
  async #making<T>(make: () => Promise<T>): Promise<T> {
    if (this.#state.kind === 'open' && !this.#environment.walletFile.exists()) await this.#lock('asked');
    return this.#exclusive(make);
  }

  async #create(input: Input<'wallet.create'>): Promise<Output<'wallet.create'>> {
    this.#refuseExisting();
    const { birthdayHeight, warning } = await defaultBirthday(
      this.#environment,
      this.#params,
      input.birthday_height,
    );
    const mnemonic = generateMnemonic(input.word_count ?? 24, this.#environment.randomBytes);
    const phrase = { mnemonic, passphrase: '' };
    const draft = draftFromPhrase(phrase, this.#params, birthdayHeight, this.#environment.clock);
    return {
      mnemonic,
      unified_address: await this.#make(draft, input.password),
      birthday_height: birthdayHeight,
      network: this.#params.network,
      ...(warning === undefined ? {} : { warning }),
    };
  }

  async #restore(input: Input<'wallet.restore'>): Promise<Output<'wallet.restore'>> {
    const phrase = { mnemonic: validMnemonic(input.mnemonic), passphrase: input.bip39_passphrase ?? '' };
    this.#refuseExisting();
    const { birthdayHeight, warning } = this.#knownBirthday(input.birthday_height);
    const draft = draftFromPhrase(phrase, this.#params, birthdayHeight, this.#environment.clock);
    return {
      unified_address: await this.#make(draft, input.password),
      birthday_height: birthdayHeight,
      network: this.#params.network,
      unlocked: true,
      ...(warning === undefined ? {} : { warning }),
    };
  }

  async #importViewingKey(
    input: Input<'wallet.import_viewing_key'>,
  ): Promise<Output<'wallet.import_viewing_key'>> {
    const keys = validViewingKey(input.viewing_key, this.#params);
    this.#refuseExisting();
    const { birthdayHeight, warning } = this.#knownBirthday(input.birthday_height);
    const draft = draftFromViewingKey(keys, this.#params, birthdayHeight, this.#environment.clock);
    const warnings = [keys.kind === 'incoming' ? INCOMING_ONLY_WARNING : undefined, warning];
    const text = warnings.filter((sentence) => sentence !== undefined).join(' ');
    return {
      unified_address: await this.#make(draft, input.password),
      birthday_height: birthdayHeight,
      network: this.#params.network,
      unlocked: true,
      kind: keys.kind,
      ...(text === '' ? {} : { warning: text }),
    };
  }

  /** The birthday of keys that are not new: nobody but the owner knows it. */
  #knownBirthday(asked: number | undefined): { birthdayHeight: number; warning?: string } {
    const { sapling } = this.#params.activation;
    if (asked !== undefined) return { birthdayHeight: Math.max(sapling, asked) };
    return {
      birthdayHeight: sapling,
      warning: 'No birthday_height was given, so the whole chain since Sapling will be scanned.',
    };
  }

  /** Writes the wallet and opens its session; gives the default address. */
  async #make({ header, secrets, view }: WalletDraft, passwordText: string): Promise<string> {
    // Written first: a wallet must never meet the scan height of one that was here before it.
    await this.#environment.configFile.update({
      last_scan_height: header.birthdayHeight - 1,
      last_scan_wallet: header.createdAt,
    });
    const password = utf8(passwordText);
    try {
      this.#environment.ledgerStores.retire();
      const opened = await this.#environment.walletFile.create(header, secrets, view, password);
      const session = new Session(this.#environment, this.#params, header, opened, password);
      await this.#open(session);
      return firstAddress(session.account(0).keys, this.#params, 0n).unifiedAddress;
    } finally {
      secrets.mnemonic?.fill(0);
      secrets.bip39Passphrase.fill(0);
      password.fill(0);
    }
  }

  async #unlock(input: Input<'wallet.unlock'>): Promise<Output<'wallet.unlock'>> {
    const session = await this.#sessionFor(input.password);
    return {
      unlocked: true,
      expires_at: this.#expiryText(),
      unified_address: firstAddress(session.account(0).keys, this.#params, 0n).unifiedAddress,
    };
  }

  /** The session, opened with the password when locked; else the password is checked against the open session. */
  async #sessionFor(passwordText: string): Promise<Session> {
    const header = this.#header();
    const password = utf8(passwordText);
    try {
      return await this.#guard.attempt(async () => {
        if (this.#state.kind === 'open') {
          this.#state.session.checkPassword(password);
          this.#touch();
          return this.#state.session;
        }
        const opened = await this.#environment.walletFile.open(password);
        const session = new Session(this.#environment, this.#params, header, opened, password);
        await this.#open(session);
        return session;
      });
    } finally {
      password.fill(0);
    }
  }

  async #open(session: Session): Promise<void> {
    try {
      await this.#matchScanHeight(session);
    } catch (error) {
      await session.close();
      throw error;
    }
    this.#state = { kind: 'open', session };
    this.#touch();
    this.#follower?.start();
    await this.#tellChain();
    this.#environment.emit({ event: 'wallet.unlocked', data: { expires_at: this.#expiryText() } });
  }

  /** Follows an edit of `last_scan_height` in config.json; else config.json follows the ledger. */
  async #matchScanHeight(session: Session): Promise<void> {
    const { ledger } = session;
    const written = this.#writtenScanHeight(session.header);
    // Different from what the ledger last exported, and not what it was about to export: the user edited it. A store
    // that is new or was lost has exported nothing, so the old height must not make it skip the chain.
    const isEdit = written !== ledger.exportedScanHeight && written !== ledger.lastScanHeight;
    if (written !== null && isEdit && !ledger.isFresh) ledger.adoptEditedScanHeight(written);
    await this.#scans.exportScanHeight(session);
  }

  async #changePassword(input: Input<'wallet.change_password'>): Promise<Output<'wallet.change_password'>> {
    this.#header();
    const password = utf8(input.password);
    const newPassword = utf8(input.new_password);
    try {
      await this.#guard.attempt(() => {
        if (this.#state.kind === 'open') this.#state.session.checkPassword(password);
        return this.#environment.walletFile.changePassword(password, newPassword);
      });
      if (this.#state.kind === 'open') this.#state.session.changePassword(newPassword);
      return { changed: true };
    } finally {
      password.fill(0);
      newPassword.fill(0);
    }
  }

  async #backup(input: Input<'wallet.backup'>): Promise<Output<'wallet.backup'>> {
    const header = this.#header();
    refuseWatchOnly(header);
    return this.#withSecrets(input.password, (mnemonic, passphrase) => ({
      mnemonic,
      bip39_passphrase: passphrase === '' ? null : passphrase,
      birthday_height: header.birthdayHeight,
      network: header.network,
    }));
  }

  async #viewingKey(input: Input<'wallet.viewing_key'>): Promise<Output<'wallet.viewing_key'>> {
    const session = await this.#sessionFor(input.password);
    const account = session.account(input.account ?? 0);
    return {
      account: account.index,
      viewing_key: account.viewingKey,
      kind: account.keys.kind,
      birthday_height: account.birthdayHeight,
      network: this.#params.network,
    };
  }

  async #createAccount(input: Input<'accounts.create'>): Promise<Output<'accounts.create'>> {
    const session = this.#use();
    refuseWatchOnly(session.header);
    const index = Math.max(...session.accounts.map((account) => account.index)) + 1;
    const birthdayHeight = input.birthday_height ?? session.header.birthdayHeight;
    const record = await this.#withSecrets(input.password, (mnemonic, passphrase) =>
      deriveAccount(
        { mnemonic, passphrase },
        this.#params,
        index,
        Math.max(this.#params.activation.sapling, birthdayHeight),
      ),
    );
    await this.#replaceView(session, { ...session.view, accounts: [...session.view.accounts, record] });
    return this.#accountView(session, session.account(index));
  }

  /** Spending secrets exist only while `use` runs. */
  async #withSecrets<T>(passwordText: string, use: (mnemonic: string, passphrase: string) => T): Promise<T> {
    const password = utf8(passwordText);
    try {
      return await this.#guard.attempt(() => {
        if (this.#state.kind === 'open') this.#state.session.checkPassword(password);
        return this.#environment.walletFile.withSecrets(password, (secrets) => {
          if (secrets.mnemonic === null) throw watchOnly();
          const decode = new TextDecoder();
          return use(decode.decode(secrets.mnemonic), decode.decode(secrets.bip39Passphrase));
        });
      });
    } finally {
      password.fill(0);
    }
  }

  // -------------------------------------------------------------------------------------------------------------------
  // Session

  get #config(): Config {
    return this.#environment.configFile.get();
  }

  #refuseExisting(): void {
    if (!this.#environment.walletFile.exists()) return;
    throw new CompanionError(
      'WALLET_EXISTS',
      'A wallet exists already and was left untouched. Unlock it, or use another data directory.',
    );
  }

  /** Throws `NO_WALLET`, `WALLET_CORRUPT`, and `NETWORK_MISMATCH` for a wallet of another network. */
  #header(): WalletHeader {
    const header = this.#environment.walletFile.header();
    if (header === undefined)
      throw new CompanionError('NO_WALLET', 'There is no wallet yet. Create one or restore one first.');
    if (header.network !== this.#params.network) {
      throw new CompanionError(
        'NETWORK_MISMATCH',
        `This wallet belongs to the network "${header.network}", the companion runs on "${this.#params.network}". Start it with --network ${header.network}.`,
      );
    }
    return header;
  }

  /** The open session, counted as activity. Throws `NO_WALLET`, `WALLET_LOCKED`, `NOT_FOUND` for an unknown account. */
  #use(account?: number): Session {
    if (!this.#environment.walletFile.exists()) this.#header();
    if (this.#state.kind !== 'open') {
      throw new CompanionError('WALLET_LOCKED', 'The wallet is locked. Unlock it with its password first.');
    }
    this.#touch();
    const { session } = this.#state;
    if (account !== undefined) session.account(account);
    return session;
  }

  #touch(): void {
    const seconds = this.#config.auto_lock_seconds;
    this.#cancelAutoLock();
    this.#expiresAt = seconds === 0 ? null : this.#environment.clock.now() + seconds * 1000;
    if (seconds === 0) return;
    this.#cancelAutoLock = this.#environment.clock.after(seconds * 1000, () => {
      // A scan that has not committed for that long is still activity, unless nobody asked for it.
      if (this.#scans.turns.current?.kind === 'asked') this.#touch();
      else
        this.#lock('idle').catch((error: unknown) => this.#environment.logFault('wallet.auto_lock', error));
    });
  }

  #expiryText(): string | null {
    return this.#state.kind === 'closed' || this.#expiresAt === null
      ? null
      : new Date(this.#expiresAt).toISOString();
  }

  async #lock(reason: LockReason): Promise<void> {
    this.#follower?.stop();
    await this.#scans.turns.afterStopping(() => this.#exclusive(() => this.#close(reason)));
  }

  async #close(reason: LockReason): Promise<void> {
    if (this.#state.kind === 'closed') return;
    const { session } = this.#state;
    this.#state = { kind: 'closed' };
    this.#cancelAutoLock();
    this.#expiresAt = null;
    await session.close();
    this.#environment.emit({ event: 'wallet.locked', data: { reason } });
  }

  #status(): Output<'wallet.status'> {
    return {
      exists: this.#environment.walletFile.exists(),
      unlocked: this.#state.kind === 'open',
      expires_at: this.#expiryText(),
      syncing: this.#scans.turns.isScanning,
      network: this.#params.network,
    };
  }

  /** One change of state at a time, in the order they were asked for. */
  #exclusive<T>(change: () => Promise<T>): Promise<T> {
    const result = this.#queue.then(change);
    this.#queue = result.catch(() => undefined);
    return result;
  }

  // -------------------------------------------------------------------------------------------------------------------
  // Configuration

  #configView(): Output<'config.get'> {
    const config = this.#config;
    const header = this.#tryHeader();
    return {
      node_url: config.node_url,
      compact_server_url: config.compact_server_url,
      last_scan_height: this.#lastScanHeight(header) ?? 0,
      theme: config.theme,
      network: config.network,
      birthday_height: header?.birthdayHeight ?? null,
      min_confirmations: config.min_confirmations,
      auto_lock_seconds: config.auto_lock_seconds,
      allowed_origins: [...config.allowed_origins],
    };
  }

  /** What config.json says was scanned; null where it says nothing, or speaks of another wallet. */
  #writtenScanHeight(header: WalletHeader | undefined): number | null {
    const { last_scan_height: height, last_scan_wallet: wallet } = this.#config;
    return wallet === null || header === undefined || wallet === header.createdAt ? height : null;
  }

  /** Null without a wallet. What config.json says, also while a scan is ahead of it: what was shown survives a crash. */
  #lastScanHeight(header: WalletHeader | undefined): number | null {
    if (!this.#mayExist()) return null;
    return Math.max(0, this.#writtenScanHeight(header) ?? (header?.birthdayHeight ?? 1) - 1);
  }

  /** The configuration is shown whatever state the wallet file is in, and its folder too. */
  #mayExist(): boolean {
    try {
      return this.#environment.walletFile.exists();
    } catch {
      return true;
    }
  }

  #tryHeader(): WalletHeader | undefined {
    try {
      return this.#environment.walletFile.header();
    } catch {
      return undefined;
    }
  }

  async #setNodeUrl(input: Input<'config.node_url'>): Promise<Output<'config.get'>> {
    if (input.probe === true) await this.#environment.chain.probeNode({ url: input.url });
    return this.#changeConfig({ node_url: input.url });
  }

  #changeConfig(changes: Partial<Config>): Promise<Output<'config.get'>> {
    return this.#exclusive(async () => {
      await this.#environment.configFile.update(changes);
      await this.#tellChain();
      const view = this.#configView();
      this.#environment.emit({ event: 'config.changed', data: view });
      return view;
    });
  }

  /** A chain thread that is lost is told again when it is back: what is done here must not fail for it. */
  async #tellChain(): Promise<void> {
    await this.#configureChain().catch((error: unknown) =>
      this.#environment.logFault('wallet.configure_chain', error),
    );
  }

  async #configureChain(): Promise<void> {
    const config = this.#config;
    const header = this.#state.kind === 'open' ? this.#state.session.header : this.#tryHeader();
    await this.#environment.chain.configure({
      network: config.network,
      activation: this.#params.activation,
      nodeUrl: config.node_url,
      nodeCookieFile: config.node_cookie_file,
      compactServerUrl: config.compact_server_url,
      dataDir: this.#environment.dataDir,
      restrictDbPath: config.restrict_db_path,
      birthdayHeight: header?.birthdayHeight ?? null,
      lastScanHeight: this.#lastScanHeight(header),
    });
  }

  // -------------------------------------------------------------------------------------------------------------------
  // Addresses and accounts

  #address(input: Input<'address.get'>): Output<'address.get'> {
    const session = this.#use(input.account);
    const { keys } = session.account(input.account ?? 0);
    if (input.diversifier_index === undefined) return addressView(firstAddress(keys, this.#params, 0n));
    const address = addressAt(keys, this.#params, BigInt(input.diversifier_index));
    if (address === undefined) {
      throw new CompanionError(
        'INVALID_REQUEST',
        'There is no address at this diversifier index (about half have none); try the next one.',
        {
          errors: [{ path: 'diversifier_index', message: 'has no valid address' }],
        },
      );
    }
    return addressView(address);
  }

  async #nextAddress(input: Input<'address.next'>): Promise<Output<'address.next'>> {
    const session = this.#use(input.account);
    const account = session.account(input.account ?? 0);
    const handedOut = session.view.nextDiversifierIndex[account.index];
    const from =
      handedOut === undefined
        ? firstAddress(account.keys, this.#params, 0n).diversifierIndex + 1n
        : BigInt(handedOut);
    const address = firstAddress(account.keys, this.#params, from);
    await this.#replaceView(session, {
      ...session.view,
      nextDiversifierIndex: {
        ...session.view.nextDiversifierIndex,
        [account.index]: (address.diversifierIndex + 1n).toString(),
      },
    });
    return addressView(address);
  }

  async #replaceView(session: Session, view: WalletView): Promise<void> {
    await this.#environment.walletFile.replaceView(session.masterKey, view);
    session.replaceView(view);
  }

  #accountView(session: Session, account: Account): Output<'accounts.create'> {
    const missing = session.ledger.missing(account.index);
    return {
      account: account.index,
      birthday_height: account.birthdayHeight,
      unified_address: firstAddress(account.keys, this.#params, 0n).unifiedAddress,
      complete: missing.length === 0,
      missing_ranges: missing.map(rangeView),
    };
  }

  // -------------------------------------------------------------------------------------------------------------------
  // Sync

  async #runSync(input: Input<'sync.run'>): Promise<Output<'sync.run'>> {
    const { password } = input;
    if (this.#state.kind !== 'open' && password === undefined) this.#use();
    const header = this.#header();
    const open = () =>
      password === undefined ? this.#use() : this.#exclusive(() => this.#sessionFor(password));
    const lastScanHeight = () =>
      this.#state.kind === 'open' ? this.#state.session.ledger.lastScanHeight : header.birthdayHeight - 1;
    return this.#scans.turns.during('asked', (turn) => this.#scans.run(turn, input, open, lastScanHeight));
  }

  /** Follow mode's look at the chain; it is no activity, and gives way to everybody else. */
  async #scanNew(): Promise<FollowOutcome> {
    if (this.#state.kind !== 'open' || this.#scans.turns.current !== undefined) return 'caught up';
    const { session } = this.#state;
    try {
      const summary = await this.#scans.turns.during('follow', (turn) =>
        this.#scans.run(
          turn,
          {},
          () => session,
          () => session.ledger.lastScanHeight,
        ),
      );
      const isCut = summary.blocks_scanned > 0 && !summary.caught_up && !summary.cancelled;
      return isCut ? 'more' : 'caught up';
    } catch (error) {
      if (!(error instanceof CompanionError)) this.#environment.logFault('wallet.follow', error);
      return 'failed';
    }
  }

  /** Nothing may scan with the old keys, or into a ledger that is being cut. `NO_WALLET` and `WALLET_LOCKED` come first. */
  #betweenScans<T>(change: () => T | Promise<T>): Promise<T> {
    this.#use();
    return this.#scans.turns.during('change', change);
  }

  async #rescan(input: Input<'wallet.rescan'>): Promise<Output<'wallet.rescan'>> {
    const session = this.#use();
    const { ledger, header } = session;
    if (input.from_height === undefined) {
      await this.#environment.configFile.update({ last_scan_height: header.birthdayHeight - 1 });
      ledger.restart(header.birthdayHeight);
    } else {
      ledger.rewind(Math.max(this.#params.activation.sapling, input.from_height) - 1);
    }
    await this.#scans.exportScanHeight(session);
    return { last_scan_height: ledger.lastScanHeight, next_start_height: ledger.lastScanHeight + 1 };
  }
}

const addressView = (address: AccountAddress) => ({
  unified_address: address.unifiedAddress,
  sapling_address: address.saplingAddress,
  diversifier_index: address.diversifierIndex.toString(),
});

function refuseWatchOnly(header: WalletHeader): void {
  if (header.watchOnly) throw watchOnly();
}

const watchOnly = (): CompanionError =>
  new CompanionError(
    'INVALID_REQUEST',
    'This wallet was made from a viewing key: it has no recovery phrase, and no further accounts. Use the wallet that the key came from.',
  );
