// The folders of the wallets: the data directory for the default one, `wallets/NAME/` in it with the same files for each other.
// Those are closed to other users like it, and never a link: a name must lead to a folder here.

import fs from 'node:fs';
import path from 'node:path';
import { DEFAULT_WALLET, isOtherWalletName } from '@wallet-companion/client/contract';
import {
  errnoOf,
  makeFolder,
  renameFolder,
  storageFailed,
  sweepTemporaries,
} from '@wallet-companion/disk/files';
import { CompanionError } from '../../protocol/errors.ts';
import { WALLET_FILE, WALLETS_FOLDER } from './dataFiles.ts';

const OWNER_ONLY = 0o700;
const OPEN_TO_OTHERS = 0o077;
/** Every caller may make wallets, and the companion deletes none. */
export const MOST_WALLETS = 100;

export const walletFolder = (dataDir: string, name: string): string =>
  name === DEFAULT_WALLET ? dataDir : path.join(dataDir, WALLETS_FOLDER, name);

/**
 * Throws `STORAGE_FAILED` unless the folder is ours, closed to others, and no link. A missing folder is fine, and the data
 * directory was checked at the start.
 */
export function requirePrivateWallet(dataDir: string, name: string): void {
  for (let folder = walletFolder(dataDir, name); folder !== dataDir; folder = path.dirname(folder))
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
    makeFolder(folder);
  } catch (error) {
    throw storageFailed('written', folder, error);
  }
}

/** Gives a wallet's folder another name. Errors: `WALLET_EXISTS` for a name that is taken, `STORAGE_FAILED`. */
export function renameWalletFolder(dataDir: string, from: string, to: string): void {
  const folder = walletFolder(dataDir, to);
  if (isThere(folder))
    throw new CompanionError('WALLET_EXISTS', 'There is a wallet, or its folder, of that name already.');
  try {
    renameFolder(walletFolder(dataDir, from), folder);
  } catch (error) {
    throw storageFailed('written', folder, error);
  }
}

/** Removes the folder of a wallet that could not be made, unless there are files in it. The data directory stays. */
export function dropEmptyWalletFolder(dataDir: string, name: string): void {
  if (name === DEFAULT_WALLET) return;
  try {
    fs.rmdirSync(walletFolder(dataDir, name));
  } catch {
    // It is missing, or not empty.
  }
}

/** The default wallet, which may not exist, and those that do, in the order of their names. */
export const walletNames = (dataDir: string): string[] => [
  DEFAULT_WALLET,
  ...foldersIn(dataDir).filter((name) => isThere(path.join(walletFolder(dataDir, name), WALLET_FILE))),
];

/**
 * Does what `tidyDirectories` does for the data directory. A problem with one folder is reported when its wallet is used:
 * the others are not affected.
 */
export function tidyWalletFolders(dataDir: string): void {
  for (const name of foldersIn(dataDir)) {
    try {
      requirePrivateWallet(dataDir, name);
      sweepTemporaries(walletFolder(dataDir, name));
    } catch {
      // The folder cannot be read, or is not ours.
    }
  }
}

/** Other files that a user has put there are left alone, links too. */
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
    // The problem is reported to the caller that uses this wallet.
    return true;
  }
};
