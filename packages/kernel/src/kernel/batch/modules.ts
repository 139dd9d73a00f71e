// Modules over one memory: static data lies in fixed windows at the bottom (generator/build.ts), arrays above.

import { LIMB_MONTGOMERY_BITS } from '../generator/limbField.ts';
import type { PrimeField } from '../generator/primeField.ts';
import type { LaneExports } from '../load/kernelExports.ts';
import type { KernelVariant } from '../load/kernelModule.ts';
import { FieldLanes, LaneMemory } from './fieldLanes.ts';

/** Ends of the modules' static windows, in the order of their bases. */
const WINDOW_ENDS = {
  /** Alone in its memory. */
  equihash: 0x2000,
  pallas: 0x9000,
  pallasScalar: 0x1_1000,
  jubjub: 0x1_9000,
  jubjubScalar: 0x2_1000,
  symmetric: 0x2_4000,
  vesta: 0x2_c000,
  vestaScalar: 0x3_4000,
};
type ModuleName = keyof typeof WINDOW_ENDS;

const PAGE = 65_536;
const INITIAL_PAGES = 8;

/** Some of the modules, over a memory of their own. */
export class Modules<Name extends ModuleName> {
  readonly memory: LaneMemory;
  readonly #modules: Readonly<Record<Name, WebAssembly.Module>>;
  readonly #variant: KernelVariant;
  readonly #shared: WebAssembly.Memory;

  constructor(
    modules: Readonly<Record<Name, WebAssembly.Module>>,
    variant: KernelVariant,
    maximumPages: number,
  ) {
    const ends = (Object.keys(modules) as Name[]).map((name) => WINDOW_ENDS[name]);
    const heapStart = Math.max(...ends);
    if (heapStart > INITIAL_PAGES * PAGE) throw new RangeError('static data does not fit the initial memory');
    this.#modules = modules;
    this.#variant = variant;
    this.#shared = new WebAssembly.Memory({ initial: INITIAL_PAGES, maximum: maximumPages });
    this.memory = new LaneMemory(this.#shared, heapStart);
  }

  start<T extends { dataEnd(): number }>(name: Name): T {
    const { exports } = new WebAssembly.Instance(this.#modules[name], { env: { memory: this.#shared } });
    const started = exports as unknown as T;
    if (started.dataEnd() > WINDOW_ENDS[name])
      throw new RangeError(`static data of ${name} leaves its window`);
    return started;
  }

  /** `scalar`: the scalar module of the same field. */
  lanes(name: Name, scalar: ConstructorParameters<typeof FieldLanes>[1], field: PrimeField): FieldLanes {
    const bits = this.#variant === 'portable' ? Number(LIMB_MONTGOMERY_BITS) : field.montgomeryBits;
    return new FieldLanes(this.start<LaneExports>(name), scalar, this.memory, field, bits);
  }
}
