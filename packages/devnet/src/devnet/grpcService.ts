// What a gRPC server of made messages needs: methods that take and give bytes, failures with a status, and streams that wait for
// their reader.
import { create, type DescMessage, fromBinary, type MessageInitShape, toBinary } from '@bufbuild/protobuf';
import * as grpc from '@grpc/grpc-js';
import type { CompactMethod } from './compactFault.ts';

const SERVICE = '/cash.z.wallet.sdk.rpc.CompactTxStreamer/';
const passThrough = (bytes: Uint8Array): Buffer =>
  Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);

export class RpcFailure extends Error {
  readonly code: grpc.status;

  constructor(code: grpc.status, message: string) {
    super(message);
    this.code = code;
  }
}

const STREAMS: ReadonlySet<CompactMethod> = new Set(['GetBlockRange', 'GetMempoolStream', 'GetSubtreeRoots']);

export function methodDefinition(
  name: CompactMethod,
  request: DescMessage,
): grpc.MethodDefinition<unknown, Uint8Array> {
  return {
    path: SERVICE + name,
    requestStream: false,
    responseStream: STREAMS.has(name),
    requestSerialize: () => Buffer.alloc(0), // a server sends no requests
    requestDeserialize: (bytes) => fromBinary(request, bytes),
    responseSerialize: passThrough,
    responseDeserialize: (bytes) => bytes,
  };
}

export const encode = <Desc extends DescMessage>(schema: Desc, fields: MessageInitShape<Desc>): Uint8Array =>
  toBinary(schema, create(schema, fields));

export const statusOf = (thrown: unknown): Partial<grpc.StatusObject> =>
  thrown instanceof RpcFailure
    ? { code: thrown.code, details: thrown.message }
    : { code: grpc.status.INTERNAL, details: 'failed' };

export const unavailable = () => new RpcFailure(grpc.status.UNAVAILABLE, 'the server is shutting down');

const FLOOD = new Uint8Array(65_536);

/** Writes until the reader is gone. */
export function flood(call: grpc.ServerWritableStream<unknown, Uint8Array>): void {
  const more = (): void => {
    while (!call.cancelled && call.write(FLOOD));
  };
  call.on('drain', more);
  more();
}

/** Resolves when the stream takes more, or is gone. */
export function writable(call: grpc.ServerWritableStream<unknown, Uint8Array>): Promise<void> {
  return new Promise((resolve) => {
    const go = () => {
      call.off('drain', go);
      call.off('cancelled', go);
      resolve();
    };
    call.on('drain', go);
    call.on('cancelled', go);
  });
}
