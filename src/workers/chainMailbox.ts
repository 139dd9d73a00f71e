// The chain side for other threads: `ChainService` calls as messages `{method, argument}`, both ends.

import { MessageChannel, type MessagePort } from 'node:worker_threads';
import type { ChainService } from '@wallet-companion/chain/ports';
import { CompanionError } from '../protocol/errors.ts';
import { ok, type Result, unwrap } from '../protocol/result.ts';
import { Mailbox, serveMailbox } from './mailbox.ts';

type Method = keyof ChainService;

const METHODS: Readonly<Record<Method, true>> = {
  configure: true,
  walletScanned: true,
  tip: true,
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

const isMethod = (name: unknown): name is Method => typeof name === 'string' && Object.hasOwn(METHODS, name);

export function serveChain(
  port: MessagePort,
  chain: ChainService,
  logFault: (where: string, fault: unknown) => void,
): void {
  serveMailbox(
    port,
    async (message) => {
      const { method, argument } = (message ?? {}) as Record<string, unknown>;
      if (!isMethod(method)) throw new CompanionError('NOT_FOUND', 'There is no such operation.');
      try {
        const call = chain[method].bind(chain) as (argument: unknown) => Promise<unknown>;
        return ok(await call(argument));
      } catch (error) {
        if (!(error instanceof CompanionError)) logFault(`chain.${method}`, error);
        throw error;
      }
    },
    buffersOf,
  );
}

/** Batches and raw blocks are moved, not copied. */
function buffersOf(answer: Result<unknown>): ArrayBuffer[] {
  if (!answer.ok || answer.value === null || typeof answer.value !== 'object') return [];
  if (answer.value instanceof ArrayBuffer) return [answer.value];
  const { buffer } = answer.value as { buffer?: unknown };
  return buffer instanceof ArrayBuffer ? [buffer] : [];
}

/** `ChainService` over a port that is replaced when the chain thread was restarted. */
export function remoteChain(current: () => Mailbox): ChainService {
  const call = (method: Method) => async (argument?: unknown) =>
    unwrap((await current().send({ method, argument })) as Result<never>);
  return Object.fromEntries(
    Object.keys(METHODS).map((method) => [method, call(method as Method)]),
  ) as unknown as ChainService;
}

/** The mailbox of a missing thread: every call fails. */
export const absentMailbox = (): Mailbox => new Mailbox(new MessageChannel().port1, Promise.resolve());

/** The mailbox of a port whose other end closes when its thread ends. */
export function mailboxOf(port: MessagePort): Mailbox {
  return new Mailbox(port, new Promise((resolve) => port.once('close', resolve)));
}
