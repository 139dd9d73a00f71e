// The wallet file: created once, never overwritten by another wallet, opened with the password. walletFormat.ts describes
// its contents and how a wrong password is distinguished from damage.

import fs from 'node:fs';
import path from 'node:path';
import { SerialQueue } from '@wallet-companion/base/async';
import { equalBytes } from '@wallet-companion/base/bytes';
import type { Height } from '@wallet-companion/base/values';
import {
  createFile,
  errnoOf,
  latestVersion,
  migrateBytes,
  moveFile,
  removeKeptCopies,
  replaceFile,
  replaceKeepingCopy,
  storageFailed,
} from '@wallet-companion/disk/files';
import {
  DEFAULT_KDF,
  derivePasswordKey,
  KDF_SALT_SIZE,
  type KdfParameters,
  KEY_SIZE,
  type RandomBytes,
  seal,
} from '@wallet-companion/disk/sealing';
import type {
  AccountBook,
  HeaderCheck,
  OpenWallet,
  SealedBesides,
  WalletFile,
  WalletFileBytes,
  WalletHeader,
  WalletSecrets,
} from '../../actors/wallet/ports/walletFile.ts';
import { CompanionError, noWallet } from '../../protocol/errors.ts';
import { removedWalletFile, WALLET_FILE } from '../files/dataFiles.ts';
import { WALLET_FILE_STEPS, type WalletFileStep } from './migrations/steps.ts';
import { openSection, sectionKey, unwrapMasterKey } from './openContainer.ts';
import {
  encodeBook,
  encodeContainer,
  encodePrefix,
  encodeSecrets,
  keySlotContext,
  MAX_WALLET_FILE_SIZE,
  parseBook,
  parseContainer,
  parsePrefix,
  parseSecrets,
  SECTION_NAMES,
  type Section,
  sectionContext,
  type WalletContainer,
  walletCorrupt,
} from './walletFormat.ts';

export interface WalletFileOptions {
  /** The folder exists already. */
  readonly dataDir: string;
  readonly randomBytes: RandomBytes;
  /** Parameters for new key slots; an existing file contains its own. */
  readonly kdf?: KdfParameters;
  readonly migrations?: readonly WalletFileStep[];
  /** Runs one KDF at a time, across all open wallets: each takes 64 MiB. */
  readonly derivations?: { run<T>(derivation: () => Promise<T>): Promise<T> };
}

/** The wallet file of a data directory; opens nothing yet. */
export function createWalletFile(options: WalletFileOptions): WalletFile {
  return new SealedWalletFile(options);
}

class SealedWalletFile implements WalletFile {
  readonly #file: string;
  readonly #randomBytes: RandomBytes;
  readonly #kdf: KdfParameters;
  readonly #steps: readonly WalletFileStep[];
  readonly #version: number;
  readonly #derivations: NonNullable<WalletFileOptions['derivations']>;
  /** Writers read the file first, so they run one at a time. */
  readonly #writes = new SerialQueue();

  constructor({
    dataDir,
    randomBytes,
    kdf = DEFAULT_KDF,
    migrations = WALLET_FILE_STEPS,
    derivations = new SerialQueue(),
  }: WalletFileOptions) {
    this.#file = path.join(dataDir, WALLET_FILE);
    this.#randomBytes = randomBytes;
    this.#kdf = kdf;
    this.#steps = migrations;
    this.#derivations = derivations;
    this.#version = latestVersion(migrations);
  }

  exists(): boolean {
    try {
      return fs.lstatSync(this.#file, { throwIfNoEntry: false }) !== undefined;
    } catch (error) {
      throw storageFailed('read', this.#file, error);
    }
  }

  header(): WalletHeader | undefined {
    return this.exists() ? parsePrefix(readBounded(this.#file), this.#version).header : undefined;
  }

  create(
    header: WalletHeader,
    secrets: WalletSecrets,
    book: AccountBook,
    password: Uint8Array,
  ): Promise<OpenWallet> {
    return this.#writes.run(async () => {
      if (this.exists()) throw walletExists();
      const masterKey = this.#randomBytes(KEY_SIZE);
      const prefix = encodePrefix(header, this.#version);
      const plainSecrets = encodeSecrets(secrets);
      try {
        const bytes = encodeContainer({
          prefix,
          ...(await this.#makeKeySlot(prefix, masterKey, password)),
          secrets: this.#sealSection(masterKey, prefix, 'secrets', plainSecrets),
          book: this.#sealBook(masterKey, prefix, book),
        });
        if (!(await this.#write(createFile, bytes))) throw walletExists();
      } catch (error) {
        masterKey.fill(0);
        throw error;
      } finally {
        plainSecrets.fill(0);
      }
      return { header, book, masterKey };
    });
  }

  putAside(): Promise<string> {
    return this.#writes.run(async () => {
      for (let number = 1; ; number += 1) {
        const name = removedWalletFile(number);
        const kept = path.join(path.dirname(this.#file), name);
        try {
          if (!(await moveFile(this.#file, kept))) continue;
        } catch (error) {
          throw storageFailed('written', this.#file, error);
        }
        return name;
      }
    });
  }

  async open(password: Uint8Array, check?: HeaderCheck): Promise<OpenWallet> {
    const { container, masterKey } = await this.#unlock(password, check);
    try {
      return { header: container.header, book: openBook(container, masterKey), masterKey };
    } catch (error) {
      masterKey.fill(0);
      throw error;
    }
  }

  async withSecrets<T>(
    password: Uint8Array,
    use: (secrets: WalletSecrets) => T | Promise<T>,
    check?: HeaderCheck,
  ): Promise<T> {
    const { container, masterKey } = await this.#unlock(password, check);
    let plain: Uint8Array | undefined;
    try {
      plain = openSection(container, masterKey, 'secrets');
      return await use(parseSecrets(plain));
    } finally {
      plain?.fill(0);
      masterKey.fill(0);
    }
  }

  replaceBook(masterKey: Uint8Array, book: AccountBook): Promise<void> {
    return this.#writes.run(async () => {
      const container = this.#read();
      // The key must belong to this file: a book sealed under another key could never be opened again.
      openSection(container, masterKey, 'book').fill(0);
      const sealed = this.#sealBook(masterKey, container.prefix, book);
      await this.#commit({ ...container, book: sealed });
    });
  }

  async changePassword(
    password: Uint8Array,
    newPassword: Uint8Array,
    sealed: SealedBesides,
  ): Promise<Uint8Array> {
    await this.#upToDate(password);
    return this.#writes.run(async () => {
      const before = readBounded(this.#file);
      const container = parseContainer(before, this.#version);
      const masterKey = await this.#unwrap(container, password);
      const next = this.#randomBytes(KEY_SIZE);
      try {
        const resealed = await this.#resealed(container, container, {
          masterKey,
          next,
          password: newPassword,
        });
        await sealed.prepare(masterKey, next);
        await this.#commit(resealed);
        return next;
      } catch (error) {
        next.fill(0);
        if (this.#isStill(before)) sealed.abandon();
        throw error;
      } finally {
        masterKey.fill(0);
      }
    });
  }

  bytes(): WalletFileBytes {
    return { bytes: readBounded(this.#file), version: this.#version };
  }

  sealsWith(masterKey: Uint8Array): boolean {
    try {
      openSection(this.#read(), masterKey, 'book').fill(0);
      return true;
    } catch (error) {
      if (error instanceof CompanionError && error.code === 'WALLET_CORRUPT') return false;
      throw error;
    }
  }

  /** The caller wipes the master key. */
  async #unlock(
    password: Uint8Array,
    check?: HeaderCheck,
  ): Promise<{ container: WalletContainer; masterKey: Uint8Array }> {
    const container = await this.#upToDate(password, check);
    const masterKey = await this.#unwrap(container, password);
    try {
      return { container: await this.#withFallenBirthday(container, masterKey, password), masterKey };
    } catch (error) {
      // A full disk or a damaged book keeps nobody from the wallet or its phrase.
      if (error instanceof CompanionError) return { container, masterKey };
      masterKey.fill(0);
      throw error;
    }
  }

  /** The birthday of an account may have fallen while there was no password to seal the readable one with. */
  async #withFallenBirthday(
    container: WalletContainer,
    masterKey: Uint8Array,
    password: Uint8Array,
  ): Promise<WalletContainer> {
    const lowest = (of: WalletContainer): Height =>
      Math.min(...openBook(of, masterKey).accounts.map(({ birthdayHeight }) => birthdayHeight));
    if (lowest(container) >= container.header.birthdayHeight) return container;
    return this.#writes.run(async () => {
      const current = this.#read();
      const header = { ...current.header, birthdayHeight: lowest(current) };
      const facts = { header, prefix: encodePrefix(header, this.#version) };
      const resealed = await this.#resealed(current, facts, { masterKey, next: masterKey, password });
      await this.#commit(resealed);
      return resealed;
    });
  }

  /** The same contents beside these facts, under another master key or password. */
  async #resealed(
    container: WalletContainer,
    { header, prefix }: Pick<WalletContainer, 'header' | 'prefix'>,
    keys: { readonly masterKey: Uint8Array; readonly next: Uint8Array; readonly password: Uint8Array },
  ): Promise<WalletContainer> {
    const resealed = (section: Section): Uint8Array => {
      const plain = openSection(container, keys.masterKey, section);
      try {
        return this.#sealSection(keys.next, prefix, section, plain);
      } finally {
        plain.fill(0);
      }
    };
    return {
      ...container,
      header,
      prefix,
      ...(await this.#makeKeySlot(prefix, keys.next, keys.password)),
      secrets: resealed('secrets'),
      book: resealed('book'),
    };
  }

  #isStill(bytes: Uint8Array): boolean {
    try {
      return equalBytes(readBounded(this.#file), bytes);
    } catch {
      return false;
    }
  }

  /** Reads the file once. One of an earlier version is rewritten, with the password that the new one needs for its seals. */
  async #upToDate(password: Uint8Array, check?: HeaderCheck): Promise<WalletContainer> {
    const bytes = readBounded(this.#file);
    const { header, version: found } = parsePrefix(bytes, this.#version);
    check?.(header);
    if (found === this.#version) return parseContainer(bytes, this.#version);
    return this.#writes.run(async () => {
      const old = readBounded(this.#file);
      const { version } = parsePrefix(old, this.#version);
      if (version === this.#version) return parseContainer(old, this.#version);
      const keys = { password, randomBytes: this.#randomBytes };
      const migrated = await this.#derivations.run(() => migrateBytes(this.#steps, version, old, keys));
      await this.#requireOpens(migrated, password);
      await this.#write((file, next) => replaceKeepingCopy(file, version, old, next), migrated);
      return parseContainer(migrated, this.#version);
    });
  }

  /** Throws unless the bytes open: they are about to replace a file that does. */
  async #requireOpens(bytes: Uint8Array, password: Uint8Array): Promise<void> {
    const container = parseContainer(bytes, this.#version);
    const masterKey = await this.#unwrap(container, password);
    try {
      openBook(container, masterKey);
      openSection(container, masterKey, 'secrets').fill(0);
    } finally {
      masterKey.fill(0);
    }
  }

  async #commit(container: WalletContainer): Promise<void> {
    await this.#write(replaceFile, encodeContainer(container));
    // Another wallet may have had this name: its copy may be all that is left of it, and stays.
    removeKeptCopies(this.#file, (copy) => {
      const { createdAt, network } = parsePrefix(readBounded(copy), this.#version).header;
      return createdAt === container.header.createdAt && network === container.header.network;
    });
  }

  async #makeKeySlot(
    prefix: Uint8Array,
    masterKey: Uint8Array,
    password: Uint8Array,
  ): Promise<Pick<WalletContainer, 'kdf' | 'salt' | 'wrappedKey'>> {
    const kdf = this.#kdf;
    const salt = this.#randomBytes(KDF_SALT_SIZE);
    const passwordKey = await this.#derivations.run(() => derivePasswordKey(password, salt, kdf));
    try {
      const context = keySlotContext({ prefix, kdf, salt });
      return { kdf, salt, wrappedKey: seal(passwordKey, masterKey, context, this.#randomBytes) };
    } finally {
      passwordKey.fill(0);
    }
  }

  #unwrap(container: WalletContainer, password: Uint8Array): Promise<Uint8Array> {
    return this.#derivations.run(() => unwrapMasterKey(container, password));
  }

  #sealBook(masterKey: Uint8Array, prefix: Uint8Array, book: AccountBook): Uint8Array {
    const plain = encodeBook(book);
    try {
      return this.#sealSection(masterKey, prefix, 'book', plain);
    } finally {
      plain.fill(0);
    }
  }

  #sealSection(masterKey: Uint8Array, prefix: Uint8Array, section: Section, plain: Uint8Array): Uint8Array {
    const key = sectionKey(masterKey, section);
    try {
      return seal(key, plain, sectionContext(prefix, section), this.#randomBytes);
    } finally {
      key.fill(0);
    }
  }

  #read(): WalletContainer {
    return parseContainer(readBounded(this.#file), this.#version);
  }

  async #write<T>(write: (file: string, bytes: Uint8Array) => Promise<T>, bytes: Uint8Array): Promise<T> {
    if (bytes.length > MAX_WALLET_FILE_SIZE) {
      throw new CompanionError('STORAGE_FAILED', 'The wallet file holds no further account.');
    }
    try {
      return await write(this.#file, bytes);
    } catch (error) {
      throw storageFailed('written', this.#file, error);
    }
  }
}

const walletExists = (): CompanionError =>
  new CompanionError('WALLET_EXISTS', 'A wallet already exists; it was left as it is.');

function openBook(container: WalletContainer, masterKey: Uint8Array): AccountBook {
  const plain = openSection(container, masterKey, 'book');
  try {
    return parseBook(plain);
  } catch (error) {
    throw walletCorrupt(`its ${SECTION_NAMES.book} section cannot be read`, error);
  } finally {
    plain.fill(0);
  }
}

function readBounded(file: string): Uint8Array {
  let descriptor: number | undefined;
  try {
    // A named pipe in place of the file must not block; the flag is ignored for regular files and unknown on Windows.
    descriptor = fs.openSync(file, fs.constants.O_RDONLY | (fs.constants.O_NONBLOCK ?? 0));
    const { size } = requireRegularFile(descriptor);
    if (size > MAX_WALLET_FILE_SIZE) throw walletCorrupt('it is too large');
    return new Uint8Array(fs.readFileSync(descriptor));
  } catch (error) {
    if (errnoOf(error) === 'ENOENT') {
      if (isLink(file)) throw walletCorrupt('it is a link to a file that is not there');
      throw noWallet();
    }
    throw storageFailed('read', file, error);
  } finally {
    if (descriptor !== undefined) fs.closeSync(descriptor);
  }
}

const isLink = (file: string): boolean =>
  fs.lstatSync(file, { throwIfNoEntry: false })?.isSymbolicLink() ?? false;

function requireRegularFile(descriptor: number): fs.Stats {
  const stats = fs.fstatSync(descriptor);
  if (!stats.isFile()) throw walletCorrupt('it is not a regular file');
  return stats;
}
