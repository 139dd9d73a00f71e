// Turns compiled binaries into a kernel that passed its tests on this machine, whether the binaries come from files or
// from a server.
import { sha256 } from '#platform';
import { bytesToHex } from '../shielded/bytes.ts';
import { SINSEMILLA_DIGEST } from './generator/sinsemillaPoints.ts';
import {
  type KernelBinaries,
  type KernelModule,
  KernelUnavailableError,
  type KernelVariant,
} from './load/kernelModule.ts';
import { findKernelFault } from './selfTest.ts';

type Five<T> = [T, T, T, T, T];

/** Without their ending. */
export const binaryNames = (build: string): Five<string> => [
  `pallas-${build}`,
  'pallas-scalar',
  `jubjub-${build}`,
  'jubjub-scalar',
  'symmetric',
];

/** The binaries of a build; `compile` compiles the one with the given name. */
export async function binariesOf(
  build: string,
  compile: (name: string) => Promise<WebAssembly.Module>,
): Promise<KernelBinaries> {
  const [pallas, pallasScalar, jubjub, jubjubScalar, symmetric] = await Promise.all(
    binaryNames(build).map(compile) as Five<Promise<WebAssembly.Module>>,
  );
  return { pallas, pallasScalar, jubjub, jubjubScalar, symmetric };
}

export function checkedSinsemilla(bytes: Uint8Array): Uint8Array {
  if (bytesToHex(sha256(bytes)) !== SINSEMILLA_DIGEST)
    throw new KernelUnavailableError('the points of Sinsemilla are damaged');
  return new Uint8Array(bytes);
}

/** @throws KernelUnavailableError when it does not compile, or fails its self test. */
export async function testedKernel(
  variant: KernelVariant,
  reason: string,
  parts: () => Promise<Pick<KernelModule, 'modules' | 'sinsemilla'>>,
): Promise<KernelModule> {
  let module: KernelModule;
  try {
    module = { variant, reason, ...(await parts()) };
  } catch (error) {
    if (error instanceof KernelUnavailableError) throw error;
    throw new KernelUnavailableError(`the ${variant} kernel does not compile here`, { cause: error });
  }
  const fault = findKernelFault(module);
  if (fault !== undefined)
    throw new KernelUnavailableError(`the ${variant} kernel fails its self test: ${fault}`);
  return module;
}
