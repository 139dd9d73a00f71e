// What holds for one run instead of config.json: the flags, and the network of the wallet that is there.

import { randomBytes } from 'node:crypto';
import path from 'node:path';
import type { Config, ConfigFile } from '../actors/wallet/ports/storage.ts';
import type { LocalOptions, ServeOptions } from '../cli/cliEnvironment.ts';
import { createWalletFile } from '../storage/wallet/walletFile.ts';

export type StartFlags = LocalOptions & Partial<ServeOptions>;

export const flagOverrides = (options: StartFlags): Partial<Config> => ({
  ...(options.network === undefined ? {} : { network: options.network }),
  ...(options.nodeCookieFile === undefined ? {} : { node_cookie_file: path.resolve(options.nodeCookieFile) }),
  ...(options.nodeUrl === undefined ? {} : { node_url: options.nodeUrl }),
  ...(options.compactServerUrl === undefined ? {} : { compact_server_url: options.compactServerUrl }),
  ...(options.keepOpen === true ? { auto_lock_seconds: 0 } : {}),
  ...(options.follow === true ? { follow: true } : {}),
});

/** A wallet's network is fixed when it is made, so it holds where neither config.json nor a flag names one. */
export const withNetworkOfWallet = (
  flags: Partial<Config>,
  configFile: Pick<ConfigFile, 'isSet'>,
  dataDir: string,
): Partial<Config> => (configFile.isSet('network') ? flags : { ...networkOfWallet(dataDir), ...flags });

function networkOfWallet(dataDir: string): Partial<Config> {
  try {
    const header = createWalletFile({ dataDir, randomBytes }).header();
    return header === undefined ? {} : { network: header.network };
  } catch {
    // What is wrong with the file is said by whoever asks for the wallet.
    return {};
  }
}
