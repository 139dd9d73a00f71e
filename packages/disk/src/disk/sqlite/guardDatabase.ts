// Turns SQLite's errors into the companion's.

import { CompanionError } from '@wallet-companion/client/contract';
import { storageFailed } from '../files/failures.ts';
import { sqliteFault } from './sqlite.ts';

/** Runs a SQLite operation: damage becomes `whenDamaged`, anything else STORAGE_FAILED. */
export function guardDatabase<T>(file: string, whenDamaged: () => CompanionError, work: () => T): T {
  try {
    return work();
  } catch (error) {
    if (error instanceof CompanionError) throw error;
    if (sqliteFault(error) === 'damaged') throw whenDamaged();
    throw storageFailed('written', file, error);
  }
}
