// Turns compiled binaries into a kernel that passed its tests on this machine, whether the binaries come from files or
// from a server.

import { bytesToHex } from '@wallet-companion/base/bytes';
import { sha256 } from '@wallet-companion/zcash/curves';
import { SINSEMILLA_DIGEST } from './generator/sinsemillaPoints.ts';
import {
  type KernelBinaries,
  type KernelModule,
  KernelUnavailableError,
  type KernelVariant,
} from './load/kernelModule.ts';
import { findKernelFault } from './selfTest.ts';

/** Without their ending. */
export const binaryNames = (build: string): Readonly<Record<keyof KernelBinaries, string>> => ({
  pallas: `pallas-${build}`,
  pallasScalar: 'pallas-scalar',
  jubjub: `jubjub-${build}`,
  jubjubScalar: 'jubjub-scalar',
  symmetric: 'symmetric',
});

/** The binaries of a build; `compile` compiles the one with the given name. */
export async function binariesOf(
  build: string,
  compile: (name: string) => Promise<WebAssembly.Module>,
): Promise<KernelBinaries> {
  const parts = Object.entries(binaryNames(build)).map(async ([part, name]) => [part, await compile(name)]);
  return Object.fromEntries(await Promise.all(parts)) as KernelBinaries;
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
