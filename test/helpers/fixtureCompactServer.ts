// A compact server for tests: serves given CompactBlock messages over gRPC on loopback, and misbehaves when told to.
import { randomInt } from 'node:crypto';
import { create, type DescMessage, fromBinary, type MessageShape, toBinary } from '@bufbuild/protobuf';
import * as grpc from '@grpc/grpc-js';
import { type CompactBlockSummary, summarizeCompactBlock } from '@wallet-companion/zcash/blocks';
import {
  type BlockID,
  BlockIDSchema,
  type BlockRange,
  BlockRangeSchema,
  ChainSpecSchema,
  EmptySchema,
  type LightdInfo,
  LightdInfoSchema,
  type RawTransaction,
  RawTransactionSchema,
  SendResponseSchema,
  type TreeState,
  TreeStateSchema,
  type TxFilter,
  TxFilterSchema,
} from '@wallet-companion/zcash/compactProto';

type Method =
  | 'GetLightdInfo'
  | 'GetLatestBlock'
  | 'GetBlockRange'
  | 'GetTransaction'
  | 'SendTransaction'
  | 'GetTreeState';

export class GrpcError extends Error {
  readonly code: grpc.status;

  constructor(code: grpc.status, message = '') {
    super(message);
    this.code = code;
  }
}

export interface FixtureCompactServerOptions {
  readonly blocks: readonly Uint8Array[];
  readonly info: Partial<Omit<LightdInfo, '$typeName' | '$unknown'>>;
  /** PEM; plain text without. */
  readonly tls?: { readonly key: Buffer; readonly cert: Buffer };
}

interface Served {
  readonly bytes: Uint8Array;
  readonly summary: CompactBlockSummary;
}

/** What a range call sends: messages, and how it ends (`stall` never does). */
export type RangeItem = Uint8Array | GrpcError | 'stall';

/**
 * An address of its own, where the system has more than one for itself: the port of a stopped server stays free then, while
 * tests beside it start servers. A certificate names the usual one.
 */
const ownAddress = (): string =>
  process.platform === 'linux' ? `127.${randomInt(1, 255)}.${randomInt(1, 255)}.1` : '127.0.0.1';

export class FixtureCompactServer {
  readonly #server: grpc.Server;
  #address = ownAddress();
  #port = 0;
  #info: FixtureCompactServerOptions['info'];
  #served: Served[] = [];
  /** `method` or `GetBlockRange start end`, in order of arrival. */
  readonly calls: string[] = [];
  /** Rewrites what a range call sends. */
  range: (items: RangeItem[], start: number, end: number) => RangeItem[] = (items) => items;
  /** Fails or changes calls with one answer. */
  before: (method: Method) => void = () => undefined;
  /** Old servers answer in display order. */
  tipHashReversed = false;
  /** Announces another height than there is. */
  announcedHeight: number | undefined;
  transaction: (txid: Uint8Array) => Uint8Array | GrpcError = () =>
    new GrpcError(grpc.status.NOT_FOUND, 'transaction not found');
  /** Of the transactions above. */
  transactionHeight = 1n;
  /** The code and the words of the answer; throws `STALL` for none. */
  send: (raw: Uint8Array) => readonly [code: number, words: string] | GrpcError = () =>
    new GrpcError(grpc.status.UNIMPLEMENTED);
  treeState: (height: number) => Partial<TreeState> | GrpcError = () =>
    new GrpcError(grpc.status.UNIMPLEMENTED);

  private constructor(options: FixtureCompactServerOptions) {
    this.#info = options.info;
    this.serve(options.blocks);
    this.#server = new grpc.Server();
    this.#server.addService(definition, {
      GetLightdInfo: this.#unary('GetLightdInfo', () =>
        toBinary(
          LightdInfoSchema,
          create(LightdInfoSchema, { ...this.#info, blockHeight: BigInt(this.#tip) }),
        ),
      ),
      GetLatestBlock: this.#unary('GetLatestBlock', () => this.#latestBlock()),
      GetTransaction: this.#unary('GetTransaction', (filter: TxFilter) => {
        const data = orThrow(this.transaction(filter.hash));
        return toBinary(
          RawTransactionSchema,
          create(RawTransactionSchema, { data, height: this.transactionHeight }),
        );
      }),
      SendTransaction: this.#unary('SendTransaction', ({ data }: RawTransaction) => {
        const [errorCode, errorMessage] = orThrow(this.send(data));
        return toBinary(SendResponseSchema, create(SendResponseSchema, { errorCode, errorMessage }));
      }),
      GetTreeState: this.#unary('GetTreeState', (id: BlockID) => {
        const state = orThrow(this.treeState(Number(id.height)));
        const {
          height = id.height,
          hash = '',
          saplingTree = '',
          orchardTree = '',
          ironwoodTree = '',
        } = state;
        const message = { height, hash, saplingTree, orchardTree, ironwoodTree };
        return toBinary(TreeStateSchema, create(TreeStateSchema, message));
      }),
      GetBlockRange: (call: grpc.ServerWritableStream<BlockRange, Uint8Array>) => void this.#stream(call),
    });
  }

  static async start(options: FixtureCompactServerOptions): Promise<FixtureCompactServer> {
    const server = new FixtureCompactServer(options);
    const credentials =
      options.tls === undefined
        ? grpc.ServerCredentials.createInsecure()
        : grpc.ServerCredentials.createSsl(null, [
            { private_key: options.tls.key, cert_chain: options.tls.cert },
          ]);
    if (options.tls !== undefined) server.#address = '127.0.0.1';
    server.#port = await new Promise<number>((resolve, reject) => {
      server.#server.bindAsync(`${server.#address}:0`, credentials, (error, port) =>
        error === null ? resolve(port) : reject(error),
      );
    });
    return server;
  }

  get host(): string {
    return `${this.#address}:${this.#port}`;
  }

  /** Of a server without TLS. */
  get url(): string {
    return `http://${this.host}`;
  }

  stop(): void {
    this.#server.forceShutdown();
  }

  /** Says something else about itself. */
  announce(changes: FixtureCompactServerOptions['info']): void {
    this.#info = { ...this.#info, ...changes };
  }

  serve(blocks: readonly Uint8Array[]): void {
    this.#served = blocks.map((bytes) => ({ bytes, summary: summarizeCompactBlock(bytes) }));
  }

  /** Replaces every block above `forkHeight`. */
  reorg(forkHeight: number, branch: readonly Uint8Array[]): void {
    const kept = this.#served.filter(({ summary }) => summary.height <= forkHeight).map(({ bytes }) => bytes);
    this.serve([...kept, ...branch]);
  }

  get #tip(): number {
    return this.announcedHeight ?? this.#served.at(-1)?.summary.height ?? 0;
  }

  #latestBlock(): Uint8Array {
    const hash = Uint8Array.from(this.#served.at(-1)?.summary.hash ?? []);
    if (this.tipHashReversed) hash.reverse();
    return toBinary(BlockIDSchema, create(BlockIDSchema, { height: BigInt(this.#tip), hash }));
  }

  #unary<Request>(
    method: Method,
    answer: (request: Request) => Uint8Array,
  ): grpc.handleUnaryCall<Request, Uint8Array> {
    return (call, callback) => {
      this.calls.push(method);
      try {
        this.before(method);
        callback(null, answer(call.request));
      } catch (error) {
        if (error !== STALL) callback(error as GrpcError);
      }
    };
  }

  async #stream(call: grpc.ServerWritableStream<BlockRange, Uint8Array>): Promise<void> {
    const start = Number(call.request.start?.height ?? 0);
    const end = Number(call.request.end?.height ?? 0);
    this.calls.push(`GetBlockRange ${start} ${end}`);
    const items: RangeItem[] = this.#served
      .filter(({ summary }) => summary.height >= start && summary.height <= end)
      .map(({ bytes }) => bytes);
    const tip = this.#served.at(-1)?.summary.height ?? 0;
    if (end > tip) items.push(new GrpcError(grpc.status.NOT_FOUND, 'block not found'));
    for (const item of this.range(items, start, end)) {
      if (item === 'stall') return;
      if (item instanceof GrpcError) {
        call.emit('error', item);
        return;
      }
      if (!call.write(item)) await new Promise((resolve) => call.once('drain', resolve));
    }
    call.end();
  }
}

/** Thrown in `before` and `send`: no answer at all. */
export const STALL = new Error('stall');

function orThrow<T>(answer: T | GrpcError): T {
  if (answer instanceof GrpcError) throw answer;
  return answer;
}

function methodOf<Schema extends DescMessage>(
  method: Method,
  request: Schema,
): grpc.MethodDefinition<MessageShape<Schema>, Uint8Array> {
  return {
    path: `/cash.z.wallet.sdk.rpc.CompactTxStreamer/${method}`,
    requestStream: false,
    responseStream: method === 'GetBlockRange',
    requestSerialize: (message) => Buffer.from(toBinary(request, message)),
    requestDeserialize: (bytes) => fromBinary(request, bytes),
    responseSerialize: (bytes) => Buffer.from(bytes),
    responseDeserialize: (bytes) => bytes,
  };
}

const definition = {
  GetLightdInfo: methodOf('GetLightdInfo', EmptySchema),
  GetLatestBlock: methodOf('GetLatestBlock', ChainSpecSchema),
  GetBlockRange: methodOf('GetBlockRange', BlockRangeSchema),
  GetTransaction: methodOf('GetTransaction', TxFilterSchema),
  SendTransaction: methodOf('SendTransaction', RawTransactionSchema),
  GetTreeState: methodOf('GetTreeState', BlockIDSchema),
};
