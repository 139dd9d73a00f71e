// The calls to a chain node, each with its answer checked. Members that not every node sends are optional. Nodes differ
// in the codes of their refusals (-5 and -8 for objects that they do not have, -1 or -32601 for calls that they do not
// offer), so a refusal counts as "not available" (null) wherever something else can be tried.

import { bytesToHex, FormatError, hexToBytes } from '@wallet-companion/base/bytes';
import { type Height, MAX_HEIGHT } from '@wallet-companion/base/values';
import { CompanionError } from '@wallet-companion/client/contract';
import { treeSizeFromState } from '@wallet-companion/zcash/blocks';
import {
  asBlockHashHex,
  asTxIdHex,
  type BlockHash,
  blockHashFromHex,
  blockHashToHex,
  type TxId,
  type TxIdHex,
  txIdFromHex,
  txIdToHex,
} from '@wallet-companion/zcash/identifiers';
import { MAX_MONEY } from '@wallet-companion/zcash/network';
import { type Pool, perPool, type TreeSizes } from '@wallet-companion/zcash/pools';
import { MOST_STATE_BYTES } from '@wallet-companion/zcash/trees';
import * as z from 'zod';
import type { BlockTreeStates, SubtreeRoot, UnspentOutput } from '../ports/types.ts';
import { lastBlockOf, type ServerRules, unknownUpgrade } from '../source/serverChecks.ts';
import type { OutputsQuery } from '../source/unspentOutputs.ts';
import { type JsonRpcClient, JsonRpcRefusal } from './jsonRpc.ts';

/** The node is loading its chain and answers no call yet. */
const WARMING_UP = -28;
const NO_SUCH_TRANSACTION = -5;

const Hash = z
  .string()
  .regex(/^[0-9a-fA-F]{64}$/)
  .transform((hex) => blockHashFromHex(asBlockHashHex(hex)));
const BlockHeight = z.int().nonnegative().max(MAX_HEIGHT);

/** The trees are 32 deep. */
const TreeSize = z
  .int()
  .nonnegative()
  .max(2 ** 32);

const ChainInfo = z.object({
  chain: z.string(),
  blocks: BlockHeight,
  bestblockhash: Hash.optional(),
  consensus: z.object({ nextblock: z.string() }).optional().catch(undefined),
  upgrades: z
    .record(z.string(), z.object({ activationheight: BlockHeight, status: z.string() }))
    .optional()
    .catch(undefined),
});

/** Its `estimated_time` is a day early on purpose, and wrong while the node syncs. */
const Deprecation = z.object({ end_of_service: z.object({ block_height: BlockHeight }).nullish() });
const NodeVersion = z.object({ subversion: z.string().max(256) });

/** Absent for a pool whose tree is empty. */
const Tree = z.object({ size: TreeSize }).optional();
const BlockSummary = z.object({
  hash: Hash.optional(),
  trees: z.object(perPool(() => Tree)).optional(),
});

const Frontier = z
  .object({
    commitments: z.object({
      finalRoot: z.string().max(64).optional(),
      finalState: z
        .string()
        .max(2 * MOST_STATE_BYTES)
        .optional(),
    }),
  })
  .optional();
const TreeState = z.object({ hash: Hash.optional(), ...perPool(() => Frontier) });

const Subtrees = z.object({
  subtrees: z.array(z.object({ root: z.string().regex(/^[0-9a-fA-F]{64}$/), end_height: BlockHeight })),
});

const HexBytes = z.string().min(2);

const Txid = z
  .string()
  .regex(/^[0-9a-fA-F]{64}$/)
  .transform((hex) => asTxIdHex(hex.toLowerCase()));
const Txids = z.array(Txid);

const Utxos = z.array(
  z.object({
    address: z.string(),
    txid: Txid,
    outputIndex: z.int().nonnegative().max(0xffff_ffff),
    satoshis: z.int().nonnegative().max(Number(MAX_MONEY)),
    height: BlockHeight,
  }),
);

/** `height`: absent for an unmined one, and -1 or absent for one whose block is not on the best chain. */
const Located = z.object({
  hex: HexBytes,
  height: z.int().min(-1).max(MAX_HEIGHT).nullish(),
  blockhash: z.string().nullish(),
});

/** A node's answer about a transaction that it has. */
export type LocatedTransaction = Omit<z.infer<typeof Located>, 'hex'> & { readonly bytes: Uint8Array };

export interface NodeChainInfo {
  readonly chain: string;
  readonly height: Height;
  /** Some nodes leave it out. */
  readonly bestHash: BlockHash | undefined;
  readonly unknownUpgrade: Height | undefined;
  /** The rules of the next block. */
  readonly next: ServerRules;
}

/** Tree sizes after a block; `hash` names it, where the node reports it. */
export interface NodeTreeSizes {
  readonly hash: BlockHash | undefined;
  readonly sizes: TreeSizes;
}

/** `hash` names the block, where the node reports it. */
export type NodeTreeStates = Omit<BlockTreeStates, 'hash'> & { readonly hash: BlockHash | undefined };

export class NodeRpc {
  readonly #client: JsonRpcClient;

  constructor(client: JsonRpcClient) {
    this.#client = client;
  }

  get host(): string {
    return this.#client.host;
  }

  get date(): number | undefined {
    return this.#client.date;
  }

  get receivedBytes(): number {
    return this.#client.receivedBytes;
  }

  close(): void {
    this.#client.close();
  }

  async chainInfo(): Promise<NodeChainInfo> {
    const info = await this.#required('getblockchaininfo', [], ChainInfo);
    const announced = Object.entries(info.upgrades ?? {})
      .filter(([, { status }]) => status === 'pending')
      .map(([branchId, { activationheight: height }]) => ({ branchId, height }));
    const next = { branchId: info.consensus?.nextblock ?? '', height: info.blocks + 1 };
    return {
      chain: info.chain,
      height: info.blocks,
      bestHash: info.bestblockhash,
      unknownUpgrade: unknownUpgrade([next, ...announced]),
      next,
    };
  }

  /** The last block of a node that stops by itself; undefined where it does not tell. */
  async endOfSupport(): Promise<Height | undefined> {
    const deprecation = await this.#known('getdeprecationinfo', [], Deprecation);
    if (deprecation !== null) return deprecation.end_of_service?.block_height;
    const info = await this.#known('getinfo', [], NodeVersion);
    return info === null ? undefined : lastBlockOf(info.subversion);
  }

  /** The height of the tip. */
  blockCount(): Promise<Height> {
    return this.#required('getblockcount', [], BlockHeight);
  }

  bestBlockHash(): Promise<BlockHash> {
    return this.#required('getbestblockhash', [], Hash);
  }

  /** null when the node does not know the height. */
  blockHash(height: Height): Promise<BlockHash | null> {
    return this.#known('getblockhash', [height], Hash);
  }

  /** The full block; null when the node does not know the height or the hash. */
  rawBlock(id: Height | BlockHash, signal?: AbortSignal): Promise<Uint8Array | null> {
    return this.#knownBytes('getblock', [blockId(id), 0], signal);
  }

  /** Tree sizes after the block at `height`; null when the node does not know the block or the sizes. */
  async blockTreeSizes(height: Height, signal?: AbortSignal): Promise<NodeTreeSizes | null> {
    const summary = await this.#known('getblock', [String(height), 1], BlockSummary, signal);
    const trees = summary?.trees;
    if (trees === undefined) return null;
    return { hash: summary?.hash, sizes: perPool((pool) => trees[pool]?.size ?? 0) };
  }

  /** The same from the frontiers of the trees; null when the node does not report them. */
  async treeStateSizes(height: Height, signal?: AbortSignal): Promise<NodeTreeSizes | null> {
    const method = 'z_gettreestate';
    const state = await this.#known(method, [String(height)], TreeState, signal);
    if (state?.sapling?.commitments.finalState === undefined) return null;
    const size = (frontier: z.infer<typeof Frontier>): number =>
      this.#format(method, () => treeSizeFromState(hexToBytes(frontier?.commitments.finalState ?? '')));
    return { hash: state.hash, sizes: perPool((pool) => size(state[pool])) };
  }

  /** The trees after the block at `height`; null when the node does not know the block, or reports no trees. */
  async treeStates(height: Height): Promise<NodeTreeStates | null> {
    const method = 'z_gettreestate';
    const reported = await this.#known(method, [String(height)], TreeState);
    if (reported === null) return null;
    const bytes = (hex: string | undefined): Uint8Array => this.#format(method, () => hexToBytes(hex ?? ''));
    return {
      hash: reported.hash,
      states: perPool((pool) => bytes(reported[pool]?.commitments.finalState)),
      roots: perPool((pool) => {
        const root = reported[pool]?.commitments.finalRoot;
        return root === undefined ? null : bytes(root);
      }),
    };
  }

  /** Full subtrees from `start` on, at most `limit`; null when the node does not report them. */
  async subtreeRoots(pool: Pool, start: number, limit: number): Promise<readonly SubtreeRoot[] | null> {
    const reported = await this.#known('z_getsubtreesbyindex', [pool, start, limit], Subtrees);
    return (
      reported?.subtrees.map(({ root, end_height: endHeight }) => ({ root: hexToBytes(root), endHeight })) ??
      null
    );
  }

  /** Null when the node does not know it. */
  rawTransaction(txid: TxId): Promise<Uint8Array | null> {
    return this.#knownBytes('getrawtransaction', [txIdToHex(txid), 0]);
  }

  /** The raw answer; `JsonRpcRefusal` with the node's words where it refuses the transaction. */
  sendRawTransaction(raw: Uint8Array): Promise<unknown> {
    return this.#client.callOnce('sendrawtransaction', [bytesToHex(raw)]);
  }

  /** Null where the node answers that it has no such transaction; every other refusal is a failure. */
  async locatedTransaction(txid: TxId): Promise<LocatedTransaction | null> {
    const method = 'getrawtransaction';
    try {
      const { hex, ...place } = await this.#checked(method, [txIdToHex(txid), 1], Located);
      return { ...place, bytes: this.#decodeHex(method, hex) };
    } catch (error) {
      if (!(error instanceof JsonRpcRefusal)) throw error;
      if (error.code === NO_SUCH_TRANSACTION) return null;
      throw this.#refused(error);
    }
  }

  /** Null from a node without an index of addresses. A node that does not know pieces gets the plain call. */
  async unspentOutputs(query: OutputsQuery): Promise<UnspentOutput[] | null> {
    const { addresses, startHeight } = query;
    const method = 'getaddressutxos';
    const reported =
      (await this.#known(method, [query], Utxos)) ??
      (startHeight === 0 ? await this.#known(method, [{ addresses }], Utxos) : null);
    return (
      reported?.map(({ address, txid, outputIndex: index, satoshis: zatoshi, height }) => ({
        address,
        txid: txIdFromHex(txid),
        index,
        zatoshi,
        height,
      })) ?? null
    );
  }

  /** Null when the node does not report it. */
  mempoolTxids(): Promise<TxIdHex[] | null> {
    return this.#known('getrawmempool', [], Txids);
  }

  /** Null also where the answer is not hex: any user of the network can put data into a mempool. */
  async unminedTransaction(txid: TxId, signal: AbortSignal): Promise<Uint8Array | null> {
    const hex = await this.#known('getrawtransaction', [txIdToHex(txid), 0], z.string(), signal);
    const bytes = hex === null ? null : Buffer.from(hex, 'hex');
    return bytes === null || bytes.length * 2 !== hex?.length ? null : bytes;
  }

  /** Null when the node refuses. */
  #known<T>(
    method: string,
    params: readonly unknown[],
    schema: z.ZodType<T>,
    signal?: AbortSignal,
  ): Promise<T | null> {
    return unlessRefused(this.#checked(method, params, schema, signal));
  }

  /** Null when the node refuses. */
  #knownBytes(method: string, params: readonly unknown[], signal?: AbortSignal): Promise<Uint8Array | null> {
    return unlessRefused(this.#bytes(method, params, signal));
  }

  async #bytes(method: string, params: readonly unknown[], signal?: AbortSignal): Promise<Uint8Array> {
    const result = await this.#client.callForHex(method, params, signal);
    return result instanceof Uint8Array
      ? result
      : this.#decodeHex(method, this.#fitting(method, result, HexBytes));
  }

  /** Any refusal is a failure. */
  async #required<T>(method: string, params: readonly unknown[], schema: z.ZodType<T>): Promise<T> {
    try {
      return await this.#checked(method, params, schema);
    } catch (error) {
      throw error instanceof JsonRpcRefusal ? this.#refused(error) : error;
    }
  }

  async #checked<T>(
    method: string,
    params: readonly unknown[],
    schema: z.ZodType<T>,
    signal?: AbortSignal,
  ): Promise<T> {
    return this.#fitting(method, await this.#client.call(method, params, signal), schema);
  }

  #fitting<T>(method: string, answer: unknown, schema: z.ZodType<T>): T {
    const result = schema.safeParse(answer);
    if (!result.success) throw this.#bad(`gave an answer to ${method} that does not have the expected form`);
    return result.data;
  }

  #decodeHex(method: string, hex: string): Uint8Array {
    // Buffer.from stops at the first character that is not hex: the length shows it, without a second pass.
    const bytes = Buffer.from(hex, 'hex');
    if (bytes.length * 2 !== hex.length) throw this.#bad(`gave an answer to ${method} that is not hex`);
    return bytes;
  }

  #format<T>(method: string, decode: () => T): T {
    try {
      return decode();
    } catch (error) {
      if (!(error instanceof FormatError)) throw error;
      throw this.#bad(`gave a malformed answer to ${method}`);
    }
  }

  #refused(refusal: JsonRpcRefusal): CompanionError {
    if (refusal.code === WARMING_UP) return this.#bad('is still starting; try again in a moment');
    return this.#bad(`refused ${refusal.method} with error ${refusal.code}`);
  }

  #bad(what: string): CompanionError {
    return new CompanionError('NODE_BAD_RESPONSE', `The chain node at ${this.host} ${what}.`);
  }
}

async function unlessRefused<T>(answer: Promise<T>): Promise<T | null> {
  try {
    return await answer;
  } catch (error) {
    if (!(error instanceof JsonRpcRefusal)) throw error;
    return null;
  }
}

/** The node takes heights as text too, so that one parameter can name a block either way. */
const blockId = (id: Height | BlockHash): string =>
  typeof id === 'number' ? String(id) : blockHashToHex(id);
