// Loads the kernel without Node: the caller reads the binaries, in a browser from the page's server. Browsers have
// relaxed SIMD without a flag or not at all, and their V8 is recent, so it keeps loads next to their use.

import { SINSEMILLA_FILE } from './generator/sinsemillaPoints.ts';
import { type KernelModule, KernelUnavailableError } from './load/kernelModule.ts';
import { binariesOf, checkedSinsemilla, testedKernel } from './testedKernel.ts';

/**
 * `read` receives the name of a file in the package's `wasm` folder. The result may be posted to workers.
 *
 * @throws KernelUnavailableError when no build works here.
 */
export async function fetchKernel(read: (name: string) => Promise<Uint8Array>): Promise<KernelModule> {
  const compile = async (name: string) => WebAssembly.compile(await read(`${name}.wasm`));
  const parts = (build: string) => async () => ({
    modules: await binariesOf(build, compile),
    sinsemilla: checkedSinsemilla(await read(SINSEMILLA_FILE)),
  });
  try {
    return await testedKernel('fma', 'fused multiply-add works', parts('fma-reload'));
  } catch (error) {
    if (!(error instanceof KernelUnavailableError)) throw error;
    return testedKernel('portable', error.message, parts('portable'));
  }
}
