// The stream of GetSubtreeRoots, read to its end: a bounded number of small messages.

import { create, fromBinary, toBinary } from '@bufbuild/protobuf';
import { type Client, Metadata, type ServiceError } from '@grpc/grpc-js';
import type { After } from '@wallet-companion/base/async';
import {
  GetSubtreeRootsArgSchema,
  type SubtreeRoot,
  SubtreeRootSchema,
} from '@wallet-companion/zcash/compactProto';
import type { PerPool, Pool } from '@wallet-companion/zcash/pools';

/** Numbers of this call alone. */
const PROTOCOL_NUMBER: PerPool<number> = { sapling: 0, orchard: 1, ironwood: 2 };

export interface SubtreesAsked {
  readonly pool: Pool;
  readonly start: number;
  readonly limit: number;
}

/** Stops reading at the requested end, even if the server goes on. `lateMs`: limit of the whole call. */
export function readSubtreeRoots(
  client: Client,
  path: string,
  { pool, start, limit }: SubtreesAsked,
  { lateMs, after }: { readonly lateMs: number; readonly after: After },
  failures: { readonly late: () => Error; readonly failed: (error: Partial<ServiceError>) => Error },
): Promise<SubtreeRoot[]> {
  const request = create(GetSubtreeRootsArgSchema, {
    startIndex: start,
    shieldedProtocol: PROTOCOL_NUMBER[pool],
    maxEntries: limit,
  });
  const call = client.makeServerStreamRequest<Uint8Array, SubtreeRoot>(
    path,
    (bytes) => Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength),
    (bytes) => fromBinary(SubtreeRootSchema, Uint8Array.from(bytes)),
    toBinary(GetSubtreeRootsArgSchema, request),
    new Metadata(),
  );
  const roots: SubtreeRoot[] = [];
  return new Promise((resolve, reject) => {
    // The cancellation comes as an error, too late for the promise.
    const settle = (end: () => void): void => {
      callOff();
      end();
      call.cancel();
    };
    const callOff = after(lateMs, () => settle(() => reject(failures.late())));
    call.on('data', (root: SubtreeRoot) => {
      roots.push(root);
      if (roots.length > limit) settle(() => resolve(roots));
    });
    call.on('end', () => settle(() => resolve(roots)));
    call.on('error', (error: ServiceError) => settle(() => reject(failures.failed(error))));
  });
}
