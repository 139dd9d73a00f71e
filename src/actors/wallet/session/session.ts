// An open wallet: viewing keys, the note store and the pool, all dropped when it closes. The password is not kept; a
// keyed hash of it under a key of this session lets later calls check it without running the KDF again.

import { timingSafeEqual } from 'node:crypto';
import { isDeepStrictEqual } from 'node:util';
import { blake2b } from '@noble/hashes/blake2.js';
import { wipe } from '@wallet-companion/base/bytes';
import type { Height } from '@wallet-companion/base/values';
import { firstAddress, parseUnifiedViewingKey } from '@wallet-companion/zcash/addresses';
import { incomingKeys, outgoingKeys, type ViewingKeys, wipeViewingKeys } from '@wallet-companion/zcash/keys';
import type { NetworkParameters } from '@wallet-companion/zcash/network';
import { CompanionError, wrongPassword } from '../../../protocol/errors.ts';
import { NoteStore } from '../noteStore/noteStore.ts';
import { PaymentBook } from '../payments/book/paymentBook.ts';
import type { NoteDatabase, NoteDatabases } from '../ports/noteDatabase.ts';
import type { ScanKeys, ScanPool } from '../ports/scanPool.ts';
import type { WalletEnvironment } from '../ports/walletEnvironment.ts';
import type { AccountBook, AccountRecord, OpenWallet, WalletHeader } from '../ports/walletFile.ts';
import { searchState, soughtAccount } from './accountSearch.ts';
import { AddressBook } from './addressBook.ts';
import { type PaidTo, ReceivingAddresses } from './receivingAddresses.ts';
import { sharedAccounts } from './sharedKeys.ts';

export interface Account extends AccountRecord {
  readonly keys: ViewingKeys;
}

/** The parts that a scan works on. */
export interface ScannedSession {
  readonly noteStore: NoteStore;
  readonly pool: ScanPool;
  readonly scanKeys: ScanKeys;
  /** Those, and the ones of an account that is looked for; other ones once other accounts are scanned. */
  readonly rangeKeys: ScanKeys;
  /** Accounts whose key shares a part with that of one before. */
  readonly sharedAccounts: readonly number[];
}

export class Session {
  readonly noteStore: NoteStore;
  /** Read at the first use. */
  readonly payments: PaymentBook;
  readonly masterKey: Uint8Array;
  readonly #facts: WalletHeader;
  readonly #params: NetworkParameters;
  readonly #openPool: () => ScanPool;
  readonly #checkKey: Uint8Array;
  readonly #passwordHash: Uint8Array;
  #pool: ScanPool | undefined;
  #book: AccountBook;
  #accounts: readonly Account[];
  #sought: Account | undefined;
  #shared: readonly number[] | undefined;
  #scanKeys: ScanKeys;
  #searchKeys: ScanKeys;
  readonly #addresses: ReceivingAddresses;
  /** Keyed by account and index. */
  #labels: ReadonlyMap<string, string>;
  #addressBook: AddressBook;

  private constructor(
    environment: WalletEnvironment,
    params: NetworkParameters,
    opened: OpenWallet & { readonly accounts: readonly Account[]; readonly noteStore: NoteStore },
    password: Uint8Array,
  ) {
    this.#facts = opened.header;
    this.noteStore = opened.noteStore;
    this.payments = new PaymentBook(() => this.noteStore.paymentStore);
    this.masterKey = opened.masterKey;
    this.#params = params;
    this.#openPool = environment.openPool;
    this.#book = opened.book;
    this.#accounts = opened.accounts;
    this.#scanKeys = scanKeysOf(this.#accounts, params);
    this.#searchKeys = this.#scanKeys;
    this.#lookAhead();
    this.#addresses = new ReceivingAddresses(params);
    this.#labels = labelsIn(opened.book);
    this.#addressBook = new AddressBook(opened.book.contacts ?? [], params);
    this.#checkKey = environment.randomBytes(32);
    this.#passwordHash = this.#hash(password);
  }

  /**
   * Loads the note store, which may take seconds in which other work can run. After a failure, nothing stays open, and
   * no key is kept.
   */
  static async open(
    environment: WalletEnvironment,
    params: NetworkParameters,
    opened: OpenWallet,
    password: Uint8Array,
  ): Promise<Session> {
    let accounts: readonly Account[] = [];
    let noteStore: NoteStore | undefined;
    try {
      accounts = withKeys(opened.book.accounts, params);
      const store = environment.noteDatabases.open(opened.masterKey);
      const birthdays = accounts.map(({ birthdayHeight }) => birthdayHeight);
      noteStore = await openNoteStore(store, accounts, Math.min(opened.header.birthdayHeight, ...birthdays));
      noteStore.confirmAfter(() => environment.configFile.get().min_confirmations);
      return new Session(environment, params, { ...opened, accounts, noteStore }, password);
    } catch (error) {
      noteStore?.close();
      opened.masterKey.fill(0);
      wipeAccounts(accounts);
      throw error;
    }
  }

  /** With the lowest birthday that is known: that of an account may have fallen since the file could be sealed anew. */
  get header(): WalletHeader {
    const begins = this.#accounts.map((account) => this.noteStore.floor(account));
    return { ...this.#facts, birthdayHeight: Math.min(this.#facts.birthdayHeight, ...begins) };
  }

  get book(): AccountBook {
    return this.#book;
  }

  get accounts(): readonly Account[] {
    return this.#accounts;
  }

  /** Throws `NOT_FOUND` for an account that was never added. */
  account(index: number): Account {
    const account = this.#accounts.find((candidate) => candidate.index === index);
    if (account === undefined) {
      throw new CompanionError(
        'NOT_FOUND',
        `There is no account ${index} in this wallet; GET /api/accounts lists them.`,
      );
    }
    return account;
  }

  /** Null for change, and where no unified address has the index. */
  addressOf(note: PaidTo): string | null {
    const account = [...this.#accounts, ...this.#soughtAccounts].find(({ index }) => index === note.account);
    return account === undefined ? null : this.#addresses.of(account, note);
  }

  /** Whether `addressOf` needs no derivation. */
  knowsAddress(note: PaidTo): boolean {
    return note.scope === 'internal' || this.#addresses.isKept(note);
  }

  labelOf({ account, scope, diversifierIndex }: PaidTo): string | null {
    return scope === 'internal' ? null : (this.#labels.get(`${account}:${diversifierIndex}`) ?? null);
  }

  get addressBook(): AddressBook {
    return this.#addressBook;
  }

  /** Those that were shown or paid in this session, and the first one of each account. */
  ownAddresses(): string[] {
    const first = this.#accounts.flatMap(({ keys }) => {
      const { unifiedAddress, saplingAddress } = firstAddress(keys, this.#params, 0n);
      return saplingAddress === null ? [unifiedAddress] : [unifiedAddress, saplingAddress];
    });
    return [...first, ...this.#addresses.kept];
  }

  get scanKeys(): ScanKeys {
    return this.#scanKeys;
  }

  /** Accounts whose key shares a part with that of one before. */
  get sharedAccounts(): readonly number[] {
    this.#shared ??= sharedAccounts(this.#accounts);
    return this.#shared;
  }

  get rangeKeys(): ScanKeys {
    return this.noteStore.isSearching ? this.#searchKeys : this.#scanKeys;
  }

  get pool(): ScanPool {
    this.#pool ??= this.#openPool();
    return this.#pool;
  }

  checkPassword(password: Uint8Array): void {
    if (!timingSafeEqual(this.#hash(password), this.#passwordHash)) throw wrongPassword();
  }

  /** Continues with another password and master key, and the note store sealed with it. */
  rekey(password: Uint8Array, masterKey: Uint8Array, noteDatabases: NoteDatabases): void {
    this.noteStore.reopen(() => noteDatabases.open(masterKey));
    this.masterKey.set(masterKey);
    this.#passwordHash.set(this.#hash(password));
  }

  /** Replaces labels, contacts and what signs: keys stay as they are. */
  replaceFacts(book: AccountBook): void {
    this.#book = book;
    this.#accounts = this.#accounts.map((account, at) => ({ ...account, ...book.accounts[at] }));
    this.#labels = labelsIn(book);
    this.#addressBook = new AddressBook(book.contacts ?? [], this.#params);
  }

  replaceBook(book: AccountBook): void {
    if (!isDeepStrictEqual(keysIn(book), keysIn(this.#book))) {
      const before = this.#accounts;
      this.#accounts = withKeys(book.accounts, this.#params);
      this.#scanKeys = scanKeysOf(this.#accounts, this.#params);
      wipeAccounts([...before, ...this.#soughtAccounts]);
      this.#sought = undefined;
      this.#shared = undefined;
    }
    this.replaceFacts(book);
    this.#lookAhead();
  }

  /** The accounts that the note store counts, and the keys of the one that is looked for. */
  #lookAhead(): void {
    const { search } = this.#book;
    const record = soughtAccount(this.#book);
    if (record?.index !== this.#sought?.index) {
      wipeAccounts(this.#soughtAccounts);
      [this.#sought] = record === undefined ? [] : withKeys([record], this.#params);
      this.#searchKeys = scanKeysOf([...this.#accounts, ...this.#soughtAccounts], this.#params);
    } else if (record !== undefined && this.#sought !== undefined) {
      // It begins where the first account does, whose birthday may have fallen.
      this.#sought = { ...this.#sought, ...record };
    }
    const until = search?.until ?? Number.MAX_SAFE_INTEGER;
    const sought = this.#soughtAccounts.map((account) => ({ ...account, until }));
    this.noteStore.setAccounts([...this.#accounts, ...sought], searchState(this.#book, this.header));
  }

  get #soughtAccounts(): readonly Account[] {
    return this.#sought === undefined ? [] : [this.#sought];
  }

  async close(): Promise<void> {
    this.#wipeKeys();
    this.payments.forget();
    this.noteStore.close();
    await this.#pool?.close();
    for (const { incoming, outgoing } of [this.#scanKeys, this.#searchKeys]) {
      for (const { ivk, dk, nk } of incoming) wipe(ivk, dk, nk);
      for (const { ovk } of outgoing) wipe(ovk);
    }
  }

  #wipeKeys(): void {
    this.masterKey.fill(0);
    this.#checkKey.fill(0);
    wipeAccounts([...this.#accounts, ...this.#soughtAccounts]);
  }

  #hash(password: Uint8Array): Uint8Array {
    return blake2b(password, { key: this.#checkKey, dkLen: 32 });
  }
}

/** A store that does not load is closed again: the next try opens the file again. */
async function openNoteStore(
  store: NoteDatabase,
  accounts: readonly Account[],
  birthdayHeight: Height,
): Promise<NoteStore> {
  try {
    return await NoteStore.open(store, accounts, birthdayHeight);
  } catch (error) {
    store.close();
    throw error;
  }
}

function wipeAccounts(accounts: readonly Account[]): void {
  for (const { keys } of accounts) wipeViewingKeys(keys);
}

const labelsIn = ({ labels = [] }: AccountBook): Map<string, string> =>
  new Map(labels.map(({ account, diversifierIndex, text }) => [`${account}:${diversifierIndex}`, text]));

const keysIn = ({ accounts }: AccountBook) => accounts.map(({ index, viewingKey }) => [index, viewingKey]);

const withKeys = (accounts: readonly AccountRecord[], params: NetworkParameters): Account[] =>
  accounts.map((account) => ({ ...account, keys: parseUnifiedViewingKey(account.viewingKey, params) }));

function scanKeysOf(accounts: readonly Account[], { network, activation }: NetworkParameters): ScanKeys {
  return {
    incoming: accounts.flatMap((account) => incomingKeys(account.keys, account.index)),
    outgoing: accounts.flatMap((account) => outgoingKeys(account.keys, account.index)),
    heights: { network, ...activation },
  };
}
