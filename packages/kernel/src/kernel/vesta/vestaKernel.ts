// The kernel for commitments to Vesta: its field and points, and the field of its scalars, which is that of Pallas. An
// instance has a memory of its own, and is no part of the one that scans.

import type { FieldLanes, LaneMemory } from '../batch/fieldLanes.ts';
import { Modules } from '../batch/modules.ts';
import { PALLAS_FIELD, VESTA_FIELD } from '../generator/primeField.ts';
import type { PallasScalarExports, PastaPointExports, VestaScalarExports } from '../load/kernelExports.ts';
import type { KernelVariant } from '../load/kernelModule.ts';

/** Plain data that may be posted to workers of the same process. */
export interface VestaModule {
  readonly variant: KernelVariant;
  readonly modules: {
    readonly pallas: WebAssembly.Module;
    readonly pallasScalar: WebAssembly.Module;
    readonly vesta: WebAssembly.Module;
    readonly vestaScalar: WebAssembly.Module;
  };
}

export interface VestaKernel {
  readonly variant: KernelVariant;
  readonly memory: LaneMemory;
  /** The field of scalars. */
  readonly scalars: FieldLanes;
  /** The field of coordinates. */
  readonly coordinates: FieldLanes;
  readonly points: VestaScalarExports;
  readonly pallasPoints: PastaPointExports;
}

/** 1 GiB: the multiples of some 2,000 fixed points and their sums take 12 MiB, a prover 60 and as much as its actions need. */
const MAXIMUM_PAGES = 16_384;
/** A kernel for commitments with memory of its own, for one thread. */
export function instantiateVesta({ modules, variant }: VestaModule): VestaKernel {
  const kernel = new Modules(modules, variant, MAXIMUM_PAGES);
  const points = kernel.start<VestaScalarExports>('vestaScalar');
  const pallasPoints = kernel.start<PallasScalarExports>('pallasScalar');
  return {
    variant,
    memory: kernel.memory,
    scalars: kernel.lanes('pallas', pallasPoints, PALLAS_FIELD),
    coordinates: kernel.lanes('vesta', points, VESTA_FIELD),
    points,
    pallasPoints,
  };
}

/** Bytes of a point that is not the identity: x and y, little-endian. */
export const POINT_BYTES = 64;

/** The coordinates of the points that are encoded one after the other; undefined if one is none, or the identity. */
export function decodePoints(
  { memory, points, pallasPoints }: VestaKernel,
  curve: 'pallas' | 'vesta',
  encodings: Uint8Array,
): Uint8Array | undefined {
  const { decodeCoordinates } = curve === 'vesta' ? points : pallasPoints;
  const count = encodings.length / 32;
  return memory.borrow(() => {
    const from = memory.allocate(encodings.length);
    const o = memory.allocate(count * POINT_BYTES);
    memory.bytes.set(encodings, from);
    for (let i = 0; i < count; i++)
      if (decodeCoordinates(o + i * POINT_BYTES, from + i * 32) === 0) return undefined;
    return memory.bytes.slice(o, o + count * POINT_BYTES);
  });
}
