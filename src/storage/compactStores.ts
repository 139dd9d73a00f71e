// The compact stores of this process: finds, opens and creates them where the rules allow, one connection per file.

import fs from 'node:fs';
import path from 'node:path';
import type { CompactStore, CompactStorePlace, CompactStores } from '../actors/chain/compactStore.ts';
import { CompanionError } from '../protocol/errors.ts';
import type { Network } from '../protocol/network.ts';
import { compactStoreDamaged, createCompactStore, readStamp, SqliteCompactStore } from './compactStore.ts';
import { inspectDatabase } from './databaseFile.ts';
import { invalidDbPath, resolveDbPath } from './dbPath.ts';
import { guardDatabase, storageFailed } from './failures.ts';
import { openDatabase } from './sqlite.ts';

export function createCompactStores(): CompactStores {
  return new FileCompactStores();
}

interface OpenStore {
  readonly store: SqliteCompactStore;
  readonly network: Network;
  readonly identity: string;
}

class FileCompactStores implements CompactStores {
  readonly #open = new Map<string, OpenStore>();

  find(dbPath: string | undefined, place: CompactStorePlace): CompactStore | undefined {
    this.#closeVanished();
    return this.#openExisting(resolveDbPath(dbPath, place), place);
  }

  open(dbPath: string | undefined, place: CompactStorePlace): CompactStore {
    this.#closeVanished();
    const file = resolveDbPath(dbPath, place);
    const existing = this.#openExisting(file, place);
    if (existing !== undefined) return existing;
    try {
      createCompactStore(file, place.network, place.genesisHash);
    } catch (error) {
      throw storageFailed('written', file, error);
    }
    const created = this.#openExisting(file, place);
    if (created === undefined) throw compactStoreDamaged(file);
    return created;
  }

  close(): void {
    for (const { store } of this.#open.values()) store.close();
    this.#open.clear();
  }

  #openExisting(file: string, { network, genesisHash }: CompactStorePlace): CompactStore | undefined {
    const known = this.#open.get(file);
    if (known !== undefined) {
      requireNetwork(known.network, network);
      known.store.requireGenesis(genesisHash);
      return known.store;
    }
    const identity = identityOf(file);
    if (identity === undefined || !isStoreOf(file, network)) return undefined;
    const store = guardDatabase(
      file,
      () => compactStoreDamaged(file),
      () => openStore(file, genesisHash),
    );
    this.#open.set(file, { store, network, identity });
    return store;
  }

  /**
   * Stores whose file was deleted or exchanged behind our back. While they are open their side files lie there too, and
   * would look like those of another database.
   */
  #closeVanished(): void {
    for (const [file, { store, identity }] of this.#open) {
      if (identity === identityOf(file)) continue;
      store.close();
      this.#open.delete(file);
    }
  }
}

function openStore(file: string, genesisHash: string): SqliteCompactStore {
  const database = openDatabase(file);
  try {
    // A crash of the machine may lose the last blocks, never the file: they can be fetched again.
    database.exec('PRAGMA synchronous = NORMAL');
    const store = new SqliteCompactStore(file, database);
    store.requireGenesis(genesisHash);
    return store;
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
function isStoreOf(file: string, network: Network): boolean {
  const found = inspectStamp(file);
  if (found === undefined) return false;
  if (found.kind === 'newer') throw invalidDbPath('names a compact store of a newer format');
  if (found.kind === 'foreign') {
    throw invalidDbPath(
      `names a file (${path.basename(file)}) that is not a compact store; it was left as it is`,
    );
  }
  requireNetwork(found.network, network);
  return true;
}

function inspectStamp(file: string): ReturnType<typeof readStamp> | undefined {
  try {
    const found = inspectDatabase(file);
    if (found.kind === 'absent') return undefined;
    return found.kind === 'foreign' ? found : readStamp(found);
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
