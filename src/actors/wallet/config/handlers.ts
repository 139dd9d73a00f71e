// The configuration that clients see and change.

import type { FeatureHandlers } from '../../../protocol/operations.ts';
import type { Config } from '../ports/configFile.ts';
import type { WalletContext } from '../wallet/walletContext.ts';

export function configHandlers({
  environment,
  configuration,
  following,
}: WalletContext): FeatureHandlers<'config'> {
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
