// Full blocks from a chain node: several fetched at a time, delivered in order, each parsed for its identity and
// checked to link to the one before it. One request a block: the link check makes a second one (for the hash) needless.

import { integers, mapInOrder } from '@wallet-companion/base/async';
import { equalBytes, FormatError } from '@wallet-companion/base/bytes';
import type { WayTo } from '@wallet-companion/base/proxy';
import type { Height } from '@wallet-companion/base/values';
import { CompanionError } from '@wallet-companion/client/contract';
import { type BlockSummary, summarizeRawBlock } from '@wallet-companion/zcash/blocks';
import { type BlockHash, blockHashToHex, type TxId } from '@wallet-companion/zcash/identifiers';
import { MAIN, type NetworkParameters, regtestParameters, TEST } from '@wallet-companion/zcash/network';
import type { Pool, TreeSizes } from '@wallet-companion/zcash/pools';
import type { BlockBatch } from '@wallet-companion/zcash/scan';
import { equalSizes } from '@wallet-companion/zcash/trees';
import type { BlockStream, ChainNode, SourceTip } from '../ports/chainSource.ts';
import type {
  BlockTime,
  BlockTreeSizes,
  BlockTreeStates,
  MempoolLook,
  MempoolQuery,
  ScannedBefore,
  SendOutcome,
  SubtreeRoot,
  TransactionStatus,
  UnspentOutput,
} from '../ports/types.ts';
import { openBatchStream } from '../source/blockPacking.ts';
import { AnswerTooLarge } from '../source/callFailures.ts';
import { type FullBlock, type PackedBatch, packFullBlocks } from '../source/fullBlockPacking.ts';
import { txidOf } from '../source/mempoolPacking.ts';
import { parseAccepted, parseRefused } from '../source/sending.ts';
import {
  checkChainName,
  checkUpgrades,
  impossibleTip,
  networkMismatch,
  type WallClock,
} from '../source/serverChecks.ts';
import { collectSubtreeRoots } from '../source/subtreeRoots.ts';
import { collectOutputs, NO_ADDRESS_INDEX, NO_PIECES } from '../source/unspentOutputs.ts';
import { JsonRpcClient, type JsonRpcEndpoint, JsonRpcRefusal } from './jsonRpc.ts';
import { nodeMempool } from './nodeMempool.ts';
import { type NodeChainInfo, NodeRpc } from './nodeRpc.ts';
import { nodeTreeSizesBefore } from './nodeTreeSizes.ts';

/** Blocks requested and not yet packed: hides the latency of a remote node, and holds at most 8 x 2 MB. */
const FETCH_WINDOW = 8;

/** An hour's blocks. */
const SUPPORT_BLOCKS = 144;

export class NodeSource implements ChainNode {
  readonly #rpc: NodeRpc;
  readonly #parameters: NetworkParameters;
  readonly #wallClock: WallClock;
  /** Holds until a call fails: another node may have replaced this one behind the same URL. */
  #networkChecked = false;
  #support: { readonly end: Height | undefined; readonly askedAt: Height } | undefined;

  constructor(rpc: NodeRpc, parameters: NetworkParameters, wallClock: WallClock = Date.now) {
    this.#rpc = rpc;
    this.#parameters = parameters;
    this.#wallClock = wallClock;
  }

  async tip(): Promise<SourceTip> {
    const info = await this.#checkedInfo();
    const impossible = impossibleTip(info.height, this.#parameters, this.#wallClock, 'node');
    if (impossible !== undefined) throw this.#bad(impossible);
    const hash = info.bestHash ?? (await this.#rpc.bestBlockHash());
    const { height, unknownUpgrade } = info;
    const endOfSupport = await this.#endOfSupport(height);
    const { date } = this.#rpc;
    return {
      height,
      hash,
      ...(unknownUpgrade === undefined ? {} : { unknownUpgrade }),
      ...(endOfSupport === undefined ? {} : { endOfSupport }),
      ...(date === undefined ? {} : { shown: { by: 'date', at: date } }),
    };
  }

  /** Asked again now and then: the node may have been updated. A failure of this alone is no failure of the tip. */
  async #endOfSupport(tip: Height): Promise<Height | undefined> {
    if (this.#parameters.network !== 'main') return undefined;
    if (this.#support === undefined || tip >= this.#support.askedAt + SUPPORT_BLOCKS) {
      const end = await this.#rpc.endOfSupport().catch(() => undefined);
      this.#support = { end, askedAt: tip };
    }
    return this.#support.end;
  }

  blockHash(height: Height): Promise<BlockHash | null> {
    return this.#onNetwork(async () => {
      const hash = await this.#rpc.blockHash(height);
      if (hash !== null || height > (await this.#rpc.chainInfo()).height) return hash;
      // Some nodes report no hash by height: it is in the block.
      return (await this.#fetchBlock(height))?.summary.hash ?? null;
    });
  }

  blockTime(height: Height): Promise<BlockTime | null> {
    return this.#onNetwork(async () => (await this.#fetchBlock(height))?.summary ?? null);
  }

  /** Both from one answer, where the node names the block. */
  treeSizesAt(height: Height): Promise<BlockTreeSizes | null> {
    return this.#onNetwork(async () => {
      const reported = (await this.#rpc.blockTreeSizes(height)) ?? (await this.#rpc.treeStateSizes(height));
      const hash = reported?.hash ?? (await this.blockHash(height));
      if (hash === null) return null;
      if (reported === null)
        throw this.#bad(`does not tell the note commitment tree sizes after block ${height}`);
      return { hash, treeSizes: reported.sizes };
    });
  }

  treeStates(height: Height): Promise<BlockTreeStates | null> {
    return this.#onNetwork(async () => {
      const reported = await this.#rpc.treeStates(height);
      if (reported === null) {
        if (height > (await this.#rpc.chainInfo()).height) return null;
        throw this.#bad(`does not tell the note commitment trees after block ${height}`);
      }
      const hash = reported.hash ?? (await this.blockHash(height));
      return hash === null ? null : { ...reported, hash };
    });
  }

  subtreeRoots(pool: Pool, count: number): Promise<readonly SubtreeRoot[]> {
    return this.#onNetwork(() =>
      collectSubtreeRoots(nodeName(this.#rpc), 'NODE_BAD_RESPONSE', count, (start, limit) =>
        this.#rpc.subtreeRoots(pool, start, limit),
      ),
    );
  }

  openRange(start: number, end: number, before?: ScannedBefore): BlockStream {
    return openBatchStream((signal) => this.#batches({ start, end }, before, signal));
  }

  rawBlock(height: Height, hash: BlockHash): Promise<Uint8Array | null> {
    return this.#onNetwork(async () => {
      const byHash = await this.#rpc.rawBlock(hash);
      if (byHash !== null) {
        if (!equalBytes(this.#summarize(byHash).hash, hash))
          throw this.#bad('gave another block than the one asked for');
        return byHash;
      }
      // Some nodes know blocks by height alone.
      const byHeight = await this.#fetchBlock(height);
      return byHeight !== null && equalBytes(byHeight.summary.hash, hash) ? byHeight.bytes : null;
    });
  }

  rawTransaction(txid: TxId): Promise<Uint8Array | null> {
    return this.#onNetwork(() => this.#rpc.rawTransaction(txid));
  }

  /** The network is checked each time: what is sent cannot be called back. */
  async send(raw: Uint8Array, txid: TxId): Promise<SendOutcome> {
    const to = { who: nodeName(this.#rpc), badResponse: 'NODE_BAD_RESPONSE' } as const;
    this.#networkChecked = false;
    return this.#onNetwork(async () => {
      try {
        return parseAccepted(await this.#rpc.sendRawTransaction(raw), txid, to);
      } catch (error) {
        if (!(error instanceof JsonRpcRefusal)) throw error;
        return parseRefused(error.code, error.text, to);
      }
    });
  }

  transactionStatus(txid: TxId): Promise<TransactionStatus> {
    return this.#onNetwork(async () => {
      const reported = await this.#rpc.locatedTransaction(txid);
      if (reported === null) return { kind: 'unknown' };
      const own = txidOf(reported.bytes);
      if (own === undefined || !equalBytes(own, txid))
        throw this.#bad('gave another transaction than the one asked for');
      const { height, blockhash } = reported;
      if (typeof height === 'number') return height < 0 ? { kind: 'unknown' } : { kind: 'mined', height };
      return typeof blockhash === 'string' ? { kind: 'unknown' } : { kind: 'mempool' };
    });
  }

  unspentOutputs(addresses: readonly string[]): Promise<readonly UnspentOutput[]> {
    return this.#onNetwork(async () => {
      try {
        const outputs = await collectOutputs(addresses, (query) => this.#rpc.unspentOutputs(query));
        if (outputs === null) throw this.#bad(NO_ADDRESS_INDEX);
        return outputs;
      } catch (error) {
        throw error instanceof AnswerTooLarge ? this.#bad(NO_PIECES) : error;
      }
    });
  }

  mempool(query: MempoolQuery): Promise<MempoolLook> {
    return this.#onNetwork(() => nodeMempool(this.#rpc, query));
  }

  get receivedBytes(): number {
    return this.#rpc.receivedBytes;
  }

  close(): void {
    this.#rpc.close();
  }

  async #onNetwork<T>(call: () => Promise<T>): Promise<T> {
    if (!this.#networkChecked) await this.#checkedInfo();
    try {
      return await call();
    } catch (error) {
      this.#networkChecked = false;
      throw error;
    }
  }

  async #checkedInfo(): Promise<NodeChainInfo> {
    const checkedBefore = this.#networkChecked;
    this.#networkChecked = false;
    const info = await this.#rpc.chainInfo();
    if (checkedBefore) checkChainName(nodeName(this.#rpc), info.chain, this.#parameters.network);
    else {
      this.#support = undefined;
      await checkNodeNetwork(this.#rpc, info, this.#parameters);
    }
    checkUpgrades(nodeName(this.#rpc), 'NODE_BAD_RESPONSE', info.next, this.#parameters);
    this.#networkChecked = true;
    return info;
  }

  /** Passes on no block whose tree sizes, and so note positions, the node itself contradicts. */
  async *#batches(
    range: { readonly start: Height; readonly end: Height },
    before: ScannedBefore | undefined,
    signal: AbortSignal,
  ): AsyncGenerator<BlockBatch, void, void> {
    let reportsSizes = true;
    for await (const { batch, last, sizes } of this.#packed(range, before, signal)) {
      if (reportsSizes) reportsSizes = await this.#checkSizesAfter(last, sizes, signal);
      yield batch;
    }
  }

  async *#packed(
    range: { readonly start: Height; readonly end: Height },
    before: ScannedBefore | undefined,
    signal: AbortSignal,
  ): AsyncGenerator<PackedBatch, void, void> {
    const { sapling } = this.#parameters.activation;
    try {
      yield* packFullBlocks(this.#linkedBlocks(range, signal), (first) =>
        nodeTreeSizesBefore(this.#rpc, first, before, sapling, signal),
      );
    } catch (error) {
      this.#networkChecked = false;
      throw error;
    }
  }

  async *#linkedBlocks(
    { start, end }: { readonly start: Height; readonly end: Height },
    signal: AbortSignal,
  ): AsyncGenerator<FullBlock, void, void> {
    if (!this.#networkChecked) await this.#checkedInfo();
    const fetch = (height: Height, ending: AbortSignal) => this.#fetchBlock(height, ending);
    let height = start;
    let previous: BlockSummary | undefined;
    for await (const block of mapInOrder(integers(start, end), FETCH_WINDOW, fetch, signal)) {
      const linked = this.#linked(block, height++, previous);
      yield linked;
      previous = linked.summary;
    }
  }

  #linked(block: FullBlock | null, height: Height, previous: BlockSummary | undefined): FullBlock {
    if (block === null) throw this.#bad(`does not have block ${height} (any more)`);
    if (previous !== undefined && !equalBytes(block.summary.prevHash, previous.hash)) {
      throw this.#bad(
        `gave a block ${height} that does not follow the one before it; the chain may have moved`,
      );
    }
    return block;
  }

  /** False when the node reports no sizes. */
  async #checkSizesAfter(last: BlockSummary, sizes: TreeSizes, signal: AbortSignal): Promise<boolean> {
    const reported = await this.#rpc.blockTreeSizes(last.height, signal);
    if (reported === null) return false;
    const isOther = reported.hash !== undefined && !equalBytes(reported.hash, last.hash);
    if (!isOther && !equalSizes(reported.sizes, sizes)) {
      throw this.#bad(
        `gave tree sizes after block ${last.height} that do not fit its blocks; use another node`,
      );
    }
    return true;
  }

  async #fetchBlock(height: Height, signal?: AbortSignal): Promise<FullBlock | null> {
    const bytes = await this.#rpc.rawBlock(height, signal);
    if (bytes === null) return null;
    const summary = this.#summarize(bytes);
    if (summary.height !== height)
      throw this.#bad(`gave block ${summary.height} when asked for block ${height}`);
    return { bytes, summary };
  }

  #summarize(bytes: Uint8Array): BlockSummary {
    try {
      return summarizeRawBlock(bytes);
    } catch (error) {
      if (!(error instanceof FormatError)) throw error;
      throw this.#bad('gave a malformed block');
    }
  }

  #bad(what: string): CompanionError {
    return new CompanionError('NODE_BAD_RESPONSE', `The chain node at ${this.#rpc.host} ${what}.`);
  }
}

/** A source with a new connection. Errors: `INVALID_URL`. */
export const openNodeSource = (
  endpoint: JsonRpcEndpoint,
  parameters: NetworkParameters,
  wayTo?: WayTo,
): NodeSource => new NodeSource(new NodeRpc(new JsonRpcClient(endpoint, undefined, wayTo)), parameters);

// Is the node on the configured network? Where the chain name leaves it open, the genesis hash decides.

/** Throws `NETWORK_MISMATCH`. A regtest may start from another genesis; the public networks may not. */
async function checkNodeNetwork(
  rpc: NodeRpc,
  info: NodeChainInfo,
  parameters: NetworkParameters,
): Promise<void> {
  const { network } = parameters;
  const who = nodeName(rpc);
  checkChainName(who, info.chain, network);
  const hash = await rpc.blockHash(0);
  // A node without an answer (some keep no block 0) leaves the name to decide.
  if (hash === null) return;
  const genesis = blockHashToHex(hash);
  if (genesis === parameters.genesisHash) return;
  const other = [MAIN, TEST, regtestParameters()].find(({ genesisHash }) => genesisHash === genesis);
  if (other !== undefined)
    throw networkMismatch(who, network, `its genesis block is that of ${other.network}`);
  if (network !== 'regtest') throw networkMismatch(who, network, 'its genesis block is another one');
}

const nodeName = (rpc: NodeRpc): string => `The chain node at ${rpc.host}`;
