// The configuration that clients see and change.

import type { FeatureHandlers } from '../../../protocol/operations.ts';
import type { Following } from '../follow/following.ts';
import type { Config } from '../ports/configFile.ts';
import type { WalletEnvironment } from '../ports/walletEnvironment.ts';
import type { Configuration } from './configuration.ts';

interface ConfigContext {
  readonly environment: WalletEnvironment;
  readonly configuration: Configuration;
  readonly following: Following;
}

export function configHandlers({
  environment,
  configuration,
  following,
}: ConfigContext): FeatureHandlers<'config'> {
  const changeServer = async (change: Partial<Config>, byOwner?: boolean) => {
    const changed = await configuration.change(change, byOwner);
    following.wake();
    return changed;
  };
  return {
    'config.get': () => configuration.current(),
    'config.node_url': async ({ url, probe }, { byOwner }) => {
      if (probe === true) await environment.chain.probeNode({ url, byOwner: byOwner === true });
      return changeServer({ node_url: url }, byOwner);
    },
    'config.compact_server_url': ({ url }) => changeServer({ compact_server_url: url }),
    'config.block_source': ({ source }) => changeServer({ block_source: source }),
    'config.theme': ({ theme }) => configuration.change({ theme }),
  };
}
