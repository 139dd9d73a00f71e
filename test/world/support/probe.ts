// What a compact server says, in a form in which servers can be compared: equal where they agree.
import { type DescMessage, fromBinary, type MessageShape, toJson } from '@bufbuild/protobuf';
import { bytesToHex } from '@wallet-companion/base/bytes';
import { type CompactConnection, GrpcFailure } from '@wallet-companion/chain/compact';
import {
  CompactBlockSchema,
  GetAddressUtxosReplySchema,
  LightdInfoSchema,
  RawTransactionSchema,
  SendResponseSchema,
  SubtreeRootSchema,
  TreeStateSchema,
} from '@wallet-companion/zcash/compactProto';
import type { TxId } from '@wallet-companion/zcash/identifiers';
import { POOLS } from '@wallet-companion/zcash/pools';

export interface Asked {
  readonly tip: number;
  /** At which tree states are asked for. */
  readonly heights: readonly number[];
  readonly mined: TxId;
  readonly minedBytes: Uint8Array;
  readonly address: string;
}

const UNKNOWN = new Uint8Array(32).fill(7) as TxId;

const shown = <Schema extends DescMessage>(schema: Schema, message: MessageShape<Schema>): unknown =>
  toJson(schema, message);

/** An answer, or what the call failed with. */
async function output(call: () => Promise<unknown>): Promise<unknown> {
  try {
    return await call();
  } catch (error) {
    if (error instanceof GrpcFailure) return { code: error.code, text: error.text };
    throw error;
  }
}

async function blocks(server: CompactConnection, start: number, end: number): Promise<unknown> {
  const got: unknown[] = [];
  const failure = await output(async () => {
    for await (const bytes of server.blockRange(start, end))
      got.push(shown(CompactBlockSchema, fromBinary(CompactBlockSchema, bytes)));
    return null;
  });
  return { got, failure };
}

/** By call, each answer as JSON. */
export async function answersOf(server: CompactConnection, asked: Asked): Promise<Record<string, unknown>> {
  const { tip, heights, mined, minedBytes, address } = asked;
  const answers: Record<string, unknown> = {
    info: await output(async () => shown(LightdInfoSchema, await server.info())),
    tip: await output(async () => {
      const { height, hash } = await server.latestBlock();
      return { height: Number(height), hash: bytesToHex(hash) };
    }),
    'blocks 1 to the tip': await blocks(server, 1, tip),
    'blocks from 0': await blocks(server, 0, 2),
    'blocks downwards': await blocks(server, 9, 7),
    'blocks past the tip': await blocks(server, tip - 1, tip + 2),
    'a block above the tip': await blocks(server, tip + 5, tip + 5),
    'tree state above the tip': await output(async () =>
      shown(TreeStateSchema, await server.treeState(tip + 5)),
    ),
    'a mined transaction': await output(async () =>
      shown(RawTransactionSchema, await server.transaction(mined)),
    ),
    'an unknown transaction': await output(async () =>
      shown(RawTransactionSchema, await server.transaction(UNKNOWN)),
    ),
    'sending what is mined': await output(async () =>
      shown(SendResponseSchema, await server.sendTransaction(minedBytes)),
    ),
    'sending nonsense': await output(async () =>
      shown(SendResponseSchema, await server.sendTransaction(Uint8Array.of(1, 2, 3))),
    ),
    'unspent outputs': await output(async () =>
      (await server.unspentOutputs({ addresses: [address], startHeight: 0, maxEntries: 100 })).map((one) =>
        shown(GetAddressUtxosReplySchema, one),
      ),
    ),
  };
  for (const height of heights)
    answers[`tree state ${height}`] = await output(async () =>
      shown(TreeStateSchema, await server.treeState(height)),
    );
  for (const pool of POOLS)
    answers[`subtree roots of ${pool}`] = await output(async () =>
      (await server.subtreeRoots({ pool, start: 0, limit: 10 })).map((one) => shown(SubtreeRootSchema, one)),
    );
  return answers;
}
