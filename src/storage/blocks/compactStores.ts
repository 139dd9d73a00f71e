// The compact stores of this process: finds, opens and creates them where the rules allow, one connection per file, one
// server per store, a few of them open at a time. Any caller may name a server; its blocks go into a separate store, so
// that the blocks of the configured server are never mixed with those of another, nor crowded out.

import fs from 'node:fs';
import path from 'node:path';
import type { After } from '@wallet-companion/base/async';
import type { CompactStore, CompactStorePlace, CompactStores } from '@wallet-companion/chain/ports';
import {
  COMPACT_STORE_STEPS,
  type CompactStoreStep,
  compactStoreDamaged,
  createCompactStore,
  hasCompactStoreSchema,
  migrateCompactStore,
  PooledStore,
  readStamp,
  requireGenesis,
  SqliteCompactStore,
  type StampedStore,
  StorePool,
} from '@wallet-companion/chain/store';
import { storageFailed } from '@wallet-companion/disk/files';
import {
  guardDatabase,
  inspectDatabase,
  openDatabase,
  requireWritableIfOurs,
} from '@wallet-companion/disk/sqlite';
import { CompanionError } from '../../protocol/errors.ts';
import type { Network } from '../../protocol/network.ts';
import {
  compactServerId,
  defaultCompactStoreFile,
  isOwnStoreName,
  isServerStoreFile,
  serverStoreFile,
} from '../files/dataFiles.ts';
import {
  dataDirectoryOf,
  invalidDbPath,
  requireNoLeftovers,
  requirePlainFile,
  resolveDbPath,
  type StoreFile,
} from './dbPath.ts';
import { clearSideFiles, removeOldStores } from './serverStores.ts';

interface CompactStoreOptions {
  readonly migrations?: readonly CompactStoreStep[];
  /** Without it, stores stay open until they are closed. */
  readonly after?: After;
}

export function createCompactStores(options: CompactStoreOptions = {}): CompactStores {
  return new FileCompactStores(options);
}

const NEVER: After = () => () => undefined;

/** A client may name any number of stores. */
const MOST_OPEN = 8;

interface KnownStore {
  readonly store: PooledStore;
  readonly network: Network;
  readonly identity: string;
}

/** The place of a request's store. `chosen`: the client named it. */
interface Target extends StoreFile {
  readonly chosen: boolean;
}

class FileCompactStores implements CompactStores {
  readonly #steps: readonly CompactStoreStep[];
  readonly #known = new Map<string, KnownStore>();
  readonly #pool: StorePool;

  constructor({ migrations = COMPACT_STORE_STEPS, after = NEVER }: CompactStoreOptions) {
    this.#steps = migrations;
    this.#pool = new StorePool(MOST_OPEN, after);
  }

  find(dbPath: string | undefined, place: CompactStorePlace): CompactStore | undefined {
    this.#closeVanished();
    return this.#openExisting(this.#target(dbPath, place), place);
  }

  open(
    dbPath: string | undefined,
    place: CompactStorePlace,
    isBusy: (store: CompactStore) => boolean = () => false,
  ): CompactStore {
    this.#closeVanished();
    const target = this.#target(dbPath, place);
    const { file } = target;
    const existing = this.#openExisting(target, place);
    if (existing !== undefined) return existing;
    try {
      if (!target.chosen) clearSideFiles(file, place.network);
      createStore(target, place, this.#steps);
    } catch (error) {
      throw storageFailed('written', file, error);
    }
    const created = this.#openExisting({ ...target, missingFolders: [] }, place);
    if (created === undefined) throw compactStoreDamaged(file);
    if (!target.chosen) this.#makeRoom(file, place, isBusy);
    return created;
  }

  close(): void {
    for (const { store } of this.#known.values()) store.close();
    this.#known.clear();
  }

  #target(dbPath: string | undefined, place: CompactStorePlace): Target {
    const home = dataDirectoryOf(place);
    if (dbPath === undefined) {
      const file = this.#serverFile(home, place);
      if (!isServerStoreFile(path.basename(file), place.network)) requireNoLeftovers(file);
      return { file, missingFolders: [], chosen: false };
    }
    const chosen = resolveDbPath(dbPath, place);
    const { dir, base } = path.parse(chosen.file);
    if (dir !== home || !isOwnStoreName(base)) return { ...chosen, chosen: true };
    const file = this.#serverFile(home, place);
    if (chosen.file !== file) throw invalidDbPath('names the store of another compact server');
    return { ...chosen, chosen: false };
  }

  /**
   * The store that the companion keeps for the server. The default store belongs to the server that filled it, and is
   * used only while that one is configured: blocks of a server that a request named never get there.
   */
  #serverFile(home: string, place: CompactStorePlace): string {
    const { network } = place;
    const serverId = compactServerId(place.server);
    const named = path.join(home, serverStoreFile(network, serverId));
    if (serverId !== compactServerId(place.configuredServer)) return named;
    const file = path.join(home, defaultCompactStoreFile(network));
    const store = this.#openDefault(file, place);
    const owner = store?.serverId();
    if (owner === serverId) return file;
    const isFree = owner === undefined && fs.lstatSync(named, { throwIfNoEntry: false }) === undefined;
    return isFree ? file : named;
  }

  #openDefault(file: string, place: CompactStorePlace): PooledStore | undefined {
    requirePlainFile(file);
    return this.#openFile(file, place);
  }

  #openExisting({ file, missingFolders, chosen }: Target, place: CompactStorePlace): PooledStore | undefined {
    if (missingFolders.length > 0) return undefined;
    if (!chosen) requirePlainFile(file);
    const store = chosen ? sameNetwork(() => this.#openFile(file, place)) : this.#openFile(file, place);
    if (store !== undefined) requireServer(store, place);
    return store;
  }

  #openFile(file: string, { network, genesisHash }: CompactStorePlace): PooledStore | undefined {
    const identity = identityOf(file);
    if (identity === undefined) return undefined;
    // Some file systems have several names for one file.
    const known = [...this.#known.values()].find((other) => other.identity === identity);
    if (known !== undefined) {
      requireNetwork(known.network, network);
      known.store.requireGenesis(genesisHash);
      return known.store;
    }
    const open = (): SqliteCompactStore | undefined =>
      isStoreOf(file, network, this.#steps)
        ? guardDatabase(
            file,
            () => compactStoreDamaged(file),
            () => openStore(file, genesisHash, this.#steps),
          )
        : undefined;
    const opened = open();
    if (opened === undefined) return undefined;
    const store = new PooledStore(this.#pool, opened, () => {
      const again = identityOf(file) === identity ? open() : undefined;
      if (again === undefined) throw storageFailed('read', file, new Error('the file is another one by now'));
      return again;
    });
    this.#known.set(file, { store, network, identity });
    return store;
  }

  #makeRoom(file: string, place: CompactStorePlace, isBusy: (store: CompactStore) => boolean): void {
    const { network } = place;
    const { dir, base } = path.parse(file);
    if (!isServerStoreFile(base, network)) return;
    const configured = path.join(dir, serverStoreFile(network, compactServerId(place.configuredServer)));
    const isKept = (other: string): boolean => {
      const open = this.#known.get(other);
      return other === file || (open !== undefined && isBusy(open.store));
    };
    const close = (other: string): void => {
      this.#known.get(other)?.store.close();
      this.#known.delete(other);
    };
    try {
      removeOldStores(configured, network, isKept, close);
    } catch (error) {
      throw storageFailed('written', file, error);
    }
  }

  /**
   * Closes stores whose file was deleted or replaced while open. Their side files would otherwise stay, and look like
   * those of the new file.
   */
  #closeVanished(): void {
    for (const [file, { store, identity }] of this.#known) {
      if (identity === identityOf(file)) continue;
      store.close();
      this.#known.delete(file);
    }
  }
}

/** Missing folders are made with the store, and removed again when it cannot be made. */
function createStore(
  { file, missingFolders }: Target,
  { network, genesisHash, server }: CompactStorePlace,
  steps: readonly CompactStoreStep[],
): void {
  const made: string[] = [];
  try {
    for (const folder of missingFolders) {
      fs.mkdirSync(folder, { mode: 0o700 });
      made.push(folder);
    }
    createCompactStore(file, { network, genesisHash, serverId: compactServerId(server) }, steps);
  } catch (error) {
    for (const folder of made.reverse()) removeIfEmpty(folder);
    throw error;
  }
}

function removeIfEmpty(folder: string): void {
  try {
    fs.rmdirSync(folder);
  } catch {
    // The folder is no longer empty; the first failure is the one to report.
  }
}

function openStore(
  file: string,
  genesisHash: string,
  steps: readonly CompactStoreStep[],
): SqliteCompactStore {
  const database = openDatabase(file);
  try {
    if (!hasCompactStoreSchema(database)) throw notACompactStore(file);
    requireGenesis(database, genesisHash);
    migrateCompactStore(file, database, steps, newerFormat);
    requireWritableIfOurs(file, database, 'companion_store');
    // A crash of the machine may lose the last blocks, which can be fetched again, but never the file.
    database.exec('PRAGMA synchronous = NORMAL');
    // The log is carried over every 4 MB (256 pages), because the call that does it has to wait.
    database.exec('PRAGMA wal_autocheckpoint = 256');
    return new SqliteCompactStore(file, database);
  } catch (error) {
    database.close();
    throw error;
  }
}

function identityOf(file: string): string | undefined {
  const stats = fs.lstatSync(file, { throwIfNoEntry: false });
  return stats === undefined ? undefined : `${stats.dev}:${stats.ino}`;
}

/** False when there is no file; throws when it is something else. The file is read, not opened as a database. */
function isStoreOf(file: string, network: Network, steps: readonly CompactStoreStep[]): boolean {
  const found = inspectStamp(file, steps);
  if (found === undefined) return false;
  if (found.kind === 'newer') throw newerFormat();
  if (found.kind === 'other') {
    throw notACompactStore(file);
  }
  requireNetwork(found.network, network);
  return true;
}

const notACompactStore = (file: string): CompanionError =>
  invalidDbPath(`names a file (${path.basename(file)}) that is not a compact store; it was left as it is`);

const newerFormat = (): CompanionError =>
  invalidDbPath('names a compact store of a newer format; it was left as it is');

function inspectStamp(file: string, steps: readonly CompactStoreStep[]): StampedStore | undefined {
  try {
    const found = inspectDatabase(file);
    if (found.kind === 'absent') return undefined;
    return found.kind === 'other' ? found : readStamp(found, steps);
  } catch (error) {
    throw storageFailed('read', file, error);
  }
}

function requireNetwork(found: Network, wanted: Network): void {
  if (found === wanted) return;
  throw new CompanionError(
    'NETWORK_MISMATCH',
    `The compact store holds blocks of the ${found} network, this companion runs on ${wanted}; the store was left as it is.`,
  );
}

/** When the client chose the path, a store of another chain is a fault of the path. */
function sameNetwork<T>(work: () => T): T {
  try {
    return work();
  } catch (error) {
    if (!(error instanceof CompanionError && error.code === 'NETWORK_MISMATCH')) throw error;
    throw invalidDbPath('names a compact store of another network; it was left as it is');
  }
}

function requireServer(store: PooledStore, { server }: CompactStorePlace): void {
  if (store.serverId() !== compactServerId(server)) {
    throw invalidDbPath('names a store with the blocks of another compact server; choose another one');
  }
}
