// The prover beside the reference crates: native Rust with assembly, where cargo and the sources of halo2work are, and their
// WebAssembly module, where it was built. Each in processes of its own, on a payment with `--actions` actions (two by default);
// CPU ratios of one run hold on a busy machine too, times by the clock do not.

import { execFileSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { type Row, tableOf } from '@wallet-companion/kernel/bench/table';
import { encodePczt } from '@wallet-companion/pczt/pczt';
import { stage } from '@wallet-companion/pczt/test/pcztVectors';
import { createModuleProver, proverIsBuilt } from '@wallet-companion/prover';
import { type Build, compile } from './cargo.ts';
import { numberOption } from './options.ts';
import type { OwnFigures, OwnMemory, Taken } from './prover/ownProcess.ts';

const OWN = fileURLToPath(new URL('./prover/ownProcess.js', import.meta.url));
const SOURCES = path.resolve(process.env['WALLET_COMPANION_SHARED'] ?? '../shared', 'tools/halo2work');
const TARGET = path.join(tmpdir(), 'wallet-companion-bench-halo2work');
const NATIVE: Build = { name: 'asm', features: ['asm', 'threads'], rustFlags: '' };
const THREADS = [1, 2] as const;

interface Figures {
  readonly key?: Taken;
  readonly first: Taken;
  readonly next: Taken;
  readonly memory?: number;
}

const least = (all: readonly Taken[]): Taken => ({
  clock: Math.min(...all.map(({ clock }) => clock)),
  cpu: Math.min(...all.map(({ cpu }) => cpu)),
});

function native(threads: 1 | 2, actions: number, proofs: number): Figures {
  const program = compile(SOURCES, 'halo2work', NATIVE, TARGET);
  const env = { ...process.env, RAYON_NUM_THREADS: String(threads) };
  const output = execFileSync(program, ['prove', '--actions', `${actions}`, '--repeat', `${proofs}`], {
    env,
  });
  const made = [...output.toString().matchAll(/^proof of \d+: ([\d.]+) s, cpu ([\d.]+) s/gm)].map(
    ([, clock, cpu]): Taken => ({ clock: Number(clock), cpu: Number(cpu) }),
  );
  return { first: made[0]!, next: least(made.slice(1)) };
}

/** What a process prints. */
function inProcess<T>(...args: readonly (string | number)[]): T {
  const output = execFileSync(process.execPath, [OWN, ...args.map(String)], {
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  return JSON.parse(output.toString()) as T;
}

function own(kernel: string, threads: 1 | 2, actions: number, proofs: number): Figures {
  const { key, proofs: made } = inProcess<OwnFigures>(kernel, threads, actions, proofs);
  // In a process of its own, with the threads that the product starts. It chooses the kernel.
  const memory = kernel === 'auto' ? inProcess<OwnMemory>('memory', threads, actions, proofs) : {};
  return { key, first: made[0]!, next: least(made.slice(1)), ...memory };
}

/** Its first proof contains the key. */
async function module(threads: number): Promise<Figures> {
  const prover = createModuleProver({ threads });
  const pczt = encodePczt(stage('v6-ironwood-ironwood', 'ready'), 2);
  const made: Taken[] = [];
  for (let i = 0; i < 2; i++) {
    const [began, before] = [performance.now(), process.cpuUsage()];
    await prover.prove(pczt);
    const { user, system } = process.cpuUsage(before);
    made.push({ clock: (performance.now() - began) / 1e3, cpu: (user + system) / 1e6 });
  }
  prover.close();
  return { first: made[0]!, next: made[1]! };
}

const seconds = (value: number | undefined): string => (value === undefined ? '' : value.toFixed(2));

export async function run(): Promise<void> {
  const actions = numberOption('actions', 2);
  const proofs = numberOption('proofs', 5);
  const isNative = existsSync(SOURCES);
  if (!isNative) console.log(`no sources of the native prover: ${SOURCES} (WALLET_COMPANION_SHARED)`);
  const rows: Row[] = [];
  for (const threads of THREADS) {
    const base = isNative ? native(threads, actions, proofs) : undefined;
    const add = (name: string, { key, first, next, memory }: Figures): void => {
      rows.push({
        prover: name,
        threads,
        'key, CPU s': seconds(key?.cpu),
        'first, CPU s': seconds(first.cpu),
        'next, CPU s': seconds(next.cpu),
        'of native': seconds(base && next.cpu / base.next.cpu),
        'next, clock s': seconds(next.clock),
        MiB: memory === undefined ? '' : Math.round(memory / 2 ** 20),
      });
    };
    if (base !== undefined) add('native', base);
    for (const kernel of ['wide', 'auto', 'portable']) {
      try {
        add(`own, ${kernel}`, own(kernel, threads, actions, proofs));
      } catch (error) {
        const { stderr } = error as { readonly stderr?: Buffer };
        console.log(
          `own, ${kernel}: ${/KernelUnavailableError: (.*)/.exec(`${stderr}`)?.[1] ?? `${stderr}`}`,
        );
      }
    }
    if (proverIsBuilt() && actions === 2) add('crates’ module', await module(threads));
  }
  console.log(tableOf(rows));
}
