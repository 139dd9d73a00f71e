// A node and a compact server that answer like honest ones, but for what a test changes in their answers.
import http from 'node:http';
import type { AddressInfo } from 'node:net';
import * as grpc from '@grpc/grpc-js';
import type { ChainView } from '@wallet-companion/devnet/chain';
import { type CompactMethod, nodeMethods, RpcError } from '@wallet-companion/devnet/servers';
import type { ExecutionContext } from 'ava';

/** The result instead of the honest one. */
export type NodeLie = (method: string, params: readonly unknown[], honest: unknown) => unknown;
/** The answer as a whole, instead of any result; false leaves it. */
export type Exchange = (response: http.ServerResponse, method: string, id: number) => boolean;

export interface LyingNode {
  readonly url: string;
  lie: NodeLie;
  exchange: Exchange;
}

const NEVER_HURRIES = { headersTimeout: 0, requestTimeout: 0, keepAliveTimeout: 0 } as const;

export async function startLyingNode(t: ExecutionContext, view: ChainView): Promise<LyingNode> {
  const methods = nodeMethods(view);
  const server = http.createServer(NEVER_HURRIES, (request, response) => {
    const parts: Buffer[] = [];
    response.on('error', () => undefined);
    request.on('data', (part: Buffer) => parts.push(part));
    request.on('end', () => {
      const { id, method, params } = JSON.parse(String(Buffer.concat(parts))) as {
        id: number;
        method: string;
        params: unknown[];
      };
      if (node.exchange(response, method, id)) return;
      try {
        const honest = methods[method]?.(params);
        response.end(JSON.stringify({ id, result: node.lie(method, params, honest) }));
      } catch (error) {
        if (!(error instanceof RpcError)) throw error;
        response.end(JSON.stringify({ id, error: { code: error.code, message: error.message } }));
      }
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  t.teardown(() => {
    server.closeAllConnections();
    server.close();
  });
  const node: LyingNode = {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    lie: (_method, _params, honest) => honest,
    exchange: () => false,
  };
  return node;
}

/** The messages sent instead of this one. `request`: as it came. */
export type CompactLie = (
  method: CompactMethod,
  message: Uint8Array,
  request: Uint8Array,
) => readonly Uint8Array[];

export interface LyingCompactServer {
  readonly url: string;
  lie: CompactLie;
}

const SERVICE = '/cash.z.wallet.sdk.rpc.CompactTxStreamer/';
const METHODS: readonly CompactMethod[] = [
  'GetLatestBlock',
  'GetBlock',
  'GetBlockRange',
  'GetTransaction',
  'GetTreeState',
  'GetLightdInfo',
];
const asBuffer = (bytes: Uint8Array): Buffer => Buffer.from(bytes);
const same = (bytes: Buffer): Uint8Array => bytes;

/** Passes every call on to the server at `honestUrl`. */
export async function startLyingCompactServer(
  t: ExecutionContext,
  honestUrl: string,
): Promise<LyingCompactServer> {
  const honest = new grpc.Client(new URL(honestUrl).host, grpc.credentials.createInsecure());
  const server = new grpc.Server();
  const definitions = Object.fromEntries(
    METHODS.map((name) => [
      name,
      {
        path: SERVICE + name,
        requestStream: false,
        responseStream: name === 'GetBlockRange',
        requestSerialize: asBuffer,
        requestDeserialize: same,
        responseSerialize: asBuffer,
        responseDeserialize: same,
      },
    ]),
  );
  const handlers = Object.fromEntries(
    METHODS.map((name) => [
      name,
      name === 'GetBlockRange'
        ? (call: grpc.ServerWritableStream<Uint8Array, Uint8Array>) => {
            const blocks = honest.makeServerStreamRequest(SERVICE + name, asBuffer, same, call.request);
            call.on('cancelled', () => blocks.cancel());
            blocks.on('data', (message: Uint8Array) => {
              for (const reported of lying.lie(name, message, call.request)) call.write(reported);
            });
            blocks.on('error', (error) => call.emit('error', error));
            blocks.on('end', () => call.end());
          }
        : (call: grpc.ServerUnaryCall<Uint8Array, Uint8Array>, callback: grpc.sendUnaryData<Uint8Array>) => {
            honest.makeUnaryRequest(SERVICE + name, asBuffer, same, call.request, (error, message) => {
              const reported = message === undefined ? undefined : lying.lie(name, message, call.request)[0];
              callback(error, reported);
            });
          },
    ]),
  );
  server.addService(definitions, handlers as grpc.UntypedServiceImplementation);
  const port = await new Promise<number>((resolve, reject) => {
    server.bindAsync('127.0.0.1:0', grpc.ServerCredentials.createInsecure(), (error, bound) =>
      error ? reject(error) : resolve(bound),
    );
  });
  t.teardown(() => {
    server.forceShutdown();
    honest.close();
  });
  const lying: LyingCompactServer = {
    url: `http://127.0.0.1:${port}`,
    lie: (_method, message) => [message],
  };
  return lying;
}
