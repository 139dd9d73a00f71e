// The configuration that clients see and change.

import type { NetworkParameters } from '@wallet-companion/zcash/network';
import type { FeatureHandlers, Output } from '../../../protocol/operations.ts';
import type { Following } from '../follow/following.ts';
import { scannedTime } from '../noteViews/views.ts';
import type { Config } from '../ports/configFile.ts';
import type { WalletEnvironment } from '../ports/walletEnvironment.ts';
import type { WalletHeader } from '../ports/walletFile.ts';
import type { Sessions } from '../session/sessions.ts';
import { askedPeers, otherSources } from '../source/blockSource.ts';
import type { ScanHeight } from '../sync/scanHeight.ts';

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

export class Configuration {
  readonly #environment: WalletEnvironment;
  readonly #params: NetworkParameters;
  readonly #sessions: Sessions;
  readonly #scanHeight: ScanHeight;

  constructor(
    environment: WalletEnvironment,
    params: NetworkParameters,
    sessions: Sessions,
    scanHeight: ScanHeight,
  ) {
    this.#environment = environment;
    this.#params = params;
    this.#sessions = sessions;
    this.#scanHeight = scanHeight;
  }

  current(): Output<'config.get'> {
    const config = this.#environment.configFile.get();
    const header = this.#knownHeader();
    return {
      node_url: config.node_url,
      compact_server_url: config.compact_server_url,
      block_source: config.block_source,
      broadcast: config.broadcast,
      last_scan_height: this.#scanHeight.shown(header) ?? 0,
      theme: config.theme,
      network: config.network,
      birthday_height: header?.birthdayHeight ?? null,
      min_confirmations: config.min_confirmations,
      auto_lock_seconds: config.auto_lock_seconds,
      allowed_origins: [...config.allowed_origins],
    };
  }

  change(changes: Partial<Config>, byOwner = false): Promise<Output<'config.get'>> {
    return this.#sessions.exclusive(async () => {
      await this.#environment.configFile.update(changes, byOwner);
      await this.updateChain();
      const current = this.current();
      this.#environment.emit({ event: 'config.changed', data: current });
      return current;
    });
  }

  /** Does not fail without the chain thread: a new chain thread gets the configuration again. */
  async updateChain(): Promise<void> {
    await this.configureChain().catch((error: unknown) =>
      this.#environment.logFault('wallet.configure_chain', error),
    );
  }

  async configureChain(): Promise<void> {
    const config = this.#environment.configFile.get();
    const header = this.#knownHeader();
    const session = this.#sessions.current;
    await this.#environment.chain.configure({
      network: config.network,
      activation: this.#params.activation,
      nodeUrl: config.node_url,
      nodeCookieFile: config.node_cookie_file,
      namedNodes: this.#environment.configFile.namedNodes(),
      compactServerUrl: config.compact_server_url,
      otherSources: otherSources(this.#environment.configFile),
      dataDir: this.#environment.dataDir,
      configDir: this.#environment.configDir,
      restrictDbPath: config.restrict_db_path,
      compactTailBlocks: config.compact_tail_blocks,
      publicServers: config.public_servers,
      peers: askedPeers(this.#environment.configFile, header?.birthdayHeight ?? null),
      birthdayHeight: header?.birthdayHeight ?? null,
      lastScanHeight: this.#scanHeight.shown(header),
      lastScanTime: session && scannedTime(session.noteStore),
    });
  }

  /** The configuration can be shown in every state of the wallet file. */
  #knownHeader(): WalletHeader | undefined {
    try {
      const { walletFile } = this.#environment;
      const session = this.#sessions.current;
      return session !== undefined && walletFile.exists() ? session.header : walletFile.header();
    } catch {
      return undefined;
    }
  }
}
