// Settings of config.json from the command line: those that the owner changes in the file, and those that flags override
// for one run.

import { randomBytes } from 'node:crypto';
import path from 'node:path';
import { acquireDirectoryLock } from '@wallet-companion/disk/lock';
import type { Config, ConfigFile } from '../actors/wallet/ports/configFile.ts';
import type { LocalOptions, ServeOptions } from '../cli/cliEnvironment.ts';
import type { LocalSettings } from '../cli/localSettings.ts';
import { CompanionError } from '../protocol/errors.ts';
import type { Network } from '../protocol/network.ts';
import { openConfigFile } from '../storage/config/configFile.ts';
import { createDataDirectory } from '../storage/files/directories.ts';
import { walletFolder, walletNames } from '../storage/files/walletFolders.ts';
import { createWalletFile } from '../storage/wallet/walletFile.ts';
import { directoriesFor } from './directories.ts';

/** Refused while a companion runs: it has read the file, and would overwrite the change or miss it. */
export async function changeSettings(
  options: LocalOptions,
  change: (now: LocalSettings) => Partial<LocalSettings>,
): Promise<LocalSettings> {
  const { configDir, dataDir } = directoriesFor(options);
  createDataDirectory(dataDir);
  const lock = await acquireDirectoryLock(dataDir);
  if (lock.state === 'held') {
    const who = lock.holder === undefined ? 'a companion' : `the companion with pid ${lock.holder.pid}`;
    throw new CompanionError('BUSY', `Stop ${who} first, change the setting, and start it again.`);
  }
  try {
    const config = openConfigFile({ configDir });
    return await config.update(change(config.get()));
  } finally {
    lock.release();
  }
}

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
