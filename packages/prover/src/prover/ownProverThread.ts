// The thread of the project's own prover. It loads kernel, circuit and key with its first call, and starts another thread for
// half of the work.

import { randomBytes } from 'node:crypto';
import { parentPort, workerData } from 'node:worker_threads';
import { FormatError } from '@wallet-companion/base/bytes';
import { type ActionProver, createActionProver, UnprovableError } from '@wallet-companion/halo2';
import { loadProverData, ThreadedHelper } from '@wallet-companion/halo2/load';
import { KernelUnavailableError } from '@wallet-companion/kernel/kernel';
import { loadKernel, loadVesta } from '@wallet-companion/kernel/kernelLoad';
import { instantiateVesta } from '@wallet-companion/kernel/vesta';
import { decodePczt, encodePczt, PcztRefusal } from '@wallet-companion/pczt/pczt';
import { ACTION_POOLS } from '@wallet-companion/zcash/pools';
import { ProverError, STATUS } from './failures.ts';
import type { Call, FromThread } from './messages.ts';

/** As the reference crates' module takes. */
const MAX_ACTIONS = 64;

interface Loaded {
  readonly prover: ActionProver;
  readonly memoryBytes: () => number;
}

const { threads } = workerData as { readonly threads: number };
let loading: Promise<Loaded> | undefined;

async function load(): Promise<Loaded> {
  const module = await loadVesta(await loadKernel());
  const data = await loadProverData();
  const helper = threads > 1 ? new ThreadedHelper({ module, ...data }) : undefined;
  const kernel = instantiateVesta(module);
  const random = (length: number): Uint8Array => new Uint8Array(randomBytes(length));
  const prover = createActionProver({ kernel, ...data, random, ...(helper && { helper }) });
  // The other thread's kernel has about as much.
  return { prover, memoryBytes: () => kernel.memory.bytes.length * (helper === undefined ? 1 : 2) };
}

async function answerTo({ prover }: Loaded, { name, pczt: bytes }: Call): Promise<Uint8Array<ArrayBuffer>> {
  const { pczt, encoding } = decodePczt(bytes);
  if (ACTION_POOLS.some((pool) => pczt[pool].actions.length > MAX_ACTIONS))
    throw new ProverError('INVALID_PCZT', `A pool has more than ${MAX_ACTIONS} actions.`);
  const wrong = prover.findWrongProofs(pczt);
  if (wrong.length > 0)
    throw new ProverError('WRONG_PROOF', `What is wrong is the proof of ${wrong.join(', ')}.`);
  return name === 'verify' ? new Uint8Array(0) : encodePczt(await prover.prove(pczt), encoding);
}

function failureOf(error: unknown): ProverError {
  if (error instanceof ProverError) return error;
  const { name, message } = error instanceof Error ? error : new Error('What was thrown is no error.');
  if (error instanceof UnprovableError) return new ProverError('UNPROVABLE', message);
  if (error instanceof FormatError || error instanceof PcztRefusal)
    return new ProverError('INVALID_PCZT', message);
  if (error instanceof KernelUnavailableError) return new ProverError('NO_KERNEL', message);
  return new ProverError('CRASHED', name);
}

async function onCall(call: Call): Promise<void> {
  let loaded: Loaded | undefined;
  const post = (status: number, answer: Uint8Array<ArrayBuffer>): void => {
    const memoryBytes = loaded?.memoryBytes() ?? 0;
    const message: FromThread = { kind: 'answer', status, answer, memoryBytes };
    parentPort!.postMessage(message, [answer.buffer]);
  };
  try {
    loading ??= load();
    loaded = await loading;
    post(0, await answerTo(loaded, call));
  } catch (thrown) {
    const { code, message } = failureOf(thrown);
    // A thread in an unknown state ends.
    if (!(code in STATUS)) throw thrown;
    post(STATUS[code as keyof typeof STATUS], new TextEncoder().encode(message));
  } finally {
    call.pczt.fill(0);
  }
}

parentPort!.on('message', (call: Call) => void onCall(call));
