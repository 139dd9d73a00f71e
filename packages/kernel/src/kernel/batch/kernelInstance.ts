// One instance of the kernel: the five modules over one private memory. Static data lies in fixed windows at the bottom
// (generator/build.ts), arrays above.

import { LIMB_MONTGOMERY_BITS } from '../generator/limbField.ts';
import { JUBJUB_FIELD, PALLAS_FIELD } from '../generator/primeField.ts';
import type {
  JubjubScalarExports,
  LaneExports,
  PallasScalarExports,
  SymmetricExports,
} from '../load/kernelExports.ts';
import type { KernelModule } from '../load/kernelModule.ts';
import { FieldLanes, LaneMemory } from './fieldLanes.ts';

export interface KernelInstance {
  readonly memory: LaneMemory;
  readonly pallas: FieldLanes;
  readonly jubjub: FieldLanes;
  readonly pallasScalar: PallasScalarExports;
  readonly jubjubScalar: JubjubScalarExports;
  readonly symmetric: SymmetricExports;
  readonly sinsemilla: Uint8Array;
}

const PAGE = 65_536;
/** 64 MiB, the most that one scan worker may use. */
const MAXIMUM_PAGES = 1024;
const INITIAL_PAGES = 8;
/** Ends of the modules' static windows, in the order of their bases. */
const WINDOW_ENDS = {
  pallas: 0x9000,
  pallasScalar: 0x1_1000,
  jubjub: 0x1_9000,
  jubjubScalar: 0x2_1000,
  symmetric: 0x2_4000,
};
const HEAP_START = WINDOW_ENDS.symmetric;

/**
 * A kernel with memory of its own, for one thread: what `createDecryptor`, `createKernelLevelHashes` and
 * `createBlake2b256` work with.
 */
export function instantiateKernel({ modules, variant, sinsemilla }: KernelModule): KernelInstance {
  const memory = new WebAssembly.Memory({ initial: INITIAL_PAGES, maximum: MAXIMUM_PAGES });
  const start = <T extends { dataEnd(): number }>(name: keyof typeof modules): T => {
    const instance = new WebAssembly.Instance(modules[name], { env: { memory } });
    const exports = instance.exports as unknown as T;
    if (exports.dataEnd() > WINDOW_ENDS[name])
      throw new RangeError(`static data of ${name} leaves its window`);
    return exports;
  };
  if (HEAP_START > INITIAL_PAGES * PAGE) throw new RangeError('static data does not fit the initial memory');
  const pallasScalar = start<PallasScalarExports>('pallasScalar');
  const jubjubScalar = start<JubjubScalarExports>('jubjubScalar');
  const arrays = new LaneMemory(memory, HEAP_START);
  const bits = (field: typeof PALLAS_FIELD) =>
    variant === 'portable' ? Number(LIMB_MONTGOMERY_BITS) : field.montgomeryBits;
  return {
    memory: arrays,
    pallas: new FieldLanes(
      start<LaneExports>('pallas'),
      pallasScalar,
      arrays,
      PALLAS_FIELD,
      bits(PALLAS_FIELD),
    ),
    jubjub: new FieldLanes(
      start<LaneExports>('jubjub'),
      jubjubScalar,
      arrays,
      JUBJUB_FIELD,
      bits(JUBJUB_FIELD),
    ),
    pallasScalar,
    jubjubScalar,
    symmetric: start<SymmetricExports>('symmetric'),
    sinsemilla,
  };
}
