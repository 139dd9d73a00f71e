// The names of our own files, in one place: a client's `db_path` must never reach one of them, wherever it points.

import type { Network } from '../protocol/network.ts';

export const WALLET_FILE = 'wallet.dat';
export const CONFIG_FILE = 'config.json';
export const LOCK_FILE = 'lock.db';
export const LOCK_HOLDER_FILE = 'lock.json';

export const LEDGER_FILE = 'ledger.db';

/** Where the note store of an earlier wallet is put aside. */
export const retiredLedgerFile = (number: number): string => `ledger-retired-${number}.db`;

export const defaultCompactStoreFile = (network: Network): string => `compact-${network}.db`;

/** What SQLite puts beside a database. */
export const SQLITE_SIDE_FILES = ['-journal', '-wal', '-shm'] as const;

const OWN_FILES = [WALLET_FILE, CONFIG_FILE, LOCK_FILE, LOCK_HOLDER_FILE];
const OWN_PATTERNS = [/^ledger.*\.db$/, /\.tmp$/, /\.sock$/, /\.log$/];

/**
 * Whether a file name is, or could be taken by the file system for, one of ours other than a compact store. Compared
 * without case and with compatibility forms folded, as some file systems do.
 */
export function isOwnFileName(name: string): boolean {
  const folded = name.normalize('NFKC').toLowerCase();
  if (SQLITE_SIDE_FILES.some((ending) => folded.endsWith(ending))) return true;
  return OWN_FILES.includes(folded) || OWN_PATTERNS.some((pattern) => pattern.test(folded));
}
