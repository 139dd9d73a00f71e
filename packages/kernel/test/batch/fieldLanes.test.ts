// The field kernels against plain integers, for both builds.

import test from 'ava';
import type { FieldLanes } from '../../src/kernel/batch/fieldLanes.ts';
import { instantiateKernel } from '../../src/kernel/batch/kernelInstance.ts';
import {
  centredDigits,
  type FieldName,
  JUBJUB_FIELD,
  PALLAS_FIELD,
  VESTA_FIELD,
} from '../../src/kernel/generator/primeField.ts';
import type { KernelModule } from '../../src/kernel/load/kernelModule.ts';
import { loadKernel, loadVesta } from '../../src/kernel/loadKernel.ts';
import { instantiateVesta } from '../../src/kernel/vesta/vestaKernel.ts';
import { DeterministicRandom } from '../support/deterministicRandom.ts';
import { KERNELS } from '../support/kernels.ts';
import {
  centredLimbs,
  limbsValue,
  readLimbs,
  readStored,
  readValues,
  writeLimbs,
  writeStored,
  writeValues,
} from '../support/lanes.ts';

const LANES = 256;
const BLOCKS = LANES / 4;

function mod(value: bigint, modulus: bigint): bigint {
  const rest = value % modulus;
  return rest < 0n ? rest + modulus : rest;
}

function inverse(value: bigint, modulus: bigint): bigint {
  let [a, b, x, y] = [mod(value, modulus), modulus, 1n, 0n];
  while (b !== 0n) {
    const quotient = a / b;
    [a, b, x, y] = [b, a - quotient * b, y, x - quotient * y];
  }
  return mod(x, modulus);
}

interface Formula {
  readonly name: string;
  readonly run: (field: FieldLanes, o: number, a: number, b: number, c: number, d: number) => void;
  /** With products taken as a*b*R^-1. */
  readonly expected: (
    times: (x: bigint, y: bigint) => bigint,
    a: bigint,
    b: bigint,
    c: bigint,
    d: bigint,
  ) => bigint;
}

const FORMULAS: readonly Formula[] = [
  { name: 'a*b', run: (f, o, a, b) => f.mul(o, a, b, BLOCKS), expected: (t, a, b) => t(a, b) },
  {
    name: '(a-b)*c',
    run: (f, o, a, b, c) => f.mulSub(o, a, b, c, BLOCKS),
    expected: (t, a, b, c) => t(a - b, c),
  },
  {
    name: '(a+b)*c',
    run: (f, o, a, b, c) => f.mulAdd(o, a, b, c, BLOCKS),
    expected: (t, a, b, c) => t(a + b, c),
  },
  { name: '3ab', run: (f, o, a, b) => f.mulTriple(o, a, b, BLOCKS), expected: (t, a, b) => t(3n * a, b) },
  { name: 'a^2', run: (f, o, a) => f.sqr(o, a, BLOCKS), expected: (t, a) => t(a, a) },
  { name: 'a^2+b', run: (f, o, a, b) => f.sqrPlus(o, a, b, BLOCKS), expected: (t, a, b) => t(a, a) + b },
  {
    name: 'a*b+c',
    run: (f, o, a, b, c) => f.mulPlus(o, a, b, c, BLOCKS),
    expected: (t, a, b, c) => t(a, b) + c,
  },
  {
    name: 'a^2-b-c',
    run: (f, o, a, b, c) => f.chordX(o, a, b, c, BLOCKS),
    expected: (t, a, b, c) => t(a, a) - b - c,
  },
  {
    name: 'a*(b-c)-d',
    run: (f, o, a, b, c, d) => f.chordY(o, a, b, c, d, BLOCKS),
    expected: (t, a, b, c, d) => t(a, b - c) - d,
  },
];

const fieldOf = async (name: FieldName, module: KernelModule): Promise<FieldLanes> =>
  name === 'vesta' ? instantiateVesta(await loadVesta(module)).coordinates : instantiateKernel(module)[name];

for (const parameters of [PALLAS_FIELD, VESTA_FIELD, JUBJUB_FIELD]) {
  const { name, modulus } = parameters;
  const R = 1n << BigInt(parameters.montgomeryBits);
  const inverseOfR = inverse(R, modulus);

  for (const [choice, load] of Object.entries(KERNELS)) {
    test(`${name}, ${choice}: every formula equals integer arithmetic`, async (t) => {
      const field = await fieldOf(name, await load());
      const random = new DeterministicRandom(`${name} ${choice}`);
      const edges = [0n, 1n, 2n, modulus - 1n, (modulus - 1n) / 2n, (modulus + 1n) / 2n];
      const draw = () =>
        random.integer(4) === 0 ? edges[random.integer(edges.length)]! : random.below(modulus);
      const arrays = Array.from({ length: 5 }, () => field.array(BLOCKS));
      const values = arrays.slice(0, 4).map((array) => {
        const column = Array.from({ length: LANES }, draw);
        writeValues(field, array, column);
        return column;
      });
      const [a, b, c, d, o] = arrays as [number, number, number, number, number];
      for (const formula of FORMULAS) {
        formula.run(field, o, a, b, c, d);
        const results = readValues(field, o, LANES);
        results.forEach((result, lane) => {
          const [va, vb, vc, vd] = values.map((column) => column[lane]!) as [bigint, bigint, bigint, bigint];
          t.is(
            result,
            mod(
              formula.expected((x, y) => x * y, va, vb, vc, vd),
              modulus,
            ),
            formula.name,
          );
        });
      }
      field.negatedSum(o, a, b, BLOCKS);
      readValues(field, o, LANES).forEach((result, lane) => {
        t.is(result, mod(-values[0]![lane]! - values[1]![lane]!, modulus));
      });
      // In place, and a difference.
      field.mul(a, a, b, BLOCKS);
      field.sub(b, b, a, BLOCKS);
      const products = readValues(field, a, LANES);
      const differences = readValues(field, b, LANES);
      products.forEach((product, lane) => {
        t.is(product, mod(values[0]![lane]! * values[1]![lane]!, modulus));
        t.is(differences[lane], mod(values[1]![lane]! - product, modulus));
      });
    });
  }

  test(`${name}, portable: sums and differences of all values that may be stored are exact and may be stored`, async (t) => {
    const field = await fieldOf(name, await loadKernel({ choice: 'portable' }));
    const { memory } = field;
    const random = new DeterministicRandom(`${name} sums`);
    const arrays = Array.from({ length: 3 }, () => field.array(BLOCKS)) as [number, number, number];
    const [a, b, o] = arrays;
    // Around multiples of the modulus, and where a carry decides about the top limb.
    const near = [0n, 1n, 2n, 3n].flatMap((times) => [times * modulus, times << 254n, times << 255n]);
    const draw = () => {
      const value = near[random.integer(near.length)]! + BigInt(random.integer(5) - 2);
      if (random.integer(3) > 0 && value >= 0n && value < 1n << 256n) return value;
      return random.integer(2) === 0
        ? random.below(1n << 256n)
        : (1n << 256n) - 1n - BigInt(random.integer(3));
    };
    for (let round = 0; round < 16; round++) {
      const [left, right] = [a, b].map((array) =>
        Array.from({ length: LANES }, (_, lane) => {
          const value = draw();
          writeStored(memory, array, lane, value);
          return value;
        }),
      ) as [bigint[], bigint[]];
      for (const sign of [1n, -1n]) {
        if (sign === 1n) field.add(o, a, b, BLOCKS);
        else field.sub(o, a, b, BLOCKS);
        field.flush();
        for (let lane = 0; lane < LANES; lane++) {
          const result = readStored(memory, o, lane);
          t.is(mod(result, modulus), mod(left[lane]! + sign * right[lane]!, modulus));
          t.true(result < 1n << 256n);
        }
      }
    }
  });

  test(`${name}, fma: extreme limbs stay exact and within their bounds`, async (t) => {
    const field = await fieldOf(name, await loadKernel({ choice: 'fma' }));
    const { memory } = field;
    const random = new DeterministicRandom(`${name} limbs`);
    const top = name === 'jubjub' ? Math.floor(0.906 * 2 ** 50) : 2 ** 49;
    const extreme = () =>
      [2 ** 50, 2 ** 50, 2 ** 50, 2 ** 50, top].map(
        (bound) => (random.integer(2) === 0 ? 1 : -1) * (bound - (random.integer(3) === 0 ? 1 : 0)),
      );
    const arrays = Array.from({ length: 5 }, () => field.array(BLOCKS));
    const [a, b, c, d, o] = arrays as [number, number, number, number, number];
    for (let round = 0; round < 4; round++) {
      const values = arrays.slice(0, 4).map((array) =>
        Array.from({ length: LANES }, (_, lane) => {
          const limbs = extreme();
          writeLimbs(memory, array, lane, limbs);
          return limbsValue(limbs);
        }),
      );
      for (const formula of FORMULAS) {
        formula.run(field, o, a, b, c, d);
        field.flush();
        for (let lane = 0; lane < LANES; lane++) {
          const [va, vb, vc, vd] = values.map((column) => column[lane]!) as [bigint, bigint, bigint, bigint];
          const limbs = readLimbs(memory, o, lane);
          const expected = formula.expected((x, y) => x * y * inverseOfR, va, vb, vc, vd);
          t.is(mod(limbsValue(limbs), modulus), mod(expected, modulus), formula.name);
          t.true(limbs.slice(0, 4).every((limb) => Math.abs(limb) <= 2 ** 50));
          t.true(Math.abs(limbs[4]!) <= top * 1.001);
        }
      }
    }
  });

  test(`${name}, fma: constructed rounding ties of the last reduction step are exact`, async (t) => {
    const field = await fieldOf(name, await loadKernel({ choice: 'fma' }));
    const { memory } = field;
    const random = new DeterministicRandom(`${name} ties`);
    const [a, b, c, o] = Array.from({ length: 4 }, () => field.array(BLOCKS)) as [
      number,
      number,
      number,
      number,
    ];
    const bits = BigInt(parameters.lastBits);
    for (let round = 0; round < 8; round++) {
      const expected: bigint[] = [];
      const addends: bigint[] = [];
      for (let lane = 0; lane < LANES; lane++) {
        // The low 204 bits of the product are random; replay the four exact steps, then set the next bits so that
        // the residue left for the last step is -2^(bits - 1), half way between two multiples.
        let low = random.below(1n << 204n);
        let value = low;
        for (let step = 0n; step < 4n; step++) {
          const residue = BigInt.asIntN(51, value >> (51n * step));
          value += residue * BigInt(parameters.k) * modulus * (1n << (51n * step));
        }
        t.is(value & ((1n << 204n) - 1n), 0n);
        const wanted = (1n << (bits - 1n)) - (value >> 204n);
        low += BigInt.asUintN(parameters.lastBits, wanted) << 204n;
        const factor = centredLimbs(random.below(modulus) | 1n, modulus);
        const odd = limbsValue(factor) % 2n === 0n ? limbsValue(factor) + 1n : limbsValue(factor);
        const other = BigInt.asIntN(parameters.montgomeryBits, low * inverse(mod(odd, R), R));
        writeLimbs(memory, a, lane, centredDigits(other, 5));
        writeLimbs(memory, b, lane, centredDigits(odd, 5));
        const addend = centredLimbs(random.below(modulus), modulus);
        writeLimbs(memory, c, lane, addend);
        expected.push(mod(other * odd * inverseOfR, modulus));
        addends.push(limbsValue(addend));
      }
      field.mul(o, a, b, BLOCKS);
      field.flush();
      expected.forEach((value, lane) => {
        t.is(mod(limbsValue(readLimbs(memory, o, lane)), modulus), value);
      });
      field.mulPlus(o, a, b, c, BLOCKS);
      field.flush();
      expected.forEach((value, lane) => {
        t.is(mod(limbsValue(readLimbs(memory, o, lane)), modulus), mod(value + addends[lane]!, modulus));
      });
    }
  });
}
