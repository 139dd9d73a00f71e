// Where the wallets beside the default one lie: `wallets/NAME/` in the data directory, each with what the data directory
// has of the default wallet. Closed to others like that, and never a link: what a name leads to must be here.

import fs from 'node:fs';
import path from 'node:path';
import { CompanionError } from '../../protocol/errors.ts';
import { isOtherWalletName } from '../../protocol/walletNames.ts';
import { sweepTemporaries } from './atomicFile.ts';
import { WALLET_FILE, WALLETS_FOLDER } from './dataFiles.ts';
import { errnoOf, storageFailed } from './failures.ts';

const OWNER_ONLY = 0o700;
const OPEN_TO_OTHERS = 0o077;
/** Anybody who may call may make wallets, and no one else empties the disk of them. */
export const MOST_WALLETS = 100;

export const walletFolder = (dataDir: string, name: string): string =>
  path.join(dataDir, WALLETS_FOLDER, name);

/**
 * What is there is ours, closed to others, and no link. A folder that is not there is fine. Errors: `STORAGE_FAILED`.
 */
export function requirePrivateWallet(dataDir: string, name: string): void {
  for (const folder of [path.join(dataDir, WALLETS_FOLDER), walletFolder(dataDir, name)])
    requirePrivate(folder);
}

/** Makes the folder of a wallet that is about to be made. Errors: `STORAGE_FAILED`, `INVALID_REQUEST` for one too many. */
export function makeWalletFolder(dataDir: string, name: string): void {
  requirePrivateWallet(dataDir, name);
  const folder = walletFolder(dataDir, name);
  if (!isThere(folder) && foldersIn(dataDir).length >= MOST_WALLETS) {
    throw new CompanionError(
      'INVALID_REQUEST',
      `There are ${MOST_WALLETS} wallets beside the default one, and that is the most. Use another data directory.`,
    );
  }
  try {
    fs.mkdirSync(folder, { recursive: true, mode: OWNER_ONLY });
  } catch (error) {
    throw storageFailed('written', folder, error);
  }
}

/** After a wallet that was not made after all. What is in it stays. */
export function dropEmptyWalletFolder(dataDir: string, name: string): void {
  try {
    fs.rmdirSync(walletFolder(dataDir, name));
  } catch {
    // It is not there, or not empty.
  }
}

/** Of the wallets that are there, in the order of their names. */
export const walletNames = (dataDir: string): string[] =>
  foldersIn(dataDir).filter((name) => isThere(path.join(walletFolder(dataDir, name), WALLET_FILE)));

/**
 * As `tidyDirectories` does for the data directory. What is wrong with one of them is said when it is used: the others
 * are as good as before.
 */
export function tidyWalletFolders(dataDir: string): void {
  for (const name of foldersIn(dataDir)) {
    try {
      requirePrivateWallet(dataDir, name);
      sweepTemporaries(walletFolder(dataDir, name));
    } catch {
      // A folder that cannot be read, or is not ours.
    }
  }
}

/** Anything else that a person has put there is left alone, links too. */
function foldersIn(dataDir: string): string[] {
  const folder = path.join(dataDir, WALLETS_FOLDER);
  try {
    if (fs.lstatSync(folder).isSymbolicLink()) return [];
    const entries = fs.readdirSync(folder, { withFileTypes: true });
    return entries
      .flatMap((entry) => (entry.isDirectory() && isOtherWalletName(entry.name) ? [entry.name] : []))
      .sort();
  } catch (error) {
    if (errnoOf(error) === 'ENOENT') return [];
    throw storageFailed('read', folder, error);
  }
}

function requirePrivate(folder: string): void {
  let stats: fs.Stats | undefined;
  try {
    stats = fs.lstatSync(folder, { throwIfNoEntry: false });
    if (stats === undefined) return;
    if (!stats.isDirectory()) throw notOurs('is not a folder');
    if (process.getuid === undefined) return;
    if (stats.uid !== process.getuid()) throw notOurs('belongs to another user');
    if ((stats.mode & OPEN_TO_OTHERS) !== 0) fs.chmodSync(folder, OWNER_ONLY);
  } catch (error) {
    throw storageFailed('read', folder, error);
  }
}

const notOurs = (why: string): CompanionError =>
  new CompanionError(
    'STORAGE_FAILED',
    `The folder of this wallet, or the one it lies in, ${why}. It was left as it is; links are not followed.`,
  );

const isThere = (file: string): boolean => {
  try {
    return fs.lstatSync(file, { throwIfNoEntry: false }) !== undefined;
  } catch {
    // What is wrong with it is said by whoever asks for this wallet.
    return true;
  }
};
