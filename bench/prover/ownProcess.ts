// Makes proofs of one payment in a process of its own, and prints what they took: the first proof of a process compiles code.
// Arguments: kernel, threads, actions, proofs.

import { randomBytes } from 'node:crypto';
import { createActionProver } from '@wallet-companion/halo2';
import { loadProverData, ThreadedHelper } from '@wallet-companion/halo2/load';
import { type KernelOptions, loadKernel, loadVesta } from '@wallet-companion/kernel/kernelLoad';
import { instantiateVesta } from '@wallet-companion/kernel/vesta';
import type { Pczt } from '@wallet-companion/pczt/pczt';
import { stage } from '@wallet-companion/pczt/test/pcztVectors';

/** Seconds. */
export interface Taken {
  readonly clock: number;
  readonly cpu: number;
}

export interface OwnFigures {
  readonly variant: string;
  readonly key: Taken;
  /** One after the other; the first one compiles code. */
  readonly proofs: readonly Taken[];
  /** The most that the process had beside itself and the loaded files, in bytes. */
  readonly memory: number;
}

const [choice, threads, actions, proofs] = process.argv.slice(2) as [
  NonNullable<KernelOptions['choice']>,
  ...string[],
];

async function timed<T>(work: () => Promise<T>): Promise<readonly [T, Taken]> {
  const [began, before] = [performance.now(), process.cpuUsage()];
  const result = await work();
  const { user, system } = process.cpuUsage(before);
  return [result, { clock: (performance.now() - began) / 1e3, cpu: (user + system) / 1e6 }];
}

/** The vector has two actions; a circuit does not mind that one comes again. */
function payment(count: number): Pczt {
  const ready = stage('v6-ironwood-ironwood', 'ready');
  const { actions: own } = ready.ironwood;
  const repeated = Array.from({ length: count }, (_, i) => own[i % own.length]!);
  return { ...ready, ironwood: { ...ready.ironwood, actions: repeated } };
}

const module = await loadVesta(await loadKernel({ choice }));
const { witnesses, ...shared } = await loadProverData();
const pczt = payment(Number(actions));
const bare = process.memoryUsage.rss();
let helper: ThreadedHelper | undefined;
const [prover, key] = await timed(async () => {
  if (threads === '2') helper = new ThreadedHelper({ module, ...shared });
  return createActionProver({
    kernel: instantiateVesta(module),
    ...shared,
    witnesses,
    random: (length) => new Uint8Array(randomBytes(length)),
    ...(helper && { helper }),
  });
});
const taken: Taken[] = [];
// Each is verified before it is given.
for (let i = 0; i < Number(proofs); i++) taken.push((await timed(() => prover.prove(pczt)))[1]);
const figures: OwnFigures = {
  variant: module.variant,
  key,
  proofs: taken,
  memory: process.resourceUsage().maxRSS * 1024 - bare,
};
console.log(JSON.stringify(figures));
await helper?.close();
