// What overrides config.json for one run: the flags, and the network of the existing wallet.

import { randomBytes } from 'node:crypto';
import path from 'node:path';
import type { Config, ConfigFile } from '../actors/wallet/ports/configFile.ts';
import type { LocalOptions, ServeOptions } from '../cli/cliEnvironment.ts';
import type { Network } from '../protocol/network.ts';
import { walletFolder, walletNames } from '../storage/files/walletFolders.ts';
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
