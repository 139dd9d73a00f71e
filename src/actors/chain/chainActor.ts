// The chain actor: the only part that talks to chain nodes and compact servers, and the owner of the compact store. It
// knows no wallet and no key. Every method takes and returns plain data, so that it can run in its own thread.

import { type BlockHash, blockHashToHex, type TxId } from '@wallet-companion/shielded/identifiers';
import { type NetworkParameters, networkParameters } from '@wallet-companion/shielded/network';
import type { Pool } from '@wallet-companion/shielded/pools';
import type { Height } from '@wallet-companion/shielded/values';
import { dispatchMessage } from '../../protocol/dispatch.ts';
import { CompanionError } from '../../protocol/errors.ts';
import type { HandlerContext, Handlers, Input, Output } from '../../protocol/operations.ts';
import type { Result } from '../../protocol/result.ts';
import { planSync } from '../../protocol/syncRange.ts';
import { Asker, type HeldStore } from './asker.ts';
import type { ChainEnvironment, NodeEndpoint } from './chainEnvironment.ts';
import type { CompactUpstream } from './compact/compactUpstream.ts';
import { Connections } from './connections.ts';
import { FetchMeter, loopIdle } from './fetchMeter.ts';
import { pruneOnRequest } from './lwd/prune.ts';
import { infoView, unscannedView } from './lwd/views.ts';
import { mayHaveCookie } from './nodeCookie.ts';
import type { ChainNode, ChainSource, TransactionDesk } from './ports/chainSource.ts';
import type {
  CompactStore,
  CompactStorePlace,
  CompactStoreSummary,
  StoredRange,
} from './ports/compactStore.ts';
import type {
  BlockNews,
  BlockTreeSizes,
  BlockTreeStates,
  ChainService,
  ChainSettings,
  ChainTip,
  MempoolLook,
  MempoolQuery,
  NextBlock,
  OtherSide,
  SendOutcome,
  ServedBatch,
  SubtreeRoot,
  TransactionStatus,
  Upstream,
} from './ports/types.ts';
import type { RunSource } from './rangeRun.ts';
import { type AskedServer, Servers } from './servers.ts';
import { SharedRanges } from './sharedRanges.ts';
import { checkSendable, checkTxid } from './source/sending.ts';
import { StoreTails } from './storeTails.ts';

/** A wallet that read a range less than this ago may well read the next one: follow mode backs off to five minutes. */
const SCANS_MS = 600_000;

/** A wallet thread's access to the chain side; the thread leaves when it ends. */
export interface AskingChain extends ChainService {
  leave(): void;
}

export class ChainActor implements ChainService {
  readonly #environment: ChainEnvironment;
  readonly #nodes: Connections<NodeEndpoint, ChainNode>;
  readonly #compacts: Connections<string, CompactUpstream>;
  /** The callers: each wallet thread, and direct callers of this actor. */
  readonly #askers = new Set<Asker>();
  readonly #itself = this.#newAsker();
  /** Stores that are being filled or pruned on request, with the connection that does it. */
  readonly #storesInSync = new Map<CompactStore, object>();
  readonly #handlers: Handlers<'chain'>;
  readonly #servers: Servers;
  readonly #tails: StoreTails;
  readonly #ranges: SharedRanges;
  #configured: { readonly settings: ChainSettings; readonly parameters: NetworkParameters } | undefined;

  constructor(environment: ChainEnvironment) {
    this.#environment = environment;
    this.#servers = new Servers(environment);
    this.#ranges = new SharedRanges(() => this.#severalScan(), environment.after);
    this.#tails = new StoreTails({
      settings: () => {
        const { lastScanHeight, compactTailBlocks } = this.#configured?.settings ?? {};
        const tops = [lastScanHeight, ...[...this.#askers].map(({ scannedTo }) => scannedTo)];
        const known = tops.filter((top) => typeof top === 'number');
        return {
          lastScanHeight: known.length === 0 ? undefined : Math.max(...known),
          tailBlocks: compactTailBlocks ?? undefined,
        };
      },
      held: this.#heldHeights,
      logFault: environment.logFault,
    });
    this.#nodes = new Connections(
      (endpoint) => environment.openNode(endpoint, this.#current().parameters),
      this.#isBusy,
    );
    this.#compacts = new Connections(
      (url) => environment.openCompact(url, this.#current().parameters),
      this.#isBusy,
    );
    this.#handlers = {
      'lwd.info': (input, context) => this.#lwdInfo(input, context),
      'lwd.chain_tip': (input, context) => this.#lwdChainTip(input, context),
      'lwd.sync_compact': (input, context) => this.#lwdSyncCompact(input, context),
      'lwd.prune': (input) => this.#lwdPrune(input),
      'system.status': (input) => this.#status(input),
    };
  }

  /** One message from the main thread: `{name, input, requestId}`. Never throws. */
  dispatch(message: unknown): Promise<Result<unknown>> {
    return dispatchMessage('chain', this.#handlers, message, { logFault: this.#environment.logFault });
  }

  /**
   * For one wallet thread. The default wallet's thread alone sets what concerns the whole companion: the servers, and
   * the wallet with which they are compared.
   */
  asking(isDefaultWallet: boolean): AskingChain {
    const asker = this.#newAsker();
    const scanned = ({ lastScanHeight }: Pick<ChainSettings, 'lastScanHeight'>): Promise<void> => {
      asker.scannedTo = lastScanHeight;
      this.#tails.scanned();
      return Promise.resolve();
    };
    return {
      configure: isDefaultWallet ? (settings) => this.configure(settings) : scanned,
      walletScanned: isDefaultWallet ? (settings) => this.walletScanned(settings) : scanned,
      tip: (query) => this.tip(query, asker),
      blockHash: (query) => this.blockHash(query),
      treeSizesAt: (query) => this.treeSizesAt(query),
      treeStates: (query) => this.treeStates(query),
      subtreeRoots: (query) => this.subtreeRoots(query),
      openRange: (query) => this.openRange(query, asker),
      nextBatch: (query) => this.nextBatch(query, asker),
      closeRange: (query) => this.closeRange(query, asker),
      newBlock: (query) => this.newBlock(query, asker),
      endWait: () => this.endWait(asker),
      mempool: (query) => this.mempool(query),
      rawBlock: (query) => this.rawBlock(query),
      rawTransaction: (query) => this.rawTransaction(query),
      sendTransaction: (query) => this.sendTransaction(query),
      transactionStatus: (query) => this.transactionStatus(query),
      probeNode: (query) => this.probeNode(query),
      leave: () => {
        this.#askers.delete(asker);
        asker.leave();
        this.#trim();
      },
    };
  }

  configure(settings: ChainSettings): Promise<void> {
    const before = this.#configured?.settings;
    const sameChain =
      before !== undefined &&
      before.network === settings.network &&
      JSON.stringify(before.activation) === JSON.stringify(settings.activation);
    if (!sameChain) {
      this.#nodes.clear();
      this.#compacts.clear();
    }
    this.#configured = { settings, parameters: networkParameters(settings.network, settings.activation) };
    this.#servers.configure(settings);
    if (!sameChain) this.#claimStore(settings.compactServerUrl);
    return Promise.resolve();
  }

  /** Before the first configuration there is nothing to change: the configuration contains the height as well. */
  walletScanned({ lastScanHeight }: Pick<ChainSettings, 'lastScanHeight'>): Promise<void> {
    this.#servers.walletScanned(lastScanHeight);
    const configured = this.#configured;
    if (configured !== undefined)
      this.#configured = { ...configured, settings: { ...configured.settings, lastScanHeight } };
    this.#tails.scanned();
    return Promise.resolve();
  }

  async tip(query: Upstream & { readonly resumeAt?: NextBlock }, asker = this.#itself): Promise<ChainTip> {
    const { source, connection } = this.#sourceAndConnection(query);
    const tip = await this.#askedTip(query, source);
    asker.sawTip(connection, tip);
    return tip;
  }

  async #askedTip(
    query: Upstream & { readonly resumeAt?: NextBlock },
    source: ChainSource,
  ): Promise<ChainTip> {
    const asked = source.tip(query.resumeAt);
    // A result from the store alone shows nothing about the server.
    return query.offline === true ? asked : this.#servers.tip(this.#at(query), asked);
  }

  async blockHash(query: Upstream & { readonly height: Height }): Promise<BlockHash | null> {
    return this.#ask(query, (source) => source.blockHash(query.height));
  }

  async treeSizesAt(query: Upstream & { readonly height: Height }): Promise<BlockTreeSizes | null> {
    const at = this.#at({ ...query, source: 'node' });
    return this.#servers.told(at, this.#node(at.url).treeSizesAt(query.height));
  }

  async treeStates(query: Upstream & { readonly height: Height }): Promise<BlockTreeStates | null> {
    return this.#ask(query, (source) => source.treeStates(query.height));
  }

  async subtreeRoots(
    query: Upstream & { readonly pool: Pool; readonly count: number },
  ): Promise<readonly SubtreeRoot[]> {
    return this.#ask(query, (source) => source.subtreeRoots(query.pool, query.count));
  }

  async openRange(
    query: Parameters<ChainService['openRange']>[0],
    asker = this.#itself,
  ): Promise<{ readonly rangeId: number }> {
    const { start, end, next } = query;
    if (!isRange(query) || (next !== undefined && !isRange(next)))
      throw new CompanionError('INVALID_RANGE', 'The range of blocks is not valid.');
    const { source, connection, held } = this.#sourceAndConnection(query);
    const at = this.#at(query);
    asker.scannedAt = this.#environment.now();
    const stream = this.#ranges.open(
      { start, end, before: query.before, tip: asker.tipOf(connection), next },
      { place: connection, offline: query.offline === true, held, open: openOf(source) },
    );
    const meter = new FetchMeter({
      now: this.#environment.now,
      idle: this.#environment.loopIdle ?? loopIdle,
      diskMs: () => stream.held.store?.busyMs ?? 0,
      receivedBytes: () => source.receivedBytes,
    });
    const range = { stream, at, connection, held: stream.held, heights: { start, end }, meter };
    return { rangeId: asker.add(range) };
  }

  async nextBatch(
    { rangeId }: { readonly rangeId: number },
    asker = this.#itself,
  ): Promise<ServedBatch | null> {
    const range = asker.range(rangeId);
    if (range === undefined) {
      throw new CompanionError('THREAD_LOST', 'The range of blocks is no longer open; start the sync again.');
    }
    const { at, stream, meter } = range;
    const batch = await meter.waiting(this.#servers.seen(at, stream.next()));
    return batch === null ? null : { ...batch, costs: meter.costs };
  }

  closeRange({ rangeId }: { readonly rangeId: number }, asker = this.#itself): Promise<void> {
    const store = asker.range(rangeId)?.held.store;
    asker.close(rangeId);
    if (store !== undefined) this.#tails.trim(store);
    this.#trim();
    return Promise.resolve();
  }

  /** Settles when no more blocks are being removed after scans; for tests. */
  trimmed(): Promise<void> {
    return this.#tails.settled();
  }

  async newBlock(query: Upstream & { readonly height: Height }, asker = this.#itself): Promise<BlockNews> {
    asker.endWait();
    if (query.source === 'node') return 'not offered';
    const connection = this.#compacts.get(this.#current().settings.compactServerUrl);
    try {
      return await asker.waitOn(connection, (signal) => connection.newBlock(query.height, signal));
    } finally {
      this.#compacts.trim();
    }
  }

  endWait(asker = this.#itself): Promise<void> {
    asker.endWait();
    return Promise.resolve();
  }

  async mempool(query: Upstream & MempoolQuery): Promise<MempoolLook> {
    return this.#atServer(query, (server) => server.mempool(query));
  }

  async rawBlock(
    query: Upstream & { readonly height: Height; readonly hash: BlockHash },
  ): Promise<ArrayBuffer | null> {
    return ownBuffer(await this.#ask(query, (source) => source.rawBlock(query.height, query.hash)));
  }

  async rawTransaction(query: Upstream & { readonly txid: TxId }): Promise<ArrayBuffer | null> {
    return ownBuffer(await this.#ask(query, (source) => source.rawTransaction(query.txid)));
  }

  async sendTransaction({
    raw,
    txid,
    ...side
  }: OtherSide & { readonly raw: Uint8Array; readonly txid: TxId }): Promise<SendOutcome> {
    checkSendable(raw, txid);
    return this.#atServer(side, (server) => server.send(raw, txid));
  }

  async transactionStatus({
    txid,
    ...side
  }: OtherSide & { readonly txid: TxId }): Promise<TransactionStatus> {
    checkTxid(txid);
    return this.#atServer(side, (server) => server.transactionStatus(txid));
  }

  /** For unmined transactions, which no store has. */
  #atServer<T>(
    side: OtherSide,
    call: (server: TransactionDesk & Pick<ChainNode, 'mempool'>) => Promise<T>,
  ): Promise<T> {
    const at = this.#at(side);
    const { server, url } = at;
    return this.#servers.seen(at, call(server === 'node' ? this.#node(url) : this.#compacts.get(url)));
  }

  async probeNode(query: { readonly url: string; readonly byOwner?: boolean }): Promise<void> {
    const { url, byOwner = false } = query;
    const node = this.#node(url, byOwner ? [url] : undefined);
    await this.#servers.told({ server: 'node', url, byOwner }, node.tip());
  }

  async #status({ known = false }: Input<'system.status'>): Promise<Output<'system.status'>> {
    const { network, nodeUrl, compactServerUrl } = this.#current().settings;
    const status = await this.#servers.status(known, {
      node: () => this.tip({ source: 'node', nodeUrl }),
      compact_server: () =>
        this.#servers.tip(
          { server: 'compact_server', url: compactServerUrl },
          this.#compacts.get(compactServerUrl).tip(),
        ),
    });
    return { network, ...status };
  }

  async #lwdInfo(input: Input<'lwd.info'>, { byOwner }: HandlerContext): Promise<Output<'lwd.info'>> {
    const url = this.#compactUrl(input);
    const store = this.#environment.stores.find(input.db_path, this.#place(url));
    const at = { server: 'compact_server', url, byOwner } as const;
    const info = await this.#servers.seen(at, this.#compacts.get(url).info());
    return infoView(info, url, store?.summary());
  }

  async #lwdChainTip(
    input: Input<'lwd.chain_tip'>,
    { byOwner }: HandlerContext,
  ): Promise<Output<'lwd.chain_tip'>> {
    const url = this.#compactUrl(input);
    const store = this.#environment.stores.find(input.db_path, this.#place(url));
    const at = { server: 'compact_server', url, byOwner } as const;
    const { height, hash } = await this.#servers.tip(at, this.#compacts.get(url).tip());
    return {
      height,
      hash: blockHashToHex(hash),
      compact_server_url: url,
      stored_height: store?.summary().lastHeight ?? null,
    };
  }

  async #lwdSyncCompact(
    input: Input<'lwd.sync_compact'>,
    { byOwner }: HandlerContext,
  ): Promise<Output<'lwd.sync_compact'>> {
    const began = this.#environment.now();
    const url = this.#compactUrl(input);
    const compact = this.#compacts.get(url);
    const at = { server: 'compact_server', url, byOwner } as const;
    const { stores } = this.#environment;
    // A bad path is reported before any request, and a file is made only after the server has answered.
    if (stores.find(input.db_path, this.#place(url)) === undefined)
      await this.#servers.told(at, compact.tip());
    const store = stores.open(input.db_path, this.#place(url), this.#isStoreBusy);
    this.#requireNoSync(store);
    this.#storesInSync.set(store, compact);
    try {
      return await this.#syncStore(input, at, compact, store, began);
    } finally {
      this.#storesInSync.delete(store);
    }
  }

  async #syncStore(
    input: Input<'lwd.sync_compact'>,
    at: AskedServer,
    compact: CompactUpstream,
    store: CompactStore,
    began: number,
  ): Promise<Output<'lwd.sync_compact'>> {
    const { settings, parameters } = this.#current();
    const { sapling } = parameters.activation;
    let coversRequest = false;
    const plan = (tip: ChainTip): StoredRange => {
      const { lastHeight } = store.summary();
      if (input.start_height === undefined && lastHeight !== null && lastHeight > tip.height) {
        throw new CompanionError(
          'NODE_BEHIND',
          `The compact server is at height ${tip.height}, below the stored ${lastHeight}. Wait until it has caught up, or use another one.`,
        );
      }
      const top = lastHeight ?? (settings.birthdayHeight ?? sapling) - 1;
      const planned = planSync(
        { start: input.start_height, end: input.end_height },
        { lastScanHeight: top, missing: [], saplingActivation: sapling, tip: tip.height },
      );
      coversRequest = planned.coversRequest;
      return planned.ranges[0] ?? { start: planned.start, end: planned.start - 1 };
    };
    const update = await this.#servers.seen(at, compact.update(store, plan));
    const { range, tip, reorg } = update;
    const summary = store.summary();
    return {
      start_height: range.start,
      end_height: range.end,
      blocks_stored: update.blocks,
      bytes: update.bytes,
      chain_tip: tip.height,
      next_start_height: range.end + 1,
      range_complete: coversRequest && !hasHoleBelow(summary, input),
      caught_up: (summary.lastHeight ?? -1) >= tip.height,
      reorg: reorg === null ? null : { fork_height: reorg.forkHeight, depth: reorg.depth },
      unscanned: unscannedView(summary, settings.lastScanHeight, reorg),
      db_path: summary.path,
      elapsed_ms: Math.round(this.#environment.now() - began),
    };
  }

  async #lwdPrune(input: Input<'lwd.prune'>): Promise<Output<'lwd.prune'>> {
    const store = this.#environment.stores.find(input.db_path, this.#place(this.#compactUrl(input)));
    const { now } = this.#environment;
    if (store === undefined) return pruneOnRequest(store, input, { now, held: () => [] });
    this.#requireNoSync(store);
    this.#storesInSync.set(store, {});
    try {
      return await pruneOnRequest(store, input, { now, held: () => this.#heldHeights(store) });
    } finally {
      this.#storesInSync.delete(store);
    }
  }

  #requireNoSync(store: CompactStore): void {
    if (!this.#storesInSync.has(store)) return;
    throw new CompanionError('SYNC_IN_PROGRESS', 'This compact store is being synced or pruned already.');
  }

  #current(): { readonly settings: ChainSettings; readonly parameters: NetworkParameters } {
    if (this.#configured === undefined) {
      throw new CompanionError('BUSY', 'The companion is still starting. Try again in a moment.');
    }
    return this.#configured;
  }

  #place(server: string): CompactStorePlace {
    const { settings, parameters } = this.#current();
    const { dataDir, configDir, restrictDbPath, network, compactServerUrl: configuredServer } = settings;
    const { genesisHash } = parameters;
    return { dataDir, configDir, restrictDbPath, network, genesisHash, server, configuredServer };
  }

  /** Runs before another server can be configured over HTTP. Errors of the file are reported when it is used. */
  #claimStore(server: string): void {
    try {
      this.#environment.stores.claim(this.#place(server));
    } catch (error) {
      this.#environment.logFault('chain.claim_store', error);
    }
  }

  #compactUrl(input: { readonly compact_server_url?: string | undefined }): string {
    return input.compact_server_url ?? this.#current().settings.compactServerUrl;
  }

  #at({ source, nodeUrl, byOwner }: Omit<Upstream, 'offline'>): AskedServer {
    const { settings } = this.#current();
    return source === 'node'
      ? { server: 'node', url: nodeUrl ?? settings.nodeUrl, byOwner }
      : { server: 'compact_server', url: settings.compactServerUrl };
  }

  #ask<T>(query: Upstream, call: (source: ChainSource) => Promise<T>): Promise<T> {
    return this.#servers.told(this.#at(query), call(this.#sourceAndConnection(query).source));
  }

  #sourceAndConnection(query: Upstream): {
    readonly source: ChainSource;
    readonly connection: object;
    readonly held: HeldStore;
  } {
    const { settings } = this.#current();
    const held: HeldStore = {};
    if (query.source === 'node') {
      const node = this.#node(query.nodeUrl ?? settings.nodeUrl);
      return { source: node, connection: node, held };
    }
    const compact = this.#compacts.get(settings.compactServerUrl);
    const { stores } = this.#environment;
    // The store belongs to this server, also when another one is configured before the store is opened.
    const place = this.#place(settings.compactServerUrl);
    const storePlace = {
      find: () => stores.find(undefined, place),
      open: () => (held.store = stores.open(undefined, place, this.#isStoreBusy)),
    };
    return { source: compact.source(storePlace, query.offline === true), connection: compact, held };
  }

  #node(url: string, namedNodes = this.#current().settings.namedNodes): ChainNode {
    const { settings } = this.#current();
    const isTrusted = mayHaveCookie(url, namedNodes);
    const cookieFile = isTrusted ? settings.nodeCookieFile : null;
    const isCookieWithheld = !isTrusted && settings.nodeCookieFile !== null;
    return this.#nodes.get({ url, cookieFile, isCookieWithheld });
  }

  readonly #isBusy = (connection: object): boolean =>
    [...this.#storesInSync.values()].includes(connection) ||
    [...this.#askers].some((asker) => asker.uses(connection));

  /** The heights that scans are reading. */
  readonly #heldHeights = (store: CompactStore): StoredRange[] =>
    [...this.#askers]
      .flatMap((asker) => asker.heightsIn(store))
      .concat(this.#ranges.heightsAheadIn(store))
      .sort((a, b) => a.start - b.start);

  readonly #isStoreBusy = (store: CompactStore): boolean =>
    this.#storesInSync.has(store) ||
    this.#tails.isTrimming(store) ||
    this.#ranges.heightsAheadIn(store).length > 0 ||
    [...this.#askers].some((asker) => asker.holds(store));

  #severalScan(): boolean {
    const since = this.#environment.now() - SCANS_MS;
    const scanning = [...this.#askers].filter(
      ({ scannedAt }) => scannedAt !== undefined && scannedAt > since,
    );
    return scanning.length > 1;
  }

  #newAsker(): Asker {
    const asker = new Asker();
    this.#askers.add(asker);
    return asker;
  }

  #trim(): void {
    this.#nodes.trim();
    this.#compacts.trim();
  }
}

const isRange = ({ start, end }: { readonly start: Height; readonly end: Height }): boolean =>
  Number.isSafeInteger(start) && Number.isSafeInteger(end) && start >= 0 && start <= end;

const openOf =
  (source: ChainSource): RunSource['open'] =>
  (start, end, before) =>
    source.openRange(start, end, before);

/** An end without a start asks for everything up to there, but only the part above the store's top is fetched. */
const hasHoleBelow = (
  { missingRanges }: CompactStoreSummary,
  { start_height: start, end_height: end }: Input<'lwd.sync_compact'>,
): boolean => start === undefined && end !== undefined && missingRanges.some((range) => range.start <= end);

/** A buffer of exactly these bytes, which can be moved to another thread. */
function ownBuffer(bytes: Uint8Array | null): ArrayBuffer | null {
  return bytes === null ? null : Uint8Array.from(bytes).buffer;
}
