// The build for wider vectors. Where V8 does not widen them it computes the same, so every Node tests the build itself.

import { readFile } from 'node:fs/promises';
import type { KernelModule, KernelWatch } from '../../src/kernel/load/kernelModule.ts';
import { loadKernel } from '../../src/kernel/loadKernel.ts';
import { wideHindrance } from '../../src/kernel/wideFlags.ts';

const compiled = async (name: string): Promise<WebAssembly.Module> =>
  new WebAssembly.Module(
    new Uint8Array(await readFile(new URL(`../../src/kernel/wasm/${name}.wasm`, import.meta.url))),
  );

export async function loadWideKernel(): Promise<KernelModule> {
  if (wideHindrance() === undefined) return loadKernel({ choice: 'wide' });
  const narrow = await loadKernel({ choice: 'fma' });
  const [pallas, jubjub] = [await compiled('pallas-fma-wide'), await compiled('jubjub-fma-wide')];
  return { ...narrow, variant: 'wide', reason: 'asked for', modules: { ...narrow.modules, pallas, jubjub } };
}

/** What takes over from a build that is watched; `refused` is new each time. */
export const watchOf = (...others: readonly KernelModule[]): KernelWatch => ({
  others,
  refused: new Int32Array(new SharedArrayBuffer(4)),
});

/** Each build, with what loads it. */
export const KERNELS = {
  /** The wide build as the companion uses it. */
  watched: async (): Promise<KernelModule> => ({
    ...(await loadWideKernel()),
    watch: watchOf(await loadKernel({ choice: 'fma' }), await loadKernel({ choice: 'portable' })),
  }),
  wide: loadWideKernel,
  fma: () => loadKernel({ choice: 'fma' }),
  portable: () => loadKernel({ choice: 'portable' }),
} as const;
