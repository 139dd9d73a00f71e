// A compact-block server as a source of checked facts: right network, blocks that link, tree sizes that add up, no pool
// left out. Differences between servers are handled here.

import { status } from '@grpc/grpc-js';
import { following } from '@wallet-companion/base/async';
import { equalBytes, FormatError, hexToBytes } from '@wallet-companion/base/bytes';
import { type Height, MAX_HEIGHT } from '@wallet-companion/base/values';
import { CompanionError } from '@wallet-companion/client/contract';
import { treeSizeFromState } from '@wallet-companion/zcash/blocks';
import type { GetAddressUtxosReply, LightdInfo, TreeState } from '@wallet-companion/zcash/compactProto';
import {
  asBlockHash,
  asBlockHashHex,
  asTxId,
  type BlockHash,
  blockHashFromHex,
  blockHashToHex,
  type TxId,
} from '@wallet-companion/zcash/identifiers';
import { MAX_MONEY, type NetworkParameters } from '@wallet-companion/zcash/network';
import { type Pool, perPool, type TreeSizes } from '@wallet-companion/zcash/pools';
import { MOST_STATE_BYTES } from '@wallet-companion/zcash/trees';
import type { SourceTip } from '../ports/chainSource.ts';
import type {
  BlockNews,
  BlockTreeStates,
  MempoolLook,
  MempoolQuery,
  SendOutcome,
  SubtreeRoot,
  TransactionStatus,
  UnspentOutput,
} from '../ports/types.ts';
import { AnswerTooLarge } from '../source/callFailures.ts';
import { txidOf } from '../source/mempoolPacking.ts';
import { parseAccepted, parseRefused } from '../source/sending.ts';
import { impossibleTip, type WallClock } from '../source/serverChecks.ts';
import { collectSubtreeRoots } from '../source/subtreeRoots.ts';
import { collectOutputs, NO_ADDRESS_INDEX, NO_PIECES } from '../source/unspentOutputs.ts';
import { BlockCheck } from './blockCheck.ts';
import {
  COMPACT_STREAM_LIMITS,
  type CompactBlockMessage,
  type CompactStreamLimits,
  compactBlocks,
} from './compactBlockStream.ts';
import { type CompactConnection, GrpcFailure, type MempoolEnd } from './compactConnection.ts';
import {
  badAnswer,
  chainMoved,
  compactServerError,
  isNotFound,
  isUnknownTransaction,
  nodesRefusal,
  serverAt,
} from './compactFailure.ts';
import { CompactMempool } from './compactMempool.ts';
import type { MempoolReading } from './mempoolReading.ts';
import { type Announced, readDescription } from './serverDescription.ts';
import type { SubtreesAsked } from './subtreeRootStream.ts';

/** A block that is known from another source. */
export interface BlockBefore {
  readonly hash: BlockHash;
  /** Sizes after it, where they are known. */
  readonly sizes: TreeSizes | undefined;
}

export class CompactClient {
  readonly #client: CompactConnection;
  readonly #parameters: NetworkParameters;
  readonly #limits: CompactStreamLimits;
  readonly #wallClock: WallClock;
  readonly #mempool: CompactMempool;
  /** What is known of the server holds until a call fails: another server may have replaced this one behind the same URL. */
  #networkChecked = false;
  #announced: Announced = {};
  readonly #blockCheck: BlockCheck;

  constructor(
    client: CompactConnection,
    parameters: NetworkParameters,
    limits: CompactStreamLimits = COMPACT_STREAM_LIMITS,
    wallClock: WallClock = Date.now,
  ) {
    this.#client = client;
    this.#mempool = new CompactMempool(client.limits.mempoolQuietMs, client.limits.after);
    this.#parameters = parameters;
    this.#limits = limits;
    this.#wallClock = wallClock;
    this.#blockCheck = new BlockCheck(this.host, parameters, (height) => this.#treeState(height));
  }

  get host(): string {
    return this.#client.host;
  }

  get receivedBytes(): number {
    return this.#client.receivedBytes;
  }

  get movedDelaysMs(): readonly number[] {
    return this.#limits.movedDelaysMs;
  }

  /** The server's own description; `NETWORK_MISMATCH` when it is of another network. */
  info(): Promise<LightdInfo> {
    return this.#asking(async () => {
      this.#networkChecked = false;
      const info = await this.#client.info();
      this.#announced = readDescription(info, this.host, this.#parameters);
      this.#networkChecked = true;
      return info;
    });
  }

  /** The best block. Its hash comes from the block itself, because old servers return it with reversed bytes. */
  tip(signal: AbortSignal = never()): Promise<SourceTip> {
    return this.#onNetwork(async () => {
      const { height, hash } = await this.#latest();
      const announced = this.#announced;
      // Some servers never return block 0.
      if (height === 0 && hash.length === 32) return { height, hash, ...announced };
      const { summary } = await this.#single(height, signal);
      return { height, hash: summary.hash, ...announced, shown: { by: 'block', at: summary.time * 1000 } };
    });
  }

  /** Null above the tip. */
  block(height: Height, signal: AbortSignal = never()): Promise<CompactBlockMessage | null> {
    return this.#onNetwork(async () =>
      height > (await this.#latest()).height ? null : this.#single(height, signal),
    );
  }

  /**
   * Inclusive, ascending, each block links to the one before it; `ChainMoved` where one does not. `UnfitBlocks` where
   * tree sizes do not add up. `before`: the block to which the first one must link.
   */
  async *blocks(
    range: { readonly start: Height; readonly end: Height },
    signal: AbortSignal = never(),
    before?: BlockBefore,
  ): AsyncGenerator<CompactBlockMessage, void, void> {
    try {
      if (!this.#networkChecked) await this.info();
      let previous = before?.sizes;
      for await (const message of compactBlocks(this.#client, range, signal, this.#limits)) {
        const { summary } = message;
        if (
          before !== undefined &&
          summary.height === range.start &&
          !equalBytes(summary.prevHash, before.hash)
        ) {
          throw chainMoved(this.host, summary.height);
        }
        this.#blockCheck.treeSizes(previous, summary);
        await this.#blockCheck.pools(summary);
        previous = summary.chainMetadata;
        yield message;
      }
    } catch (error) {
      this.#forget();
      throw compactServerError(this.host, error);
    }
  }

  /**
   * Note commitment tree sizes after the block at `height` with this hash; null when the server does not report them,
   * `ChainMoved` when its block there is another one.
   */
  treeSizesAfter(height: Height, hash: BlockHash): Promise<TreeSizes | null> {
    return this.#onNetwork(async () => {
      const state = await this.#treeState(height);
      if (state === null) return null;
      if (Number(state.height) !== height || !namesBlock(state.hash, hash)) {
        throw chainMoved(this.host, height + 1);
      }
      try {
        return perPool((pool) => treeSizeFromState(hexToBytes(state[`${pool}Tree`])));
      } catch (error) {
        if (!(error instanceof FormatError)) throw error;
        throw badAnswer(this.host, MALFORMED_STATE);
      }
    });
  }

  /** The trees after the block at `height`; null above the tip. */
  treeStates(height: Height): Promise<BlockTreeStates | null> {
    return this.#onNetwork(async () => {
      if (height > (await this.#latest()).height) return null;
      const state = await this.#treeState(height);
      if (state === null)
        throw badAnswer(this.host, `does not tell the note commitment trees after block ${height}`);
      if (Number(state.height) !== height) throw chainMoved(this.host, height + 1);
      const hash =
        state.hash === '' ? (await this.#single(height, never())).summary.hash : this.#hash(state.hash);
      return {
        hash,
        states: perPool((pool) => this.#bytes(state[`${pool}Tree`])),
        roots: perPool(() => null),
      };
    });
  }

  /** The roots of the first `count` subtrees. */
  subtreeRoots(pool: Pool, count: number): Promise<readonly SubtreeRoot[]> {
    const who = serverAt(this.host);
    return this.#onNetwork(() =>
      collectSubtreeRoots(who, 'COMPACT_SERVER_BAD_RESPONSE', count, async (start, limit) => {
        const reported = await this.#subtreeRoots({ pool, start, limit });
        return (
          reported?.map(({ rootHash, completingBlockHeight }) => {
            const endHeight = Number(completingBlockHeight);
            if (rootHash.length !== 32 || endHeight > MAX_HEIGHT) throw badAnswer(this.host, MALFORMED_STATE);
            return { root: rootHash, endHeight };
          }) ?? null
        );
      }),
    );
  }

  /**
   * Waits until the server announces a block beyond `height`, its tip as last seen. The tip is requested after the
   * stream is open: a block between the two is not missed.
   */
  newBlock(height: Height, signal: AbortSignal): Promise<BlockNews> {
    return this.#onNetwork(async () => {
      const stream = following(signal);
      try {
        const end = this.#mempoolEnd(height, stream.signal);
        end.catch(() => undefined);
        if ((await this.#latest()).height !== height) return 'new block';
        return await end;
      } finally {
        stream.abort();
        stream.unfollow();
      }
    });
  }

  /** Null when the server does not know it. */
  transaction(txid: TxId): Promise<Uint8Array | null> {
    return this.#onNetwork(async () => {
      try {
        const { data } = await this.#client.transaction(txid);
        return data.length === 0 ? null : data;
      } catch (error) {
        if (isNotFound(error)) return null;
        throw error;
      }
    });
  }

  /** The network is checked each time: what is sent cannot be called back. */
  send(raw: Uint8Array, txid: TxId): Promise<SendOutcome> {
    const to = { who: serverAt(this.host), badResponse: 'COMPACT_SERVER_BAD_RESPONSE' } as const;
    this.#networkChecked = false;
    return this.#onNetwork(async () => {
      const { errorCode, errorMessage } = await this.#client.sendTransaction(raw).catch((error: unknown) => {
        const errorMessage = nodesRefusal(error);
        if (errorMessage === undefined) throw error;
        return { errorCode: UNNAMED_REFUSAL, errorMessage };
      });
      // lightwalletd passes the txid on as JSON.
      if (errorCode === 0) return parseAccepted(errorMessage.replace(/^"(.*)"$/, '$1'), txid, to);
      return parseRefused(errorCode, errorMessage, to);
    });
  }

  transactionStatus(txid: TxId): Promise<TransactionStatus> {
    return this.#onNetwork(async () => {
      const reported = await this.#client.transaction(txid).catch((error: unknown) => {
        if (isUnknownTransaction(error)) return null;
        throw error;
      });
      if (reported === null || reported.data.length === 0 || reported.height === ON_SIDE_CHAIN)
        return { kind: 'unknown' };
      const own = txidOf(reported.data);
      if (own === undefined || !equalBytes(own, txid))
        throw badAnswer(this.host, 'gave another transaction than the one asked for');
      if (reported.height === UNMINED) return { kind: 'mempool' };
      if (reported.height > MAX_HEIGHT)
        throw badAnswer(this.host, 'says that a transaction is in no possible block');
      return { kind: 'mined', height: Number(reported.height) };
    });
  }

  /** The most valuable first, 5,000 at most. */
  unspentOutputs(addresses: readonly string[]): Promise<readonly UnspentOutput[]> {
    return this.#onNetwork(async () => {
      try {
        const outputs = await collectOutputs(addresses, async (query) =>
          (await this.#client.unspentOutputs(query)).map((one) => this.#unspentOutput(one)),
        );
        return outputs ?? [];
      } catch (error) {
        if (error instanceof AnswerTooLarge) throw badAnswer(this.host, NO_PIECES);
        if (isNotOffered(error)) throw badAnswer(this.host, NO_ADDRESS_INDEX);
        throw error;
      }
    });
  }

  #unspentOutput({ address, txid, index, valueZat, height }: GetAddressUtxosReply): UnspentOutput {
    const isOutput =
      txid.length === 32 && index >= 0 && valueZat >= 0n && valueZat <= MAX_MONEY && height <= MAX_HEIGHT;
    if (!isOutput) throw badAnswer(this.host, 'gave a malformed unspent output');
    return { address, txid: asTxId(txid), index, zatoshi: Number(valueZat), height: Number(height) };
  }

  close(): void {
    this.#client.close();
  }

  /** Unmined transactions that are not known yet. During a wait for the next block they come from its stream. */
  mempool(query: MempoolQuery): Promise<MempoolLook> {
    return this.#onNetwork(async () => {
      const open = (reading: MempoolReading): (() => void) => {
        const ending = new AbortController();
        // The reading reports the failure.
        this.#readMempool(ending.signal, reading).catch(() => undefined);
        return () => ending.abort();
      };
      try {
        return await this.#mempool.look(query, open, async () => (await this.#latest()).height);
      } catch (error) {
        if (isNotOffered(error)) return { offered: false, reason: 'not offered' };
        throw error;
      }
    });
  }

  async #mempoolEnd(height: Height, signal: AbortSignal): Promise<BlockNews> {
    try {
      const end = await this.#readMempool(signal, this.#mempool.begin(height));
      if (end === 'ended') return 'new block';
      // A flooded mempool is sent again each time: a request for the tip costs less.
      return end === 'too much' ? 'not offered' : 'over';
    } catch (error) {
      if (isNotOffered(error)) return 'not offered';
      throw error;
    }
  }

  async #readMempool(signal: AbortSignal, reading: MempoolReading): Promise<MempoolEnd> {
    try {
      const end = await this.#client.mempoolEnd(signal, (message) => reading.add(message));
      this.#mempool.end(reading, end);
      return end;
    } catch (error) {
      this.#mempool.end(reading, 'over', { error });
      throw error;
    }
  }

  async #onNetwork<T>(call: () => Promise<T>): Promise<T> {
    if (!this.#networkChecked) await this.info();
    return this.#asking(call);
  }

  async #asking<T>(call: () => Promise<T>): Promise<T> {
    try {
      return await call();
    } catch (error) {
      this.#forget();
      throw compactServerError(this.host, error);
    }
  }

  #forget(): void {
    this.#networkChecked = false;
    this.#blockCheck.forget();
  }

  async #latest(): Promise<SourceTip> {
    const latest = await this.#client.latestBlock();
    const height = Number(latest.height);
    if (height > MAX_HEIGHT) throw badAnswer(this.host, 'gave a chain tip that is no block height');
    const impossible = impossibleTip(height, this.#parameters, this.#wallClock, 'server');
    if (impossible !== undefined) throw badAnswer(this.host, impossible);
    return { height, hash: asBlockHash(latest.hash) };
  }

  async #single(height: Height, signal: AbortSignal): Promise<CompactBlockMessage> {
    let found: CompactBlockMessage | undefined;
    for await (const message of compactBlocks(
      this.#client,
      { start: height, end: height },
      signal,
      this.#limits,
    )) {
      found = message;
    }
    if (found === undefined) throw badAnswer(this.host, `does not have block ${height}`);
    return found;
  }

  #hash(displayHex: string): BlockHash {
    if (!/^[0-9a-fA-F]{64}$/.test(displayHex)) throw badAnswer(this.host, MALFORMED_STATE);
    return blockHashFromHex(asBlockHashHex(displayHex.toLowerCase()));
  }

  #bytes(hex: string): Uint8Array {
    try {
      if (hex.length <= 2 * MOST_STATE_BYTES) return hexToBytes(hex);
    } catch (error) {
      if (!(error instanceof FormatError)) throw error;
    }
    throw badAnswer(this.host, MALFORMED_STATE);
  }

  /** Null when the server does not offer it. */
  async #subtreeRoots(asked: SubtreesAsked) {
    try {
      return await this.#client.subtreeRoots(asked);
    } catch (error) {
      if (isNotOffered(error)) return null;
      throw error;
    }
  }

  /** Null when the server does not offer it or does not have it. */
  async #treeState(height: Height): Promise<TreeState | null> {
    try {
      return await this.#client.treeState(height);
    } catch (error) {
      const failure = compactServerError(this.host, error);
      const answered = failure instanceof CompanionError && failure.code === 'COMPACT_SERVER_BAD_RESPONSE';
      if (error instanceof GrpcFailure && answered) return null;
      throw error;
    }
  }
}

/** Heights of transactions that are in no block of the best chain. */
const UNMINED = 0n;
const ON_SIDE_CHAIN = 2n ** 64n - 1n;

/** That of a server that passes on its node's words alone. */
const UNNAMED_REFUSAL = -1;

const MALFORMED_STATE = 'gave a malformed tree state';

const isNotOffered = (error: unknown): boolean =>
  error instanceof GrpcFailure && error.code === status.UNIMPLEMENTED;

/** A tree state without a hash is believed. */
const namesBlock = (displayHash: string, hash: BlockHash): boolean =>
  displayHash === '' || displayHash.toLowerCase() === blockHashToHex(hash);

/** A new signal for each call: a shared one would collect the listeners of all calls. */
const never = (): AbortSignal => new AbortController().signal;
