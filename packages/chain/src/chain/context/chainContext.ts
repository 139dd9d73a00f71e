// What the features of the chain actor share, built once: the connections, the compact stores in use, and which wallet
// threads read what, so that no connection or store is closed or changed under a scan.

import { CompanionError, isReadByServerAlone } from '@wallet-companion/client/contract';
import { type NetworkParameters, networkParameters } from '@wallet-companion/zcash/network';
import type { CompactUpstream } from '../compact/compactUpstream.ts';
import type { ChainNode, ChainSource } from '../ports/chainSource.ts';
import type { CompactStore, CompactStorePlace, StoredRange } from '../ports/compactStore.ts';
import type { ChainSettings, ScannedHeight, Upstream } from '../ports/types.ts';
import type { HeldStore } from '../ranges/rangeRun.ts';
import { SharedRanges } from '../ranges/sharedRanges.ts';
import { ChainClient } from './chainClient.ts';
import type { ChainEnvironment, NodeEndpoint } from './chainEnvironment.ts';
import { Connections } from './connections.ts';
import { SecondOpinion } from './secondOpinion.ts';
import { type AskedServer, Servers } from './servers.ts';
import { StoreTails } from './storeTails.ts';

/** A wallet that read a range not longer ago may well read the next one: follow mode backs off to five minutes. */
const SCANS_MS = 600_000;

export class ChainContext {
  readonly environment: ChainEnvironment;
  readonly servers: Servers;
  readonly opinion: SecondOpinion;
  readonly compacts: Connections<string, CompactUpstream>;
  readonly tails: StoreTails;
  readonly ranges: SharedRanges;
  readonly #nodes: Connections<NodeEndpoint, ChainNode>;
  readonly #clients = new Set<ChainClient>();
  /** Stores that are being filled or pruned on request, with the connection that does it. */
  readonly #storesInSync = new Map<CompactStore, object>();
  #configured: { readonly settings: ChainSettings; readonly parameters: NetworkParameters } | undefined;

  constructor(environment: ChainEnvironment) {
    this.environment = environment;
    this.opinion = new SecondOpinion(environment);
    this.servers = new Servers(environment, () => this.opinion.leastTip);
    this.ranges = new SharedRanges(() => this.#severalScan(), environment.after);
    this.tails = new StoreTails({
      settings: () => {
        const { lastScanHeight, compactTailBlocks } = this.#configured?.settings ?? {};
        const tops = [lastScanHeight, ...[...this.#clients].map(({ scannedTo }) => scannedTo)];
        const known = tops.filter((top) => typeof top === 'number');
        return {
          lastScanHeight: known.length === 0 ? undefined : Math.max(...known),
          tailBlocks: compactTailBlocks ?? undefined,
        };
      },
      held: this.heldHeights,
      logFault: environment.logFault,
    });
    const isBusy = (connection: object): boolean => this.#isBusy(connection);
    this.#nodes = new Connections(
      (endpoint) => environment.openNode(endpoint, this.current().parameters),
      isBusy,
    );
    this.compacts = new Connections((url) => environment.openCompact(url, this.current().parameters), isBusy);
  }

  configure(settings: ChainSettings): void {
    const before = this.#configured?.settings;
    const sameChain =
      before !== undefined &&
      before.network === settings.network &&
      JSON.stringify(before.activation) === JSON.stringify(settings.activation);
    if (!sameChain) {
      this.#nodes.clear();
      this.compacts.clear();
    }
    this.#configured = { settings, parameters: networkParameters(settings.network, settings.activation) };
    this.servers.configure(settings);
    this.opinion.configure(settings, this.#configured.parameters);
  }

  /** Before the first configuration there is nothing to change: that one says it too. */
  walletScanned(scanned: ScannedHeight): void {
    this.servers.walletScanned(scanned);
    const { lastScanHeight } = scanned;
    const configured = this.#configured;
    if (configured !== undefined)
      this.#configured = { ...configured, settings: { ...configured.settings, lastScanHeight } };
    this.tails.scanned();
  }

  current(): { readonly settings: ChainSettings; readonly parameters: NetworkParameters } {
    if (this.#configured === undefined) {
      throw new CompanionError('BUSY', 'The companion is still starting. Try again in a moment.');
    }
    return this.#configured;
  }

  place(server: string): CompactStorePlace {
    const { settings, parameters } = this.current();
    const { dataDir, configDir, restrictDbPath, network, compactServerUrl: configuredServer } = settings;
    const { genesisHash } = parameters;
    return { dataDir, configDir, restrictDbPath, network, genesisHash, server, configuredServer };
  }

  compactUrl(input: { readonly compact_server_url?: string | undefined }): string {
    return input.compact_server_url ?? this.current().settings.compactServerUrl;
  }

  /** Undefined: peers of the network, which are no server. */
  at({ source, nodeUrl, byOwner }: Omit<Upstream, 'offline'>): AskedServer | undefined {
    if (source === 'peers') return undefined;
    const { settings } = this.current();
    return source === 'node'
      ? { server: 'node', url: nodeUrl ?? settings.nodeUrl, byOwner }
      : { server: 'compact_server', url: settings.compactServerUrl };
  }

  async ask<T>(query: Upstream, call: (source: ChainSource) => Promise<T>): Promise<T> {
    const at = this.at(query);
    const asked = call(this.source(query).source);
    return at === undefined ? asked : this.servers.observed(at, asked);
  }

  source(query: Upstream): {
    readonly source: ChainSource;
    readonly connection: object;
    readonly held: HeldStore;
  } {
    const { settings } = this.current();
    const held: HeldStore = {};
    if (query.source === 'peers') {
      const peers = this.opinion.source();
      return { source: peers, connection: peers, held };
    }
    if (query.source === 'node') {
      const node = this.node(query.nodeUrl ?? settings.nodeUrl);
      return { source: node, connection: node, held };
    }
    const compact = this.compacts.get(settings.compactServerUrl);
    const { stores } = this.environment;
    // The store is that of this server, also when another one is configured before it is opened.
    const place = this.place(settings.compactServerUrl);
    const storePlace = {
      find: () => stores.find(undefined, place),
      open: () => (held.store = stores.open(undefined, place, this.isStoreBusy)),
    };
    return { source: compact.source(storePlace, query.offline === true), connection: compact, held };
  }

  node(url: string, namedNodes = this.current().settings.namedNodes): ChainNode {
    const { settings } = this.current();
    const isTrusted = mayHaveCookie(url, namedNodes);
    const cookieFile = isTrusted ? settings.nodeCookieFile : null;
    const isCookieWithheld = !isTrusted && settings.nodeCookieFile !== null;
    return this.#nodes.get({ url, cookieFile, isCookieWithheld });
  }

  /** Throws `SYNC_IN_PROGRESS` where another request fills or prunes the store. */
  async alone<T>(store: CompactStore, connection: object, work: () => Promise<T>): Promise<T> {
    if (this.#storesInSync.has(store))
      throw new CompanionError('SYNC_IN_PROGRESS', 'This compact store is being synced or pruned already.');
    this.#storesInSync.set(store, connection);
    try {
      return await work();
    } finally {
      this.#storesInSync.delete(store);
    }
  }

  /** What scans are reading. */
  readonly heldHeights = (store: CompactStore): StoredRange[] =>
    [...this.#clients]
      .flatMap((client) => client.heightsIn(store))
      .concat(this.ranges.heightsAheadIn(store))
      .sort((a, b) => a.start - b.start);

  readonly isStoreBusy = (store: CompactStore): boolean =>
    this.#storesInSync.has(store) ||
    this.tails.isTrimming(store) ||
    this.ranges.heightsAheadIn(store).length > 0 ||
    [...this.#clients].some((client) => client.holds(store));

  newClient(): ChainClient {
    const client = new ChainClient();
    this.#clients.add(client);
    return client;
  }

  leave(client: ChainClient): void {
    this.#clients.delete(client);
    client.leave();
    this.trim();
  }

  trim(): void {
    this.#nodes.trim();
    this.compacts.trim();
  }

  #isBusy(connection: object): boolean {
    return (
      [...this.#storesInSync.values()].includes(connection) ||
      [...this.#clients].some((client) => client.uses(connection))
    );
  }

  #severalScan(): boolean {
    const since = this.environment.now() - SCANS_MS;
    const scanning = [...this.#clients].filter(
      ({ scannedAt }) => scannedAt !== undefined && scannedAt > since,
    );
    return scanning.length > 1;
  }
}

// Which address gets the node's cookie: with the cookie, anyone can control the node.

/**
 * Only an address that config.json or the command line names, never one that a caller set or named in a request, and
 * never in clear over a network.
 */
export function mayHaveCookie(url: string, namedNodes: readonly string[]): boolean {
  const node = tryUrl(url);
  if (node === undefined) return false;
  return isReadByServerAlone(node) && namedNodes.some((named) => tryUrl(named)?.href === node.href);
}

const tryUrl = (text: string): URL | undefined => (URL.canParse(text) ? new URL(text) : undefined);
