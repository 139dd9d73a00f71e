// Kernels that begin to compute wrongly after they have passed their self test, as if the engine had compiled their code
// again.

import { readFileSync } from 'node:fs';
import type { KernelBinaries, KernelModule } from '../../src/kernel/load/kernelModule.ts';

/** Opcodes after the vector prefix: `f64x2.add` and `f64x2.sub`, which differ in a bit; `i64x2.add` and `i64x2.sub`. */
const OPERATIONS = [
  [0xf0, 0xf1],
  [0xce, 0xd1],
] as const;
const [VECTOR, CONSTANT] = [0xfd, 0x0c];

/** A change of one binary. */
export interface Break {
  readonly what: string;
  readonly apply: (binary: Uint8Array) => void;
}

export const readBinary = (name: string): Uint8Array =>
  new Uint8Array(readFileSync(new URL(`../../src/kernel/wasm/${name}.wasm`, import.meta.url)));

/** One bit in one lane of a constant, and one addition that subtracts or the other way round, in many places. */
export function breaksOf(binary: Uint8Array): Break[] {
  const found: Break[] = [];
  for (let at = 8; at < binary.length - 18; at++) {
    if (binary[at] !== VECTOR) continue;
    if (binary[at + 1] === CONSTANT) {
      for (const lane of [0, 1]) {
        const bit = (at * 7 + lane * 31) % 64;
        const byte = at + 2 + lane * 8 + (bit >> 3);
        found.push({
          what: `bit ${bit} in lane ${lane} of the constant at ${at}`,
          apply: (bytes) => {
            bytes[byte]! ^= 1 << (bit & 7);
          },
        });
      }
    }
    for (const [one, other] of OPERATIONS) {
      const code = binary[at + 1];
      if ((code !== one && code !== other) || binary[at + 2] !== 1) continue;
      found.push({
        what: `operation at ${at}`,
        apply: (bytes) => {
          bytes[at + 1] = code === one ? other : one;
        },
      });
    }
  }
  return found;
}

/** The module is right for its self test, and has the broken part from then on. */
export function brokenLater(
  module: KernelModule,
  part: keyof KernelBinaries,
  binary: Uint8Array,
  { apply }: Break,
): KernelModule {
  const bytes = binary.slice();
  apply(bytes);
  const broken = new WebAssembly.Module(bytes);
  const right = module.modules[part];
  let starts = 0;
  const modules = Object.defineProperty({ ...module.modules }, part, {
    enumerable: true,
    get: () => (starts++ === 0 ? right : broken),
  });
  return { ...module, modules };
}

/** The same with the points that commitments are made of. */
export function withWrongPointsLater(module: KernelModule): KernelModule {
  const wrong = module.sinsemilla.map((byte, i) => (i % 32 === 0 ? byte ^ 1 : byte));
  let starts = 0;
  return Object.defineProperty({ ...module }, 'sinsemilla', {
    enumerable: true,
    get: () => (starts++ === 0 ? module.sinsemilla : wrong),
  });
}
