// The chain side for other threads: `ChainService` as the calls of a channel, both ends.

import type { MessagePort } from 'node:worker_threads';
import type { ChainService } from '@wallet-companion/chain/ports';
import { unwrap } from '../protocol/result.ts';
import { Channel, threadLost, withBuffer } from './channel.ts';

type Method = keyof ChainService;
type Call = (argument: unknown) => Promise<unknown>;

const METHODS: Readonly<Record<Method, true>> = {
  configure: true,
  walletScanned: true,
  tip: true,
  peersFrom: true,
  blockHash: true,
  blockTime: true,
  treeSizesAt: true,
  treeStates: true,
  subtreeRoots: true,
  openRange: true,
  nextBatch: true,
  closeRange: true,
  newBlock: true,
  endWait: true,
  mempool: true,
  rawBlock: true,
  rawTransaction: true,
  sendTransaction: true,
  transactionStatus: true,
  unspentOutputs: true,
  probeNode: true,
};

const withMethods = (call: (method: Method) => Call): ChainService =>
  Object.fromEntries(
    Object.keys(METHODS).map((method) => [method, call(method as Method)]),
  ) as unknown as ChainService;

interface ChainMethods {
  readonly calls: ChainService;
}
export type ChainChannel = Channel<ChainMethods>;

export function serveChain(
  port: MessagePort,
  chain: ChainService,
  logFault: (where: string, fault: unknown) => void,
): void {
  const calls = withMethods((method) => async (argument) => {
    const answer = await (chain[method].bind(chain) as Call)(argument);
    // Batches and raw blocks are moved, not copied.
    return withBuffer(answer);
  });
  new Channel({
    port,
    methods: { calls },
    logFault: (method, fault) => logFault(`chain.${method}`, fault),
  });
}

/** `ChainService` over a channel that is replaced when the chain thread was restarted; undefined while that is lost. */
export const remoteChain = (current: () => ChainChannel | undefined): ChainService =>
  withMethods(
    (method) => async (argument) =>
      unwrap(await (current()?.call(method, argument as never) ?? threadLost())),
  );

export const chainChannel = (port: MessagePort): ChainChannel => new Channel({ port, methods: {} });
