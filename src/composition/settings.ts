// Settings of config.json from the command line: those that the owner changes in the file, and those that flags override
// for one run.

import { randomBytes } from 'node:crypto';
import path from 'node:path';
import { errnoOf } from '@wallet-companion/client/contract';
import { acquireDirectoryLock, type LockHolder } from '@wallet-companion/disk/lock';
import type { Config, ConfigFile } from '../actors/wallet/ports/configFile.ts';
import type { LocalOptions, ServeOptions } from '../cli/cliEnvironment.ts';
import type { LocalSettings } from '../cli/localSettings.ts';
import { CompanionError } from '../protocol/errors.ts';
import type { Network } from '../protocol/network.ts';
import { openConfigFile } from '../storage/config/configFile.ts';
import { RELOADED_KEYS } from '../storage/config/configValues.ts';
import { createDataDirectory } from '../storage/files/directories.ts';
import { walletFolder, walletNames } from '../storage/files/walletFolders.ts';
import { createWalletFile } from '../storage/wallet/walletFile.ts';
import { directoriesFor } from './directories.ts';

/**
 * A running companion reads the file again, where it can (`RELOADED_KEYS`). Throws `BUSY` for another setting, and where it cannot be
 * asked.
 */
export async function changeSettings(
  options: LocalOptions,
  change: (now: LocalSettings) => Partial<LocalSettings>,
): Promise<LocalSettings> {
  const { configDir, dataDir } = directoriesFor(options);
  createDataDirectory(dataDir);
  const lock = await acquireDirectoryLock(dataDir, configDir);
  try {
    const config = openConfigFile({ configDir });
    const changes = change(config.get());
    if (lock.state === 'held') requireReload(Object.keys(changes), lock.holder, configDir);
    const changed = await config.update(changes);
    if (lock.state === 'held') signal(lock.holder, 'SIGHUP');
    return changed;
  } finally {
    if (lock.state === 'acquired') lock.release();
  }
}

function requireReload(keys: readonly string[], holder: LockHolder | undefined, configDir: string): void {
  const isRead = keys.every((key) => RELOADED_KEYS.some((known) => known === key));
  const isThere = process.platform !== 'win32' && holder?.config_dir === path.resolve(configDir);
  if (!isRead || !isThere) throw stopFirst(holder);
  signal(holder, 0);
}

function signal(holder: LockHolder | undefined, name: 'SIGHUP' | 0): void {
  try {
    if (holder !== undefined) process.kill(holder.pid, name);
  } catch (error) {
    // It has ended meanwhile, and the next one reads the file.
    if (errnoOf(error) !== 'ESRCH') throw stopFirst(holder);
  }
}

const stopFirst = (holder: LockHolder | undefined): CompanionError =>
  new CompanionError(
    'BUSY',
    `Stop ${holder === undefined ? 'the companion' : `the companion with pid ${holder.pid}`} first, change the setting, and start it again.`,
  );

/** Keys of config.json without effect; none where the file cannot be read, which other calls report. */
export function configWarnings(options: LocalOptions): string[] {
  try {
    return openConfigFile({ configDir: directoriesFor(options).configDir }).warnings();
  } catch (error) {
    if (error instanceof CompanionError) return [];
    throw error;
  }
}

// What overrides config.json for one run: the flags, and the network of the existing wallet.
export type StartFlags = LocalOptions & Partial<ServeOptions>;

export const flagOverrides = (options: StartFlags): Partial<Config> => ({
  ...(options.network === undefined ? {} : { network: options.network }),
  ...(options.nodeCookieFile === undefined ? {} : { node_cookie_file: path.resolve(options.nodeCookieFile) }),
  ...(options.nodeUrl === undefined ? {} : { node_url: options.nodeUrl }),
  ...(options.compactServerUrl === undefined ? {} : { compact_server_url: options.compactServerUrl }),
  ...(options.keepOpen === true ? { auto_lock_seconds: 0 } : {}),
  ...(options.follow === true ? { follow: true } : {}),
});

/** A wallet's network is fixed at its creation, so it applies where neither config.json nor a flag names one. */
export const withNetworkOfWallet = (
  flags: Partial<Config>,
  configFile: Pick<ConfigFile, 'isSet'>,
  dataDir: string,
): Partial<Config> => (configFile.isSet('network') ? flags : { ...networkOfWallets(dataDir), ...flags });

/** The network of the default wallet; without one, the network of all others if it is the same. */
function networkOfWallets(dataDir: string): Partial<Config> {
  const folders = walletNames(dataDir).map((name) => walletFolder(dataDir, name));
  const [own, ...others] = folders.map(networkOfWallet);
  const [network, ...more] = new Set(own === undefined ? others : [own]);
  return network === undefined || more.length > 0 ? {} : { network };
}

function networkOfWallet(dataDir: string): Network | undefined {
  try {
    return createWalletFile({ dataDir, randomBytes }).header()?.network;
  } catch {
    // A damaged file is reported when the wallet is used.
    return undefined;
  }
}
