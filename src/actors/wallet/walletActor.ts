// The wallet actor: the only place with key material. It opens no socket and touches no file itself; storage, the chain
// side and the pool come in as interfaces. Here every operation finds who does it.

import { firstAddress } from '@wallet-companion/shielded/addresses';
import { type NetworkParameters, networkParameters } from '@wallet-companion/shielded/network';
import { dispatchMessage } from '../../protocol/dispatch.ts';
import type { Handlers, Input, Output } from '../../protocol/operations.ts';
import type { Result } from '../../protocol/result.ts';
import { Accounts } from './accounts.ts';
import { Books } from './books/books.ts';
import { changesView, decodeSince } from './changes.ts';
import { Configuration } from './configuration.ts';
import { Labels } from './labels.ts';
import { mempoolView, spentUnmined, unminedSums } from './mempool/mempoolView.ts';
import { MempoolWatch } from './mempool/mempoolWatch.ts';
import { refuseOtherCursor } from './notes/chainOrder.ts';
import { noteKey } from './notes/noteBook.ts';
import { Pairings } from './pairings.ts';
import { PaymentRequests } from './paymentRequests.ts';
import { Inspections } from './payments/inspections.ts';
import { KeptPayments } from './payments/keptPayments.ts';
import { PaymentLife } from './payments/paymentLife.ts';
import { Preparation } from './payments/preparation.ts';
import type { Config } from './ports/storage.ts';
import type { Carried, WalletEnvironment } from './ports/walletEnvironment.ts';
import { type LockReason, Sessions } from './session/sessions.ts';
import { refuseWatchOnly, seedFingerprintOf } from './session/walletDraft.ts';
import { Following } from './sync/following.ts';
import { ScanHeight } from './sync/scanHeight.ts';
import { Scans } from './sync/scans.ts';
import { refuseTwoOrders } from './sync/syncPlanner.ts';
import { balanceView, notesView, transactionsView } from './views.ts';
import { WalletMaker } from './walletMaker.ts';
import { noteWitness } from './witnesses/noteWitness.ts';
import { WitnessMaker } from './witnesses/witnesses.ts';

export class WalletActor {
  readonly #environment: WalletEnvironment;
  readonly #params: NetworkParameters;
  readonly #handlers: Handlers<'wallet'>;
  readonly #sessions: Sessions;
  readonly #scans: Scans;
  readonly #mempool: MempoolWatch;
  readonly #configuration: Configuration;
  readonly #accounts: Accounts;
  readonly #labels: Labels;
  readonly #books: Books;
  readonly #payments: PaymentRequests;
  readonly #inspections: Inspections;
  readonly #keptPayments: KeptPayments;
  readonly #paymentLife: PaymentLife;
  readonly #preparation: Preparation;
  readonly #maker: WalletMaker;
  readonly #pairings: Pairings;
  readonly #following: Following;
  readonly #witnesses: WitnessMaker;

  constructor(environment: WalletEnvironment) {
    this.#environment = environment;
    const { network, activation_heights: heights } = environment.configFile.get();
    const params = networkParameters(network, heights);
    this.#params = params;
    const scanHeight = new ScanHeight(environment);
    const sessions = new Sessions(environment, params, scanHeight);
    const mempool = new MempoolWatch(environment, () => sessions.current);
    this.#keptPayments = new KeptPayments(environment, params, sessions, mempool);
    const life = new PaymentLife(environment, sessions, this.#keptPayments);
    this.#paymentLife = life;
    mempool.listen((session) => life.news.tell(session));
    const scans = new Scans(environment, scanHeight, sessions, mempool);
    this.#mempool = mempool;
    this.#sessions = sessions;
    this.#scans = scans;
    this.#configuration = new Configuration(environment, params, sessions, scanHeight);
    this.#accounts = new Accounts(environment, params, sessions);
    this.#labels = new Labels(environment, sessions);
    this.#books = new Books(environment, params, sessions);
    this.#payments = new PaymentRequests(params, this.#accounts);
    this.#inspections = new Inspections(params, sessions);
    this.#maker = new WalletMaker(environment, params, sessions);
    this.#pairings = new Pairings(environment, this.#configuration, sessions);
    this.#following = new Following(environment, sessions, scans, mempool);
    const witnesses = new WitnessMaker(environment, sessions);
    this.#witnesses = witnesses;
    const kept = this.#keptPayments;
    this.#preparation = new Preparation({ environment, params, sessions, mempool, witnesses, kept });
    sessions.listen({ opened: () => this.#opened(), idle: () => this.#lockWhenIdle() });
    this.#handlers = this.#table();
  }

  /** Tells the chain side what it needs of the configuration. Call once before the first message. */
  async start(): Promise<void> {
    await this.#configuration.configureChain();
  }

  /** One message: `{name, input, requestId}`, or the question whether a password is right. Never throws. */
  dispatch(message: unknown): Promise<Result<unknown>> {
    return dispatchMessage('wallet', this.#handlers, message, {
      logFault: this.#environment.logFault,
      checkPassword: (password) => this.#sessions.exclusiveTry(() => this.#sessions.enter(password)),
    });
  }

  /** The configuration file was read again. */
  configReloaded(): void {
    this.#environment.emit({ event: 'config.changed', data: this.#configuration.current() });
  }

  /** Another server is configured: follow mode asks it at once. */
  serverChanged(): void {
    this.#following.wake();
  }

  async stop(): Promise<void> {
    await this.#lock('exit');
  }

  /** For the actor that comes in the place of this one. */
  get carried(): Carried {
    return {
      wrongTries: this.#sessions.wrongTries,
      lastScan: this.#scans.lastScan,
      pairings: this.#pairings.carried,
    };
  }

  #table(): Handlers<'wallet'> {
    const sessions = this.#sessions;
    const configuration = this.#configuration;
    const accounts = this.#accounts;
    const maker = this.#maker;
    const pairings = this.#pairings;
    return {
      'wallet.exists': () => ({ exists: this.#environment.walletFile.exists() }),
      'wallet.status': () => this.#status(),
      'wallet.create': (input) => this.#making(() => maker.create(input)),
      'wallet.restore': (input) => this.#making(() => maker.restore(input)),
      'wallet.import_viewing_key': (input) => this.#making(() => maker.importViewingKey(input)),
      'wallet.unlock': (input) => sessions.exclusiveTry(() => this.#unlock(input)),
      'wallet.lock': () => this.#lock('asked').then(() => ({ unlocked: false as const })),
      'wallet.change_password': ({ password, new_password }) =>
        sessions.exclusiveTry(async () => {
          // The whole note store is sealed anew, from what it holds now.
          await this.#scans.turns.during('change', () => sessions.changePassword(password, new_password));
          return { changed: true };
        }),
      'wallet.backup': (input) => sessions.exclusiveTry(() => this.#backup(input)),
      'wallet.rescan': (input) => sessions.exclusive(() => this.#betweenScans(() => this.#rescan(input))),
      'wallet.viewing_key': (input) => sessions.exclusiveTry(() => this.#viewingKey(input)),
      'config.get': () => configuration.current(),
      'config.node_url': async ({ url, probe }, { byOwner }) => {
        if (probe === true) await this.#environment.chain.probeNode({ url, byOwner: byOwner === true });
        return this.#changeServer({ node_url: url }, byOwner);
      },
      'config.compact_server_url': ({ url }) => this.#changeServer({ compact_server_url: url }),
      'config.theme': ({ theme }) => configuration.change({ theme }),
      'balance.get': (input) => {
        const { min_confirmations: confirmations } = this.#environment.configFile.get();
        const session = sessions.use(input.account);
        const unmined = unminedSums(session, this.#mempool.standing(session), input.account);
        const seesSpends = session.account(0).keys.kind === 'full';
        const reserved = this.#keptPayments.reserved(session);
        return balanceView(
          session.noteStore,
          input,
          confirmations,
          seesSpends,
          unmined,
          (note) => reserved.get(noteKey(note))?.id,
        );
      },
      'address.get': (input) => accounts.address(input),
      'address.next': (input) => sessions.exclusive(() => accounts.nextAddress(input)),
      'notes.list': (input) => {
        refuseOtherCursor(input);
        const session = sessions.use(input.account);
        const spends = spentUnmined(session, this.#mempool.standing(session).book.unmined);
        const reserved = this.#keptPayments.reserved(session);
        return notesView(
          session.noteStore,
          input,
          (note) => session.labelOf(note),
          (note) => spends.get(noteKey(note))?.txid,
          (note) => reserved.get(noteKey(note))?.id,
        );
      },
      'notes.witness': (input) => noteWitness(sessions.use(), this.#witnesses, input),
      'transactions.list': (input) => {
        refuseOtherCursor(input);
        const session = sessions.use(input.account);
        return transactionsView(session.noteStore, input, this.#params, (note) => session.labelOf(note));
      },
      'changes.list': (input, { byService }) => {
        const since = decodeSince(input.since);
        return changesView(sessions, since, input, byService);
      },
      'mempool.list': ({ account }) => this.#mempoolView(account),
      'mempool.look': async ({ account, source }) => {
        sessions.use(account);
        await this.#mempool.look(source ?? 'node');
        return this.#mempoolView(account);
      },
      'labels.list': (input) => this.#labels.list(input),
      'labels.set': (input) => sessions.exclusive(() => this.#labels.set(input)),
      'labels.remove': (input) => sessions.exclusive(() => this.#labels.remove(input)),
      'transactions.export': (input) => this.#books.export(input),
      'balance.at': (input) => this.#books.balanceAt(input),
      'payment_uri.create': (input) => this.#payments.create(input),
      'payment_uri.qr': (input) => this.#payments.qr(input),
      'payment_uri.parse': (input) => this.#payments.parse(input),
      'pczt.inspect': (input) => this.#inspections.inspect(input),
      'payments.prepare': (input) => this.#paymentLife.telling(() => this.#preparation.prepare(input)),
      'payments.list': (input) => this.#keptPayments.list(input),
      'payments.get': (input) => this.#keptPayments.get(input),
      'payments.pczt': (input) => this.#keptPayments.pczt(input),
      'payments.combine': (input) => this.#paymentLife.combine(input),
      'payments.prove': (input) => this.#paymentLife.prove(input),
      'payments.broadcast': (input) => this.#paymentLife.broadcast(input),
      'payments.discard': (input) => this.#paymentLife.telling(() => this.#keptPayments.discard(input)),
      'accounts.list': () => accounts.list(),
      'accounts.create': (input) => {
        sessions.use();
        return sessions.exclusiveTry(() => this.#betweenScans(() => accounts.create(input)));
      },
      'sync.run': (input) => this.#runSync(input),
      'sync.status': () => this.#scans.status(configuration.current().last_scan_height),
      'coverage.get': ({ account }) => this.#scans.coverage(sessions.use(account), account),
      'sync.cancel': () => {
        const cancelling = this.#scans.turns.isScanning;
        this.#scans.turns.current?.stop();
        return { cancelling };
      },
      'pairing.request': (input, { origin }) => pairings.request(input, origin),
      'pairing.list': () => pairings.list(),
      'pairing.allow': (input) => pairings.allow(input),
      'pairing.refuse': (input) => pairings.refuse(input),
      'pairing.revoke': (input) => pairings.revoke(input),
      'follow.get': () => this.#following.status(),
      'follow.set': (input, context) => this.#following.set(input, context),
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
  // Session

  #status(): Output<'wallet.status'> {
    return {
      exists: this.#environment.walletFile.exists(),
      unlocked: this.#sessions.current !== undefined,
      expires_at: this.#sessions.expiresAt,
      syncing: this.#scans.turns.isScanning,
      network: this.#params.network,
    };
  }

  /** Where somebody moved the wallet file away, the session of that wallet ends before another one is made. */
  async #making<T>(make: () => Promise<T>): Promise<T> {
    if (this.#sessions.current !== undefined && !this.#environment.walletFile.exists())
      await this.#lock('asked');
    return this.#sessions.exclusive(make);
  }

  async #unlock(input: Input<'wallet.unlock'>): Promise<Output<'wallet.unlock'>> {
    const session = await this.#sessions.enter(input.password);
    return {
      unlocked: true,
      expires_at: this.#sessions.expiresAt,
      unified_address: firstAddress(session.account(0).keys, this.#params, 0n).unifiedAddress,
    };
  }

  async #opened(): Promise<void> {
    await this.#configuration.tellChain();
    this.#following.unlocked();
    const session = this.#sessions.current;
    if (session !== undefined) this.#paymentLife.news.opened(session);
  }

  async #lock(reason: LockReason): Promise<void> {
    this.#following.locked();
    await this.#scans.turns.afterStopping(() => this.#sessions.exclusive(() => this.#sessions.close(reason)));
    this.#mempool.forget();
    this.#paymentLife.news.forget();
  }

  /** A scan that has not committed for that long is still activity, unless nobody asked for it. */
  #lockWhenIdle(): void {
    if (this.#scans.turns.current?.kind === 'requested') this.#sessions.touch();
    else this.#lock('idle').catch((error: unknown) => this.#environment.logFault('wallet.auto_lock', error));
  }

  async #backup(input: Input<'wallet.backup'>): Promise<Output<'wallet.backup'>> {
    const header = this.#sessions.header();
    refuseWatchOnly(header);
    let seedFingerprint: string | undefined;
    const answer = await this.#sessions.withSecrets(input.password, (mnemonic, passphrase) => {
      seedFingerprint = this.#lackingFingerprint({ mnemonic, passphrase });
      return {
        mnemonic,
        bip39_passphrase: passphrase === '' ? null : passphrase,
        birthday_height: header.birthdayHeight,
        network: header.network,
      };
    });
    if (seedFingerprint !== undefined) await this.#accounts.keepFingerprint(seedFingerprint);
    return answer;
  }

  /** Of an open wallet that an earlier version made: here the phrase is at hand. */
  #lackingFingerprint(phrase: Parameters<typeof seedFingerprintOf>[0]): string | undefined {
    const session = this.#sessions.current;
    if (session === undefined || session.book.seedFingerprint !== undefined) return undefined;
    return seedFingerprintOf(phrase);
  }

  async #viewingKey(input: Input<'wallet.viewing_key'>): Promise<Output<'wallet.viewing_key'>> {
    const session = await this.#sessions.enter(input.password);
    const account = session.account(input.account ?? 0);
    return {
      account: account.index,
      viewing_key: account.viewingKey,
      kind: account.keys.kind,
      birthday_height: account.birthdayHeight,
      network: this.#params.network,
    };
  }

  // -------------------------------------------------------------------------------------------------------------------
  // Sync

  async #changeServer(change: Partial<Config>, byOwner?: boolean): Promise<Output<'config.get'>> {
    const changed = await this.#configuration.change(change, byOwner);
    this.#following.wake();
    return changed;
  }

  async #runSync(input: Input<'sync.run'>): Promise<Output<'sync.run'>> {
    const { password } = input;
    refuseTwoOrders(input);
    const sessions = this.#sessions;
    if (sessions.current === undefined && password === undefined) sessions.use();
    const header = sessions.header();
    const open = () =>
      password === undefined ? sessions.use() : sessions.exclusiveTry(() => sessions.enter(password));
    const lastScanHeight = () => sessions.current?.noteStore.lastScanHeight ?? header.birthdayHeight - 1;
    return this.#scans.turns.during('requested', (turn) =>
      this.#scans.run(turn, input, open, lastScanHeight),
    );
  }

  /**
   * Nothing may scan with the old keys, or into a note store that is being cut. `NO_WALLET` and `WALLET_LOCKED` come
   * first.
   */
  #betweenScans<T>(change: () => T | Promise<T>): Promise<T> {
    this.#sessions.use();
    return this.#scans.turns.during('change', change);
  }

  #mempoolView(account: number | undefined): Output<'mempool.list'> {
    const session = this.#sessions.use(account);
    return mempoolView(session, this.#mempool.standing(session), account);
  }

  async #rescan(input: Input<'wallet.rescan'>): Promise<Output<'wallet.rescan'>> {
    const session = this.#sessions.use();
    await this.#scans.rescan(session, input.from_height);
    this.#paymentLife.news.tell(session);
    const { lastScanHeight } = session.noteStore;
    return { last_scan_height: lastScanHeight, next_start_height: lastScanHeight + 1 };
  }
}
