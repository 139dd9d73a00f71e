// What a wallet thread asks of the chain side: a client of the context, with the ranges it has open.

import type { Height } from '@wallet-companion/base/values';
import { CompanionError } from '@wallet-companion/client/contract';
import type { BlockHash, TxId } from '@wallet-companion/zcash/identifiers';
import type { Pool } from '@wallet-companion/zcash/pools';
import { unanswered } from '../peers/checkedBlocks.ts';
import { frontierBelow } from '../peers/frontiers.ts';
import type { ChainNode, ChainSource, TransactionService } from '../ports/chainSource.ts';
import type {
  BlockNews,
  BlockTime,
  BlockTreeSizes,
  BlockTreeStates,
  CarriedBy,
  ChainService,
  ChainSettings,
  ChainTip,
  MempoolLook,
  MempoolQuery,
  NextBlock,
  OtherSide,
  ScannedHeight,
  SendOutcome,
  ServedBatch,
  SubtreeRoot,
  TransactionStatus,
  UnspentOutput,
  Upstream,
} from '../ports/types.ts';
import { FetchMeter, loopIdle } from '../ranges/fetchMeter.ts';
import type { RunSource } from '../ranges/rangeRun.ts';
import { checkSendable, checkTxid } from '../source/sending.ts';
import type { ChainClient } from './chainClient.ts';
import type { ChainContext } from './chainContext.ts';

export class ContextChainService implements ChainService {
  protected readonly context: ChainContext;
  readonly #client: ChainClient;
  readonly #isDefaultWallet: boolean;

  /**
   * `isDefaultWallet`: what belongs to the companion as a whole, the servers and which wallet they are held against, the
   * default wallet's thread says for all.
   */
  constructor(context: ChainContext, isDefaultWallet: boolean) {
    this.context = context;
    this.#client = context.newClient();
    this.#isDefaultWallet = isDefaultWallet;
  }

  configure(settings: ChainSettings): Promise<void> {
    if (!this.#isDefaultWallet) return this.walletScanned(settings);
    this.context.configure(settings);
    return Promise.resolve();
  }

  walletScanned(settings: ScannedHeight): Promise<void> {
    if (this.#isDefaultWallet) this.context.walletScanned(settings);
    else {
      this.#client.scannedTo = settings.lastScanHeight;
      this.context.tails.scanned();
    }
    return Promise.resolve();
  }

  /** The wallet thread has ended. */
  leave(): void {
    this.context.leave(this.#client);
  }

  async tip(query: Upstream & { readonly resumeAt?: NextBlock }): Promise<ChainTip> {
    const { source, connection } = this.context.source(query);
    const tip = await this.#askedTip(query, source);
    this.#client.sawTip(connection, tip);
    return tip;
  }

  async #askedTip(
    query: Upstream & { readonly resumeAt?: NextBlock },
    source: ChainSource,
  ): Promise<ChainTip> {
    const asked = source.tip(query.resumeAt);
    // What is stored alone tells nothing of the server.
    if (query.offline === true) return asked;
    const checked = asked.then((tip) =>
      tip.offline === undefined ? this.context.opinion.ofBlock(query.source, tip) : tip,
    );
    const at = this.context.at(query);
    return at === undefined ? checked : this.context.servers.tip(at, checked);
  }

  async peersFrom({ birthday }: { readonly birthday?: Height | undefined }): Promise<Height | null> {
    const frontier = frontierBelow(this.context.current().parameters, birthday);
    return frontier === undefined ? null : frontier.trees.height + 1;
  }

  async blockHash(query: Upstream & { readonly height: Height }): Promise<BlockHash | null> {
    const { source: kind, height } = query;
    return this.context.ask(query, async (source) => {
      const hash = await source.blockHash(height);
      const shown = await this.context.opinion.ofBlock(kind, hash && { height, hash });
      return shown?.hash ?? null;
    });
  }

  async blockTime(query: Upstream & { readonly height: Height }): Promise<BlockTime | null> {
    return this.context.ask(query, (source) => source.blockTime(query.height));
  }

  async treeSizesAt(query: Upstream & { readonly height: Height }): Promise<BlockTreeSizes | null> {
    const url = query.nodeUrl ?? this.context.current().settings.nodeUrl;
    const at = { server: 'node', url, byOwner: query.byOwner } as const;
    return this.context.servers.observed(at, this.context.node(url).treeSizesAt(query.height));
  }

  async treeStates(query: Upstream & { readonly height: Height }): Promise<BlockTreeStates | null> {
    return this.context.ask(query, (source) => source.treeStates(query.height));
  }

  async subtreeRoots(
    query: Upstream & { readonly pool: Pool; readonly count: number },
  ): Promise<readonly SubtreeRoot[]> {
    return this.context.ask(query, (source) => source.subtreeRoots(query.pool, query.count));
  }

  async openRange(query: Parameters<ChainService['openRange']>[0]): Promise<{ readonly rangeId: number }> {
    const { start, end, next } = query;
    if (!isRange(query) || (next !== undefined && !isRange(next)))
      throw new CompanionError('INVALID_RANGE', 'The range of blocks is not valid.');
    const { source, connection, held } = this.context.source(query);
    const blocks = query.byWork === true ? this.context.opinion.blocks() : undefined;
    const at = blocks === undefined ? this.context.at(query) : undefined;
    const openRange: RunSource['open'] =
      blocks === undefined
        ? (first, last, before) => source.openRange(first, last, before)
        : (first, last, before) => blocks.openRange(first, last, before, source);
    this.#client.scannedAt = this.context.environment.now();
    const stream = this.context.ranges.open(
      { start, end, before: query.before, tip: this.#client.tipOf(connection), next },
      { place: blocks ?? connection, offline: query.offline === true, held, open: openRange },
    );
    const meter = new FetchMeter({
      now: this.context.environment.now,
      idle: this.context.environment.loopIdle ?? loopIdle,
      diskMs: () => stream.held.store?.busyMs ?? 0,
      receivedBytes: () => (blocks ?? source).receivedBytes,
    });
    const range = { stream, at, connection, held: stream.held, heights: { start, end }, meter };
    return { rangeId: this.#client.add(range) };
  }

  async nextBatch({ rangeId }: { readonly rangeId: number }): Promise<ServedBatch | null> {
    const range = this.#client.range(rangeId);
    if (range === undefined) {
      throw new CompanionError('THREAD_LOST', 'The range of blocks is no longer open; start the sync again.');
    }
    const { at, stream, meter } = range;
    if (at === undefined) {
      const checked = await meter.waiting(stream.next());
      return checked && { ...checked, costs: meter.costs };
    }
    const source = at.server === 'node' ? 'node' : 'compact';
    const next = stream.next().then((one) => this.context.opinion.ofBatch(source, one));
    const batch = await meter.waiting(this.context.servers.seen(at, next));
    return batch === null ? null : { ...batch, costs: meter.costs };
  }

  closeRange({ rangeId }: { readonly rangeId: number }): Promise<void> {
    const store = this.#client.range(rangeId)?.held.store;
    this.#client.close(rangeId);
    if (store !== undefined) this.context.tails.trim(store);
    this.context.trim();
    return Promise.resolve();
  }

  async newBlock(query: Upstream & { readonly height: Height }): Promise<BlockNews> {
    this.#client.endWait();
    if (query.source === 'node') return 'not offered';
    if (query.source === 'peers') {
      const peers = this.context.opinion.source();
      return this.#client.waitOn(peers, (signal) => peers.newBlock(query.height, signal));
    }
    const connection = this.context.compacts.get(this.context.current().settings.compactServerUrl);
    try {
      return await this.#client.waitOn(connection, (signal) => connection.newBlock(query.height, signal));
    } finally {
      this.context.compacts.trim();
    }
  }

  endWait(): Promise<void> {
    this.#client.endWait();
    return Promise.resolve();
  }

  async mempool(query: Upstream & MempoolQuery): Promise<MempoolLook> {
    // Peers would learn from what is asked of their mempools.
    if (query.source === 'peers') return { offered: false, reason: 'not offered' };
    return this.#atServer(query, (server) => server.mempool(query));
  }

  async rawBlock(
    query: Upstream & { readonly height: Height; readonly hash: BlockHash },
  ): Promise<ArrayBuffer | null> {
    return ownBuffer(await this.context.ask(query, (source) => source.rawBlock(query.height, query.hash)));
  }

  async rawTransaction(query: Upstream & { readonly txid: TxId }): Promise<ArrayBuffer | null> {
    return ownBuffer(await this.context.ask(query, (source) => source.rawTransaction(query.txid)));
  }

  async sendTransaction({
    raw,
    txid,
    ...by
  }: CarriedBy & { readonly raw: Uint8Array; readonly txid: TxId }): Promise<SendOutcome> {
    checkSendable(raw, txid);
    return this.#atCarrier(by, (carrier) => carrier.send(raw, txid));
  }

  async transactionStatus({ txid, ...by }: CarriedBy & { readonly txid: TxId }): Promise<TransactionStatus> {
    checkTxid(txid);
    return this.#atCarrier(by, (carrier) => carrier.transactionStatus(txid));
  }

  async unspentOutputs({
    addresses,
    ...side
  }: OtherSide & { readonly addresses: readonly string[] }): Promise<readonly UnspentOutput[]> {
    return this.#atServer(side, (server) => server.unspentOutputs(addresses));
  }

  #atCarrier<T>(
    { source, server: url = '' }: CarriedBy,
    call: (carrier: Pick<TransactionService, 'send' | 'transactionStatus'>) => Promise<T>,
  ): Promise<T> {
    if (source === 'peers') return call(this.context.opinion.connected());
    if (source !== 'server') return this.#atServer({ source }, call);
    // The owner has named it in config.json, and learns why it fails.
    const at = { server: 'compact_server', url, byOwner: true } as const;
    return this.context.servers.seen(at, call(this.context.compacts.get(url)));
  }

  /** For what no store has: unmined transactions, and addresses. */
  async #atServer<T>(
    side: OtherSide,
    call: (server: TransactionService & Pick<ChainNode, 'mempool'>) => Promise<T>,
  ): Promise<T> {
    const at = this.context.at(side);
    if (at === undefined) throw unanswered('outputs of addresses');
    const { server, url } = at;
    return this.context.servers.seen(
      at,
      call(server === 'node' ? this.context.node(url) : this.context.compacts.get(url)),
    );
  }

  async probeNode(query: { readonly url: string; readonly byOwner?: boolean }): Promise<void> {
    const { url, byOwner = false } = query;
    const node = this.context.node(url, byOwner ? [url] : undefined);
    await this.context.servers.observed({ server: 'node', url, byOwner }, node.tip());
  }
}

const isRange = ({ start, end }: { readonly start: Height; readonly end: Height }): boolean =>
  Number.isSafeInteger(start) && Number.isSafeInteger(end) && start >= 0 && start <= end;

/** An answer that can be moved to another thread: exactly these bytes. */
function ownBuffer(bytes: Uint8Array | null): ArrayBuffer | null {
  return bytes === null ? null : Uint8Array.from(bytes).buffer;
}
