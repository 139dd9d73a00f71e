// Where blocks come from for a call without a source of its own: block_source of config.json. `auto` is replaced there by the first
// choice, so that a node that restarts never sends the next call to a stranger.

import type { CarriedBy, ChainSettings, Source } from '@wallet-companion/chain/ports';
import { CompanionError, type ErrorCode } from '../../../protocol/errors.ts';
import type { Config } from '../ports/configFile.ts';
import type { Verifier } from '../ports/noteDatabase.ts';
import type { WalletEnvironment } from '../ports/walletEnvironment.ts';

export type SourceEnvironment = Pick<WalletEnvironment, 'chain' | 'configFile'>;

/** No node of this network is at the default address. Other failures leave that open, and nothing is chosen. */
const NO_NODE: ReadonlySet<ErrorCode> = new Set([
  'NODE_UNREACHABLE',
  'NODE_BAD_RESPONSE',
  'NETWORK_MISMATCH',
  'UPSTREAM_TIMEOUT',
]);

/** `given`: the call's own source. */
export async function blockSource(environment: SourceEnvironment, given?: Source): Promise<Source> {
  if (given !== undefined) return given;
  const { configFile } = environment;
  const { block_source: setting } = configFile.get();
  if (setting !== 'auto') return setting;
  const chosen = await choose(environment);
  return chosen === undefined ? 'node' : configFile.chooseSource(chosen);
}

/** Who passes a payment on. `given`: the call's own. */
export async function carrier(environment: SourceEnvironment, given?: CarriedBy): Promise<CarriedBy> {
  if (given !== undefined) return given;
  const { broadcast } = environment.configFile.get();
  if (broadcast === 'source') return { source: await blockSource(environment) };
  return broadcast === 'peers' ? { source: 'peers' } : { source: 'server', server: broadcast };
}

/** The source that is remembered, without choosing one. */
export const rememberedSource = ({ block_source: setting }: Pick<Config, 'block_source'>): Source =>
  setting === 'compact' ? 'compact' : 'node';

/** What can verify what a compact server said: the node, where blocks come from it or its address is set, else peers. */
export function verifyingSource(configFile: SourceEnvironment['configFile']): Verifier {
  if (rememberedSource(configFile.get()) === 'node' || configFile.isSet('node_url')) return 'node';
  return askedPeers(configFile).isOn ? 'work' : null;
}

/** Whether peers of the network are asked, and those that the owner names. */
export function askedPeers(configFile: SourceEnvironment['configFile']): NonNullable<ChainSettings['peers']> {
  const { peers, broadcast, block_source: source, network } = configFile.get();
  if (typeof peers === 'object') return { isOn: true, named: peers };
  if (peers !== 'auto') return { isOn: peers, named: [] };
  const hasNode = source === 'node' || (source === 'auto' && configFile.isSet('node_url'));
  // Regtest has no peers but those that the owner names.
  return { isOn: broadcast === 'peers' || (!hasNode && network !== 'regtest'), named: [] };
}

/** Undefined where nothing is configured and no node answers. */
async function choose({ chain, configFile }: SourceEnvironment): Promise<Source | undefined> {
  if (configFile.isSet('node_url')) return 'node';
  try {
    await chain.tip({ source: 'node' });
    return 'node';
  } catch (error) {
    const code = error instanceof CompanionError ? error.code : undefined;
    // It answers, and wants its cookie.
    if (code === 'NODE_UNAUTHORIZED') return 'node';
    if (code === undefined || !NO_NODE.has(code)) return undefined;
    return configFile.isSet('compact_server_url') ? 'compact' : undefined;
  }
}
