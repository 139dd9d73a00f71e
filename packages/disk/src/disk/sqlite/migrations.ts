// Brings an open database to today's version: all steps in one transaction, with a copy of the old file beside it. A
// crash at any moment leaves the old version or the new one.

import path from 'node:path';
import { CompanionError } from '@wallet-companion/client/contract';
import {
  isKnownVersion,
  latestVersion,
  pendingSteps,
  removeKeptCopies,
  type Step,
} from '../files/migrations.ts';
import { keptCopyFile } from '../files/names.ts';
import { copyDatabase } from './databaseFile.ts';
import { type Database, integerColumn, sqliteFault, transaction } from './sqlite.ts';

/** Runs inside a transaction, which it must not end. */
export type DatabaseStep<Keys = void> = Step<(database: Database, keys: Keys) => void>;

export interface DatabaseFormat<Keys> {
  readonly steps: readonly DatabaseStep<Keys>[];
  /** How much the stamp's `userVersion` rises with each version; the remainder below that is kept. */
  readonly stampsPerVersion: number;
  readonly unknownVersion: (version: number) => CompanionError;
}

/** To be called before anything else is prepared on the connection. */
export function migrateDatabase<Keys>(
  file: string,
  database: Database,
  { steps, stampsPerVersion, unknownVersion }: DatabaseFormat<Keys>,
  keys: Keys,
): void {
  // SQLite is asked, because after a crash the file's header may differ from the state that the journals restore.
  const stamp = pragma(database, 'user_version');
  const version = Math.floor(stamp / stampsPerVersion);
  if (!isKnownVersion(version, steps)) throw unknownVersion(version);
  const pending = pendingSteps(steps, version);
  if (pending.length === 0) return;
  try {
    leaveWriteAheadLog(file, database);
    const revision = pragma(database, 'data_version');
    copyDatabase(database, keptCopyFile(file, version));
    transaction(database, () => {
      // The copy could not be made inside the transaction, so another process may have written since.
      if (pragma(database, 'data_version') !== revision) throw inUse(file);
      for (const step of pending) step.migrate(database, keys);
      database.exec(`PRAGMA user_version = ${stamp + (latestVersion(steps) - version) * stampsPerVersion}`);
    });
  } catch (error) {
    throw sqliteFault(error) === 'busy' ? inUse(file) : error;
  }
}

/**
 * With a write-ahead log the new version would at first be in the log alone, and an earlier program, which looks only
 * at the file's header, would take the file for one of its own version.
 */
function leaveWriteAheadLog(file: string, database: Database): void {
  const row = database.prepare('PRAGMA journal_mode = DELETE').get();
  if (row?.['journal_mode'] !== 'delete') throw inUse(file);
}

function pragma(database: Database, name: string): number {
  return integerColumn(database.prepare(`PRAGMA ${name}`).get() ?? {}, name);
}

const inUse = (file: string): CompanionError =>
  new CompanionError(
    'STORAGE_FAILED',
    `${path.basename(file)} has an earlier format and cannot be brought up to date while another program uses it; it was left as it is. Close that program and try again.`,
  );

/** The copies beside an open database, removed after its first commit. */
export class KeptCopies {
  readonly #file: string;
  #mayBeThere = true;

  constructor(file: string) {
    this.#file = file;
  }

  afterCommit(): void {
    if (!this.#mayBeThere) return;
    this.#mayBeThere = false;
    removeKeptCopies(this.#file);
  }
}
