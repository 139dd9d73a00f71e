// One instance of the kernel: the five modules of a scan over one private memory.

import { JUBJUB_FIELD, PALLAS_FIELD } from '../generator/primeField.ts';
import type { JubjubScalarExports, PallasScalarExports, SymmetricExports } from '../load/kernelExports.ts';
import type { KernelModule } from '../load/kernelModule.ts';
import type { FieldLanes, LaneMemory } from './fieldLanes.ts';
import { Modules } from './modules.ts';

export interface KernelInstance {
  readonly memory: LaneMemory;
  readonly pallas: FieldLanes;
  readonly jubjub: FieldLanes;
  readonly pallasScalar: PallasScalarExports;
  readonly jubjubScalar: JubjubScalarExports;
  readonly symmetric: SymmetricExports;
  readonly sinsemilla: Uint8Array;
}

/** 64 MiB, the most that one scan worker may use. */
const MAXIMUM_PAGES = 1024;

/**
 * A kernel with memory of its own, for one thread: what `createDecryptor`, `createKernelLevelHashes` and
 * `createBlake2b256` work with.
 */
export function instantiateKernel({ modules, variant, sinsemilla }: KernelModule): KernelInstance {
  const kernel = new Modules(modules, variant, MAXIMUM_PAGES);
  const pallasScalar = kernel.start<PallasScalarExports>('pallasScalar');
  const jubjubScalar = kernel.start<JubjubScalarExports>('jubjubScalar');
  return {
    memory: kernel.memory,
    pallas: kernel.lanes('pallas', pallasScalar, PALLAS_FIELD),
    jubjub: kernel.lanes('jubjub', jubjubScalar, JUBJUB_FIELD),
    pallasScalar,
    jubjubScalar,
    symmetric: kernel.start<SymmetricExports>('symmetric'),
    sinsemilla,
  };
}
