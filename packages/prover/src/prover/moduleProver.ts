// The reference crates' prover, a WebAssembly module: its threads share one memory.

import { compiledModule } from './builtModule.ts';
import { type PcztProver, type ProverOptions, proverOn } from './calls.ts';
import type { ModuleStart } from './messages.ts';
import { ProverThreads } from './proverThreads.ts';
import { readSaplingParameters } from './saplingParameters.ts';

/** Both numbers are also in rust/.cargo/config.toml. README.md has what proofs take. */
const INITIAL_PAGES = 1024;
export const MAX_PAGES = 16_384;

export interface ModuleProverOptions extends ProverOptions {
  /** The folder of Sapling's parameters; undefined, or without it: PCZTs that lack Sapling proofs are refused. */
  readonly sapling?: () => Promise<string | undefined>;
  /** Another module than the one that was built. */
  readonly module?: URL;
}

export function createModuleProver({
  threads,
  whenIdle,
  module: url,
  sapling: folderOf,
}: ModuleProverOptions): PcztProver {
  return proverOn(async () => {
    const module = await compiledModule(url);
    const folder = await folderOf?.();
    const sapling = folder === undefined ? undefined : await readSaplingParameters(folder);
    const memory = new WebAssembly.Memory({ initial: INITIAL_PAGES, maximum: MAX_PAGES, shared: true });
    return new ProverThreads({
      file: new URL('./moduleThread.js', import.meta.url),
      dataOf: (role): ModuleStart =>
        role.kind === 'calls' ? { module, memory, role, sapling } : { module, memory, role },
      threads,
    });
  }, whenIdle);
}
