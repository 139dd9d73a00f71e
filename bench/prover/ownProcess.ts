// Makes proofs of one payment in a process of its own, and prints what they took: the first proof of a process compiles code.
// Arguments: kernel, or `memory` for what the product's prover takes of it; threads, actions, proofs.

import { randomBytes } from 'node:crypto';
import { createActionProver } from '@wallet-companion/halo2';
import { loadProverData, ThreadedHelper } from '@wallet-companion/halo2/load';
import { type KernelOptions, loadKernel, loadVesta } from '@wallet-companion/kernel/kernelLoad';
import { instantiateVesta } from '@wallet-companion/kernel/vesta';
import { encodePczt, type Pczt } from '@wallet-companion/pczt/pczt';
import { stage } from '@wallet-companion/pczt/test/pcztVectors';
import { createOwnProver } from '@wallet-companion/prover';

/** Seconds. */
export interface Taken {
  readonly clock: number;
  readonly cpu: number;
}

export interface OwnFigures {
  readonly key: Taken;
  /** One after the other; the first one compiles code. */
  readonly proofs: readonly Taken[];
}

/** Of the product's prover with its threads. */
export interface OwnMemory {
  /** The most that the process had, less what it had before it made the prover, in bytes. */
  readonly memory: number;
}

const [choice, threads, actions, proofs] = process.argv.slice(2) as [
  NonNullable<KernelOptions['choice']> | 'memory',
  ...string[],
];

async function timed<T>(work: () => Promise<T>): Promise<readonly [T, Taken]> {
  const [began, before] = [performance.now(), process.cpuUsage()];
  const result = await work();
  const { user, system } = process.cpuUsage(before);
  return [result, { clock: (performance.now() - began) / 1e3, cpu: (user + system) / 1e6 }];
}

/** The vector has two actions; a circuit does not mind that one comes again. */
function payment(): Pczt {
  const ready = stage('v6-ironwood-ironwood', 'ready');
  const { actions: own } = ready.ironwood;
  const repeated = Array.from({ length: Number(actions) }, (_, i) => own[i % own.length]!);
  return { ...ready, ironwood: { ...ready.ironwood, actions: repeated } };
}

async function figures(kernel: NonNullable<KernelOptions['choice']>): Promise<OwnFigures> {
  const module = await loadVesta(await loadKernel({ choice: kernel }));
  const data = await loadProverData();
  const pczt = payment();
  let helper: ThreadedHelper | undefined;
  const [prover, key] = await timed(async () => {
    if (threads === '2') helper = new ThreadedHelper({ module, ...data });
    const random = (length: number) => new Uint8Array(randomBytes(length));
    return createActionProver({
      kernel: instantiateVesta(module),
      ...data,
      random,
      ...(helper && { helper }),
    });
  });
  const taken: Taken[] = [];
  // Each is verified before it is given.
  for (let i = 0; i < Number(proofs); i++) taken.push((await timed(() => prover.prove(pczt)))[1]);
  await helper?.close();
  return { key, proofs: taken };
}

async function memory(): Promise<OwnMemory> {
  const pczt = encodePczt(payment(), 2);
  const bare = process.memoryUsage.rss();
  const prover = createOwnProver({ threads: Number(threads) });
  for (let i = 0; i < Number(proofs); i++) await prover.prove(pczt);
  prover.close();
  return { memory: process.resourceUsage().maxRSS * 1024 - bare };
}

console.log(JSON.stringify(choice === 'memory' ? await memory() : await figures(choice)));
