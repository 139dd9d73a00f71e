// The CompactTxStreamer calls over gRPC. Small messages go through the generated types; blocks stay the received bytes, which the
// store keeps and the scan decodes.

import { create, type DescMessage, fromBinary, type MessageShape, toBinary } from '@bufbuild/protobuf';
import {
  type ChannelOptions,
  Client,
  logVerbosity,
  Metadata,
  type ServiceError,
  setLogVerbosity,
  status,
} from '@grpc/grpc-js';
import { type After, systemAfter } from '@wallet-companion/base/async';
import { DIRECT, PROXY_AWAY, type Way, type WayTo } from '@wallet-companion/base/proxy';
import type { Height } from '@wallet-companion/base/values';
import {
  type BlockID,
  BlockIDSchema,
  BlockRangeSchema,
  ChainSpecSchema,
  EmptySchema,
  GetAddressUtxosArgSchema,
  type GetAddressUtxosReply,
  GetAddressUtxosReplyListSchema,
  type LightdInfo,
  LightdInfoSchema,
  type RawTransaction,
  RawTransactionSchema,
  type SendResponse,
  SendResponseSchema,
  type SubtreeRoot,
  type TreeState,
  TreeStateSchema,
  TxFilterSchema,
} from '@wallet-companion/zcash/compactProto';
import type { TxId } from '@wallet-companion/zcash/identifiers';
import { answerTooLarge, onionWithoutProxy } from '../source/callFailures.ts';
import type { OutputsQuery } from '../source/unspentOutputs.ts';
import { parseCompactServerUrl } from './compactServerUrl.ts';
import { ReadAhead } from './readAhead.ts';
import { serverConnection } from './serverCredentials.ts';
import { readSubtreeRoots, type SubtreesAsked } from './subtreeRootStream.ts';

/** A failed call, with its gRPC status. The text is the server's: read it, never show it. */
export class GrpcFailure extends Error {
  override readonly name = 'GrpcFailure';
  readonly code: status;
  readonly text: string;
  readonly retryAfter: string | undefined;
  /** The message is longer than this program reads, in grpc-js's words. */
  get isTooLarge(): boolean {
    return (
      this.code === status.RESOURCE_EXHAUSTED &&
      /^Received message (?:larger than max|that decompresses to a size larger)/.test(this.text)
    );
  }

  constructor(code: status, text: string, retryAfter?: string) {
    super(`gRPC status ${code}`);
    this.code = code;
    this.text = text;
    this.retryAfter = retryAfter;
  }
}

export interface CompactConnectionLimits {
  /** A whole call with one response, connecting included. */
  readonly callMs: number;
  /** Longest silence within a stream, connecting included. */
  readonly idleMs: number;
  /** A whole stream, so that one that drips for ever ends. */
  readonly streamMs: number;
  /** One wait for the next block, which is silent as long as the mempool is. */
  readonly blockWaitMs: number;
  /** After this silence, a stream of the mempool counts as complete for now. */
  readonly mempoolQuietMs: number;
  readonly maxMessageBytes: number;
  /** Time between two pings while a call is open. */
  readonly keepaliveMs: number;
  /** The timer of the limits above. */
  readonly after: After;
}

/**
 * A full block's compact form stays below 700 kB, and with transparent data below 2.5 MB: 2 MB of block, and what the encoding of
 * the smallest outputs adds. A call holds two such messages at most. Servers in Go close a connection that pings more often than
 * every five minutes. Dead peers within a stream are found by the idle deadline long before; the ping keeps routers from
 * forgetting a long quiet connection.
 */
export const COMPACT_CLIENT_LIMITS: CompactConnectionLimits = {
  callMs: 15_000,
  idleMs: 20_000,
  streamMs: 600_000,
  blockWaitMs: 600_000,
  // lightwalletd asks its node every two seconds.
  mempoolQuietMs: 2_500,
  maxMessageBytes: 2.5 * 2 ** 20,
  keepaliveMs: 310_000,
  after: systemAfter,
};

/**
 * The most that a wait for a block may receive. Most mempools are some ten kilobytes, but a flooded one holds 80 MB, and is sent
 * again with each block.
 */
const MEMPOOL_BYTES = 4 * 2 ** 20;

/** Why a stream of the mempool ended. */
export type MempoolEnd = 'ended' | 'too much' | 'over';

const KEEPALIVE_TIMEOUT_MS = 20_000;

/**
 * How much a server may send on a stream before a confirmation, and how much may wait here. With the usual 64 KiB, a server at
 * 0.1 s distance sends 640 kB a second, however fast the line.
 */
const WINDOW_BYTES = 512 * 1024;

/** After a failed connection the next try must not wait: the caller decides how long to wait. */
const RECONNECT_MS = { initial: 100, max: 1_000 } as const;

const METHOD_PREFIX = '/cash.z.wallet.sdk.rpc.CompactTxStreamer/';

export class CompactConnection {
  /** `host:port` for messages. */
  readonly host: string;
  readonly #limits: CompactConnectionLimits;
  readonly #connect: () => Client;
  readonly #way: Way;
  #client: Client;
  #isClosed = false;
  #receivedBytes = 0;

  /** Connects at the first call. Errors: `INVALID_URL`. */
  constructor(url: string, limits: CompactConnectionLimits = COMPACT_CLIENT_LIMITS, wayTo: WayTo = DIRECT) {
    const address = parseCompactServerUrl(url);
    this.#way = wayTo(address.hostname);
    if (this.#way.kind === 'none') throw onionWithoutProxy();
    const { target, credentials, ...secured } = serverConnection(address, this.#way);
    const options: ChannelOptions = {
      'grpc.max_receive_message_length': limits.maxMessageBytes,
      'grpc.keepalive_time_ms': limits.keepaliveMs,
      'grpc.keepalive_timeout_ms': KEEPALIVE_TIMEOUT_MS,
      'grpc.initial_reconnect_backoff_ms': RECONNECT_MS.initial,
      'grpc.min_reconnect_backoff_ms': RECONNECT_MS.initial,
      'grpc.max_reconnect_backoff_ms': RECONNECT_MS.max,
      'grpc-node.flow_control_window': WINDOW_BYTES,
      // Retries are made by the caller, which knows which blocks arrived.
      'grpc.enable_retries': 0,
      // A separate connection, which `close` really closes.
      'grpc.use_local_subchannel_pool': 1,
      // No variable of the library decides whom it asks: no proxy, no settings from DNS.
      'grpc.enable_http_proxy': 0,
      'grpc.service_config_disable_resolution': 1,
      ...secured.options,
    };
    // Its own log would go to the standard error output.
    setLogVerbosity(logVerbosity.NONE);
    this.host = address.host;
    this.#limits = limits;
    this.#connect = () => new Client(target, credentials, options);
    this.#client = this.#connect();
  }

  close(): void {
    this.#isClosed = true;
    this.#client.close();
  }

  info(): Promise<LightdInfo> {
    return this.#unary('GetLightdInfo', toBinary(EmptySchema, create(EmptySchema)), LightdInfoSchema);
  }

  /** Some servers return the hash reversed. */
  latestBlock(): Promise<BlockID> {
    return this.#unary('GetLatestBlock', toBinary(ChainSpecSchema, create(ChainSpecSchema)), BlockIDSchema);
  }

  /** Bytes of the blocks received so far. */
  get receivedBytes(): number {
    return this.#receivedBytes;
  }

  treeState(height: Height): Promise<TreeState> {
    return this.#unary('GetTreeState', toBinary(BlockIDSchema, blockId(height)), TreeStateSchema);
  }

  /** At most `limit` and one more. */
  subtreeRoots(asked: SubtreesAsked): Promise<SubtreeRoot[]> {
    const { callMs: lateMs, after } = this.#limits;
    const client = this.#client;
    const late = (): GrpcFailure => {
      this.#abandon(client);
      return lateness();
    };
    const path = `${METHOD_PREFIX}GetSubtreeRoots`;
    return readSubtreeRoots(client, path, asked, { lateMs, after }, { late, failed: this.#failure });
  }

  transaction(txid: TxId): Promise<RawTransaction> {
    const filter = create(TxFilterSchema, { hash: txid });
    return this.#unary('GetTransaction', toBinary(TxFilterSchema, filter), RawTransactionSchema);
  }

  /** Throws `AnswerTooLarge` where the server does not keep to the limit. */
  async unspentOutputs({
    addresses,
    startHeight,
    maxEntries,
  }: OutputsQuery): Promise<GetAddressUtxosReply[]> {
    const asked = { addresses: [...addresses], startHeight: BigInt(startHeight), maxEntries };
    const request = toBinary(GetAddressUtxosArgSchema, create(GetAddressUtxosArgSchema, asked));
    try {
      return (await this.#unary('GetAddressUtxos', request, GetAddressUtxosReplyListSchema)).addressUtxos;
    } catch (error) {
      throw error instanceof GrpcFailure && error.isTooLarge ? tooLarge(this.host) : error;
    }
  }

  /** Sent once: only the response shows whether it arrived. */
  sendTransaction(data: Uint8Array): Promise<SendResponse> {
    const request = toBinary(RawTransactionSchema, create(RawTransactionSchema, { data }));
    return this.#unary('SendTransaction', request, SendResponseSchema);
  }

  /**
   * CompactBlock messages of the inclusive range, ascending, each in its own buffer. The caller must check whether they are the
   * requested blocks. Leaving the loop or aborting cancels the call.
   */
  async *blockRange(
    start: number,
    end: number,
    signal?: AbortSignal,
  ): AsyncGenerator<Uint8Array, void, void> {
    signal?.throwIfAborted();
    const range = create(BlockRangeSchema, { start: blockId(start), end: blockId(end) });
    const client = this.#client;
    const ahead = new ReadAhead();
    const call = client.makeServerStreamRequest<Uint8Array, Uint8Array>(
      `${METHOD_PREFIX}GetBlockRange`,
      asBuffer,
      // grpc-js returns slices of shared buffers: copied, so that one block does not keep its neighbours in memory.
      (bytes) => {
        ahead.arrived(bytes);
        this.#receivedBytes += bytes.length;
        return Uint8Array.from(bytes);
      },
      toBinary(BlockRangeSchema, range),
      new Metadata(),
      { interceptors: [ahead.interceptor] },
    );
    const { idleMs, streamMs, after } = this.#limits;
    let isLate = false;
    let giveUp: (failure: GrpcFailure) => void = () => undefined;
    const onLate = (): void => {
      isLate = true;
      this.#abandon(client);
      giveUp(lateness());
    };
    const callOffStream = after(streamMs, onLate);
    const onAbort = (): void => call.cancel();
    signal?.addEventListener('abort', onAbort, { once: true });
    const messages: AsyncIterator<Uint8Array> = call[Symbol.asyncIterator]();
    try {
      while (!isLate) {
        // Only the server's silence counts, not the time that the consumer takes.
        const callOffIdle = after(idleMs, onLate);
        const message = await new Promise<IteratorResult<Uint8Array, undefined>>((resolve, reject) => {
          // Rejected here, for the same reason as below.
          giveUp = reject;
          messages.next().then(resolve, reject);
        }).finally(callOffIdle);
        if (message.done === true) return;
        yield message.value;
        ahead.taken(message.value);
      }
      throw lateness();
    } catch (error) {
      signal?.throwIfAborted();
      throw error instanceof GrpcFailure ? error : this.#failure(error as ServiceError);
    } finally {
      callOffStream();
      signal?.removeEventListener('abort', onAbort);
      // The stream reports its own cancellation as an error, which nothing awaits any more.
      call.on('error', () => undefined);
      call.cancel();
    }
  }

  get limits(): CompactConnectionLimits {
    return this.#limits;
  }

  /**
   * Reads the stream of the mempool, which servers end when the next block is there. `took` gets each message. `over`: it was
   * aborted, or took too long; nothing is known then.
   */
  mempoolEnd(signal: AbortSignal, took: (message: Uint8Array) => void): Promise<MempoolEnd> {
    if (signal.aborted) return Promise.resolve('over');
    let bytes = 0;
    const call = this.#client.makeServerStreamRequest<Uint8Array, Uint8Array>(
      `${METHOD_PREFIX}GetMempoolStream`,
      asBuffer,
      (message) => Uint8Array.from(message),
      toBinary(EmptySchema, create(EmptySchema)),
      new Metadata(),
    );
    const { blockWaitMs, after } = this.#limits;
    return new Promise<MempoolEnd>((resolve, reject) => {
      const finish = (): void => {
        callOff();
        signal.removeEventListener('abort', onAbort);
      };
      // The cancellation comes as an error, too late for the promise.
      const settle = (end: MempoolEnd): void => {
        finish();
        resolve(end);
        call.cancel();
      };
      const onAbort = (): void => settle('over');
      const callOff = after(blockWaitMs, onAbort);
      signal.addEventListener('abort', onAbort, { once: true });
      call.on('data', (message: Uint8Array) => {
        bytes += message.length;
        if (bytes > MEMPOOL_BYTES) settle('too much');
        else took(message);
      });
      call.on('end', () => settle('ended'));
      call.on('error', (error: ServiceError) => {
        finish();
        reject(this.#failure(error));
      });
    });
  }

  /** Through a proxy it is only the proxy that this machine connects to. */
  readonly #failure = (error: Partial<ServiceError>): GrpcFailure => {
    const failure = grpcFailure(error);
    const isAway = this.#way.kind === 'proxy' && NOT_CONNECTED.test(failure.text);
    return isAway ? new GrpcFailure(failure.code, PROXY_AWAY) : failure;
  };

  #unary<Schema extends DescMessage>(
    method: string,
    request: Uint8Array,
    schema: Schema,
  ): Promise<MessageShape<Schema>> {
    return new Promise((resolve, reject) => {
      const { callMs, after } = this.#limits;
      const client = this.#client;
      const call = client.makeUnaryRequest<Uint8Array, MessageShape<Schema>>(
        METHOD_PREFIX + method,
        asBuffer,
        (bytes) => fromBinary(schema, Uint8Array.from(bytes)),
        request,
        new Metadata(),
        (error, answer) => {
          callOff();
          if (error !== null) reject(this.#failure(error));
          else if (answer === undefined) reject(new GrpcFailure(status.INTERNAL, ''));
          else resolve(answer);
        },
      );
      const callOff = after(callMs, () => {
        // Rejected here: after some responses a call does not report even its own cancellation.
        reject(lateness());
        this.#abandon(client);
        call.cancel();
      });
    });
  }

  /**
   * The next calls use a new connection: this one may be dead without a sign, as after a sleep or behind a router that forgot it.
   * Open calls on it have deadlines.
   */
  #abandon(client: Client): void {
    if (this.#isClosed || client !== this.#client) return;
    this.#client = this.#connect();
    client.close();
  }
}

export const tooLarge = (host: string) =>
  answerTooLarge('COMPACT_SERVER_BAD_RESPONSE', `The compact server at ${host}`, 'a call');

/** In the words of Node.js and grpc-js. */
const NOT_CONNECTED =
  /ECONNREFUSED|EHOSTUNREACH|ENETUNREACH|ETIMEDOUT|ENOTFOUND|EAI_AGAIN|name resolution failed/i;

const blockId = (height: Height): BlockID => create(BlockIDSchema, { height: BigInt(height) });

const asBuffer = (bytes: Uint8Array): Buffer => Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);

const lateness = (): GrpcFailure => new GrpcFailure(status.DEADLINE_EXCEEDED, '');

const grpcFailure = (error: Partial<ServiceError>): GrpcFailure =>
  new GrpcFailure(
    error.code ?? status.INTERNAL,
    error.details ?? '',
    error.metadata?.get('retry-after')[0]?.toString(),
  );
