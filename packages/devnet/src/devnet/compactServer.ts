// CompactTxStreamer over plaintext HTTP/2 on the loopback interface, serving the same blocks as the JSON-RPC. It
// behaves like the server built into zebrad or like an old lightwalletd, and on request misbehaves in ways that a
// client has to survive.

import * as grpc from '@grpc/grpc-js';
import { bytesToHex } from '@wallet-companion/base/bytes';
import type { Height } from '@wallet-companion/base/values';
import {
  type BlockID,
  BlockIDSchema,
  type BlockRange,
  BlockRangeSchema,
  ChainSpecSchema,
  EmptySchema,
  type GetAddressUtxosArg,
  GetAddressUtxosArgSchema,
  GetAddressUtxosReplyListSchema,
  type GetSubtreeRootsArg,
  GetSubtreeRootsArgSchema,
  LightdInfoSchema,
  type RawTransaction,
  RawTransactionSchema,
  SendResponseSchema,
  SubtreeRootSchema,
  TreeStateSchema,
  type TxFilter,
  TxFilterSchema,
} from '@wallet-companion/zcash/compactProto';
import { blockHashToHex, toDisplayHex, txIdToHex } from '@wallet-companion/zcash/identifiers';
import { branchIdAt } from '@wallet-companion/zcash/network';
import { POOL, POOLS, type Pool } from '@wallet-companion/zcash/pools';
import type { ChainView } from './chainView.ts';
import { type CompactFault, type CompactMethod, usualMethod } from './compactFault.ts';
import { RpcError } from './devnetError.ts';
import { Faults, type PendingFault } from './faults.ts';
import {
  encode,
  flood,
  methodDefinition,
  RpcFailure,
  statusOf,
  unavailable,
  writable,
} from './grpcService.ts';
import type { UnminedTransaction } from './mempool.ts';
import type { MinedBlock } from './minedBlock.ts';
import { chainName } from './nodeMethods.ts';
import { encodeFrontier } from './noteTree.ts';
import { compactWithout } from './omission.ts';
import { coinsAt } from './transparentCoins.ts';
import { hasTreeState } from './treeStates.ts';
import { branchIdHex } from './upgrades.ts';

/** A call as the server saw it, with all that it could learn from it. */
export interface AnsweredCall {
  readonly method: CompactMethod;
  /** The request in words: a height, a range, a pool; empty where there is nothing in it. */
  readonly request: string;
  /** Size of the messages that were answered. */
  readonly bytes: number;
}

export interface CompactServerOptions {
  /** 0, the default, picks a free port. */
  readonly port?: number;
  /**
   * `zebrad`: the server built into the node. `old`: a lightwalletd from before Ironwood, which answers the tip's hash
   * in display order, fails with UNKNOWN, and stays below the first block that it cannot read.
   */
  readonly flavour?: 'zebrad' | 'old';
}

const GARBAGE = Uint8Array.from({ length: 61 }, (_, i) => (i * 89 + 255) & 0xff);

export class CompactServer {
  #view: ChainView;
  readonly #faults = new Faults<CompactFault>();
  readonly #calls = new Map<CompactMethod, number>();
  /** Set only while the server listens: the gRPC library keeps each server, with its chain, until it is shut down. */
  #server: grpc.Server | undefined;
  #flavour: 'zebrad' | 'old' = 'zebrad';
  #watcher: () => void = () => undefined;
  #listener: (call: AnsweredCall) => void = () => undefined;
  #mempoolStreams = 0;

  constructor(view: ChainView) {
    this.#view = view;
  }

  #made(): grpc.Server {
    const server = new grpc.Server();
    const definition: Record<CompactMethod, grpc.MethodDefinition<unknown, Uint8Array>> = {
      GetLatestBlock: methodDefinition('GetLatestBlock', ChainSpecSchema),
      GetBlock: methodDefinition('GetBlock', BlockIDSchema),
      GetBlockRange: methodDefinition('GetBlockRange', BlockRangeSchema),
      GetTransaction: methodDefinition('GetTransaction', TxFilterSchema),
      SendTransaction: methodDefinition('SendTransaction', RawTransactionSchema),
      GetTreeState: methodDefinition('GetTreeState', BlockIDSchema),
      GetLightdInfo: methodDefinition('GetLightdInfo', EmptySchema),
      GetMempoolStream: methodDefinition('GetMempoolStream', EmptySchema),
      GetSubtreeRoots: methodDefinition('GetSubtreeRoots', GetSubtreeRootsArgSchema),
      GetAddressUtxos: methodDefinition('GetAddressUtxos', GetAddressUtxosArgSchema),
    };
    server.addService(definition, {
      GetLatestBlock: this.#unary('GetLatestBlock', () => this.#latestBlock()),
      GetBlock: this.#unary('GetBlock', (request: BlockID) => this.#blockById(request).compact),
      GetBlockRange: (call: grpc.ServerWritableStream<BlockRange, Uint8Array>) => {
        this.#streamRange(call).catch((thrown: unknown) => call.emit('error', statusOf(thrown)));
      },
      GetTransaction: this.#unary('GetTransaction', (request: TxFilter) => this.#transaction(request)),
      SendTransaction: this.#unary('SendTransaction', (request: RawTransaction) => this.#send(request)),
      GetTreeState: this.#unary('GetTreeState', (request: BlockID) => this.#treeState(request)),
      GetLightdInfo: this.#unary('GetLightdInfo', (_, fault) => this.#info(fault?.kind === 'other-network')),
      GetMempoolStream: (call: grpc.ServerWritableStream<unknown, Uint8Array>) => this.#streamMempool(call),
      GetSubtreeRoots: (call: grpc.ServerWritableStream<GetSubtreeRootsArg, Uint8Array>) =>
        this.#streamSubtreeRoots(call),
      GetAddressUtxos: this.#unary('GetAddressUtxos', (request: GetAddressUtxosArg) =>
        this.#addressUtxos(request),
      ),
    });
    return server;
  }

  /** Serves another chain from the next answer on. */
  show(view: ChainView): void {
    this.#view = view;
  }

  /** Resolves with the server's address, `http://127.0.0.1:PORT`. */
  async listen({ port = 0, flavour = 'zebrad' }: CompactServerOptions = {}): Promise<string> {
    this.#flavour = flavour;
    const server = this.#made();
    this.#server = server;
    const bound = await new Promise<number>((resolve, reject) => {
      server.bindAsync(`127.0.0.1:${port}`, grpc.ServerCredentials.createInsecure(), (error, boundPort) =>
        error ? reject(error) : resolve(boundPort),
      );
    });
    return `http://127.0.0.1:${bound}`;
  }

  /** Also ends stalled calls. */
  close(): Promise<void> {
    this.#server?.forceShutdown();
    this.#server = undefined;
    return Promise.resolve();
  }

  misbehave(fault: CompactFault): void {
    this.#faults.add(fault);
  }

  behave(): void {
    this.#faults.clear();
  }

  get faults(): readonly PendingFault<CompactFault>[] {
    return this.#faults.pending;
  }

  /** `watcher` runs before each answer and each block of a range, so that the chain can change between any two. */
  watch(watcher: () => void): void {
    this.#watcher = watcher;
  }

  /** `listener` gets each call of blocks, trees and transactions once it is answered; failed ones have no bytes. */
  onCall(listener: (call: AnsweredCall) => void): void {
    this.#listener = listener;
  }

  /** How often a method was called since the start. */
  callCount(method: CompactMethod): number {
    return this.#calls.get(method) ?? 0;
  }

  /** Count of open mempool streams. */
  get mempoolStreams(): number {
    return this.#mempoolStreams;
  }

  /** Counts the call and returns the fault that hits it. */
  #begin(method: CompactMethod): CompactFault | undefined {
    this.#calls.set(method, this.callCount(method) + 1);
    this.#watcher();
    return this.#faults.take((fault) => (fault.method ?? usualMethod(fault)) === method);
  }

  #unary<Request>(
    method: CompactMethod,
    answer: (request: Request, fault: CompactFault | undefined) => Uint8Array | Promise<Uint8Array>,
  ): grpc.handleUnaryCall<Request, Uint8Array> {
    return async (call, callback) => {
      const fault = this.#begin(method);
      const answered = (bytes: number) => this.#listener({ method, request: wordsOf(call.request), bytes });
      if (fault?.kind === 'stall') {
        fault.onStall?.();
        return;
      }
      try {
        if (fault?.kind === 'error') throw unavailable();
        if (fault?.kind === 'not-offered') throw new RpcFailure(grpc.status.UNIMPLEMENTED, 'unknown method');
        const honest = fault?.kind === 'garbage' ? GARBAGE : await answer(call.request, fault);
        if (fault?.kind === 'lost') throw unavailable();
        answered(honest.length);
        callback(null, honest);
      } catch (thrown) {
        answered(0);
        callback(statusOf(thrown));
      }
    };
  }

  async #streamRange(call: grpc.ServerWritableStream<BlockRange, Uint8Array>): Promise<void> {
    const fault = this.#begin('GetBlockRange');
    const start = Number(call.request.start?.height ?? 0n);
    const end = Number(call.request.end?.height ?? 0n);
    const step = start <= end ? 1 : -1;
    let sent = 0;
    const send = async (bytes: Uint8Array) => {
      sent += bytes.length;
      if (!call.write(bytes)) await writable(call);
    };
    call.once('close', () =>
      this.#listener({ method: 'GetBlockRange', request: `${start} to ${end}`, bytes: sent }),
    );
    for (let height = start; !call.cancelled && height !== end + step; height += step) {
      if (height !== start) this.#watcher();
      const block = this.#blockForRange(height, fault);
      if (!block) throw this.#notFound('block');
      const hit = height === (fault?.at ?? start) ? fault?.kind : undefined;
      if (hit === 'stall') {
        fault?.onStall?.();
        return;
      }
      if (hit === 'short-stream') break;
      if (hit === 'error') throw unavailable();
      if (hit === 'garbage') await send(GARBAGE);
      else if (fault?.omission !== undefined)
        await send(compactWithout(block, fault.omission, fault.at ?? 0));
      else if (hit !== 'gap') await send(block.compact);
      if (hit === 'duplicate') await send(block.compact);
    }
    call.end();
  }

  #streamSubtreeRoots(call: grpc.ServerWritableStream<GetSubtreeRootsArg, Uint8Array>): void {
    const fault = this.#begin('GetSubtreeRoots');
    if (fault?.kind === 'stall') {
      fault.onStall?.();
      return;
    }
    const { startIndex, shieldedProtocol, maxEntries } = call.request;
    const pool = POOLS[shieldedProtocol];
    if (fault?.kind === 'error') call.emit('error', statusOf(unavailable()));
    else if (fault?.kind === 'not-offered' || pool === undefined)
      call.emit('error', statusOf(new RpcFailure(grpc.status.UNIMPLEMENTED, 'unknown method')));
    else {
      const roots = this.#view.trees[pool].subtreeRoots(this.#tip());
      const end = maxEntries === 0 ? roots.length : startIndex + maxEntries;
      let bytes = 0;
      for (const { root, block } of roots.slice(startIndex, end)) {
        const fields = {
          rootHash: root,
          completingBlockHash: Uint8Array.from(block.hash).reverse(),
          completingBlockHeight: BigInt(block.height),
        };
        const message = fault?.kind === 'garbage' ? GARBAGE : encode(SubtreeRootSchema, fields);
        bytes += message.length;
        call.write(message);
      }
      this.#listener({ method: 'GetSubtreeRoots', request: `${pool} ${startIndex} to ${end}`, bytes });
      call.end();
    }
  }

  /** Streams the transactions in the mempool and those that enter it, until the next block. */
  #streamMempool(call: grpc.ServerWritableStream<unknown, Uint8Array>): void {
    const fault = this.#begin('GetMempoolStream');
    if (fault?.kind === 'error') call.emit('error', statusOf(unavailable()));
    else if (fault?.kind === 'not-offered')
      call.emit('error', statusOf(new RpcFailure(grpc.status.UNIMPLEMENTED, 'unknown method')));
    else if (fault?.kind === 'short-stream') call.end();
    else this.#untilBlock(call, fault);
  }

  #untilBlock(call: grpc.ServerWritableStream<unknown, Uint8Array>, fault: CompactFault | undefined): void {
    const unlisten = this.#view.blocks.onBlock(() => {
      if (fault?.kind !== 'stall') call.end();
    });
    const send = ({ bytes }: UnminedTransaction): void => {
      if (fault?.kind === 'garbage') call.write(GARBAGE);
      else if (fault?.kind !== 'stall') call.write(encode(RawTransactionSchema, { data: bytes, height: 0n }));
    };
    const unlistenTransactions = this.#view.mempool.onTransaction(send);
    for (const transaction of this.#view.mempool.transactions) send(transaction);
    this.#mempoolStreams += 1;
    call.once('close', () => {
      unlisten();
      unlistenTransactions();
      this.#mempoolStreams -= 1;
    });
    if (fault?.kind === 'flood') flood(call);
    fault?.onStall?.();
  }

  #blockForRange(height: Height, fault: CompactFault | undefined): MinedBlock | undefined {
    const { abandoned } = this.#view.blocks;
    const stale = fault?.kind === 'stale-branch' && height <= (fault.at ?? height);
    const staleBlock = stale ? abandoned.find((block) => block.height === height) : undefined;
    return staleBlock ?? this.#blockAt(height);
  }

  /** An old server never gets past the first block that it cannot read. */
  #tip(): MinedBlock {
    const { blocks, params } = this.#view;
    if (this.#flavour !== 'old') return blocks.tip;
    const unknown = POOLS.filter((pool) => POOL[pool].oldServersOmit).map(
      (pool) => params.activation[POOL[pool].activation] ?? Number.POSITIVE_INFINITY,
    );
    const firstUnknown = Math.min(...unknown);
    return (blocks.tip.height >= firstUnknown ? blocks.at(firstUnknown - 1) : undefined) ?? blocks.tip;
  }

  #blockAt(height: Height): MinedBlock | undefined {
    return height > this.#tip().height ? undefined : this.#view.blocks.at(height);
  }

  #notFound(what: 'block' | 'transaction'): RpcFailure {
    if (this.#flavour === 'zebrad') return new RpcFailure(grpc.status.NOT_FOUND, `${what} not found`);
    return new RpcFailure(
      grpc.status.UNKNOWN,
      what === 'block'
        ? 'block requested is newer than latest block'
        : '-5: No information available about transaction',
    );
  }

  #unspecified(): RpcFailure {
    return this.#flavour === 'zebrad'
      ? new RpcFailure(grpc.status.INVALID_ARGUMENT, 'block id must specify a hash or a height')
      : new RpcFailure(grpc.status.UNKNOWN, 'request for unspecified identifier');
  }

  /** Height 0 and none are the same on the wire, so no server names genesis by its height. */
  #blockById({ height, hash }: BlockID): MinedBlock {
    if (height === 0n && hash.length === 0) throw this.#unspecified();
    const byHash = hash.length > 0 && this.#flavour === 'zebrad';
    const block = byHash ? this.#view.blocks.byHash(toDisplayHex(hash)) : this.#blockAt(Number(height));
    if (!block) throw this.#notFound('block');
    return block;
  }

  #latestBlock(): Uint8Array {
    const tip = this.#tip();
    const hash = this.#flavour === 'old' ? Uint8Array.from(tip.hash).reverse() : tip.hash;
    return encode(BlockIDSchema, { height: BigInt(tip.height), hash });
  }

  #transaction({ hash }: TxFilter): Uint8Array {
    const unmined = this.#view.mempool.byTxid(toDisplayHex(hash));
    if (unmined) return encode(RawTransactionSchema, { data: unmined.bytes, height: 0n });
    const mined = this.#view.blocks.byTxid(toDisplayHex(hash));
    if (!mined) throw this.#notFound('transaction');
    return encode(RawTransactionSchema, {
      data: mined.transaction.bytes,
      height: BigInt(mined.block.height),
    });
  }

  /** A refusal is part of the answer, as on all servers. lightwalletd passes the node's JSON on. */
  async #send({ data }: RawTransaction): Promise<Uint8Array> {
    const view = this.#view;
    if (view.receive === undefined) throw new RpcFailure(grpc.status.UNIMPLEMENTED, 'unknown method');
    try {
      const txid = txIdToHex(await view.receive(data));
      const errorMessage = this.#flavour === 'old' ? JSON.stringify(txid) : txid;
      return encode(SendResponseSchema, { errorCode: 0, errorMessage });
    } catch (thrown) {
      if (!(thrown instanceof RpcError)) throw thrown;
      return encode(SendResponseSchema, { errorCode: thrown.code, errorMessage: thrown.message });
    }
  }

  #addressUtxos({ addresses, startHeight, maxEntries }: GetAddressUtxosArg): Uint8Array {
    const coins = coinsAt(this.#view, addresses).filter(({ height }) => height >= startHeight);
    const reported = maxEntries === 0 ? coins : coins.slice(0, maxEntries);
    return encode(GetAddressUtxosReplyListSchema, {
      addressUtxos: reported.map(({ address, txid, index, scriptPubKey, value, height }) => ({
        address,
        txid,
        index,
        script: scriptPubKey,
        valueZat: value,
        height: BigInt(height),
      })),
    });
  }

  #treeState(request: BlockID): Uint8Array {
    const block = this.#blockById(request);
    const { params, trees } = this.#view;
    const state = (pool: Pool): string =>
      hasTreeState(pool, params.activation, block.height)
        ? bytesToHex(encodeFrontier(trees[pool].frontierAfter(block)))
        : '';
    const states: Readonly<Record<`${Pool}Tree`, string>> = {
      saplingTree: state('sapling'),
      orchardTree: state('orchard'),
      ironwoodTree: state('ironwood'),
    };
    return encode(TreeStateSchema, {
      network: chainName(params),
      height: BigInt(block.height),
      hash: blockHashToHex(block.hash),
      time: block.time,
      ...states,
    });
  }

  #info(otherNetwork: boolean): Uint8Array {
    const { params } = this.#view;
    const { height } = this.#tip();
    const name = chainName(params);
    return encode(LightdInfoSchema, {
      version: this.#flavour === 'old' ? 'v0.4.18' : 'v7.0.0',
      vendor: 'devnet',
      taddrSupport: true,
      chainName: otherNetwork ? (name === 'main' ? 'test' : 'main') : name,
      saplingActivationHeight: BigInt(params.activation.sapling),
      consensusBranchId: branchIdHex(branchIdAt(params.activation, height)),
      blockHeight: BigInt(height),
      estimatedHeight: BigInt(height),
      nodeBuild: 'devnet',
      nodeSubversion: '/Devnet/',
    });
  }
}

/** The only field in which two requests of a method may differ. */
function wordsOf(request: unknown): string {
  const { height, hash } = request as Partial<BlockID>;
  if (height !== undefined && height > 0n) return String(height);
  return hash === undefined || hash.length === 0 ? '' : toDisplayHex(hash);
}
