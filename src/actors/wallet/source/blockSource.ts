// Where blocks come from for a call without a source of its own: block_source of config.json. `auto` is replaced there by the first
// choice, so that a node that restarts never sends the next call to a stranger.

import type { Height } from '@wallet-companion/base/values';
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
  setting === 'auto' ? 'node' : setting;

/** What can verify what a compact server said: the node, where blocks come from it or its address is set, else peers. */
export function verifyingSource(configFile: SourceEnvironment['configFile']): Verifier {
  if (rememberedSource(configFile.get()) === 'node' || configFile.isSet('node_url')) return 'node';
  return arePeersAsked(configFile) ? 'work' : null;
}

/**
 * Whether peers of the network are asked, those that the owner names, and from where on blocks are read from them. `birthday`: of
 * the default wallet.
 */
export function askedPeers(
  configFile: SourceEnvironment['configFile'],
  birthday: Height | null,
): NonNullable<ChainSettings['peers']> {
  const { peers } = configFile.get();
  return {
    isOn: arePeersAsked(configFile),
    named: typeof peers === 'object' ? peers : [],
    ...(isFromPeers(configFile) && { readFrom: birthday }),
  };
}

function arePeersAsked(configFile: SourceEnvironment['configFile']): boolean {
  const { peers, broadcast, block_source: source, network } = configFile.get();
  if (typeof peers === 'object') return true;
  if (peers !== 'auto') return peers;
  const hasNode = source === 'node' || (source === 'auto' && configFile.isSet('node_url'));
  // Regtest has no peers but those that the owner names.
  return [broadcast, source].includes('peers') || (!hasNode && network !== 'regtest');
}

/** The owner has turned peers on, or named some. */
function hasOwnPeers(configFile: SourceEnvironment['configFile']): boolean {
  const { peers } = configFile.get();
  return peers === true || typeof peers === 'object';
}

/** Neither is a source chosen, nor is a server set. */
const isOpen = (configFile: SourceEnvironment['configFile']): boolean =>
  configFile.get().block_source === 'auto' &&
  !configFile.isSet('node_url') &&
  !configFile.isSet('compact_server_url');

/** Whether blocks come from peers, or the first use may choose them. */
const isFromPeers = (configFile: SourceEnvironment['configFile']): boolean =>
  configFile.get().block_source === 'peers' || (isOpen(configFile) && hasOwnPeers(configFile));

/** What the failure of a server may name in its place: servers that are set, or peers where nothing is. */
export function otherSources(configFile: SourceEnvironment['configFile']): readonly Source[] {
  const keys = { node: 'node_url', compact: 'compact_server_url' } as const;
  const set = (['node', 'compact'] as const).filter((source) => configFile.isSet(keys[source]));
  return isOpen(configFile) && arePeersAsked(configFile) ? ['peers'] : set;
}

/**
 * Undefined where nothing is configured and no node answers. Peers need the owner's word: they send gigabytes before the first
 * balance, have no trees for older wallets, and do not give all that a payment needs.
 */
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
    if (configFile.isSet('compact_server_url')) return 'compact';
    return hasOwnPeers(configFile) ? 'peers' : undefined;
  }
}
