// Loads the kernel without Node: the caller reads the binaries, in a browser from the page's server. Browsers have
// relaxed SIMD without a flag or not at all, and their V8 is recent, so it keeps loads next to their use.

import { SINSEMILLA_FILE } from './generator/sinsemillaPoints.ts';
import { type KernelModule, KernelUnavailableError } from './load/kernelModule.ts';
import { binariesOf, checkedSinsemilla, testedKernel } from './testedKernel.ts';
import type { VestaModule } from './vesta/vestaKernel.ts';

type Read = (name: string) => Promise<Uint8Array>;

const compileWith =
  (read: Read) =>
  async (name: string): Promise<WebAssembly.Module> =>
    WebAssembly.compile(await read(`${name}.wasm`));

/**
 * `read` receives the name of a file in the package's `wasm` folder. The result may be posted to workers.
 *
 * @throws KernelUnavailableError when no build works here.
 */
export async function fetchKernel(read: Read): Promise<KernelModule> {
  const compile = compileWith(read);
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

/** Compiles the kernel for commitments in the build of the one for scans, which was tested. `read` as in `fetchKernel`. */
export async function fetchVesta({ variant, modules }: KernelModule, read: Read): Promise<VestaModule> {
  const compile = compileWith(read);
  const [vesta, vestaScalar] = await Promise.all([
    compile(variant === 'portable' ? 'vesta-portable' : 'vesta-fma-reload'),
    compile('vesta-scalar'),
  ]);
  return {
    variant,
    modules: { pallas: modules.pallas, pallasScalar: modules.pallasScalar, vesta, vestaScalar },
  };
}
