// Poseidon with the P128Pow5T3 parameters over the Pallas base field (protocol specification §5.4.1.10).
//
// The 192 round constants and the matrix are generated at first use with the Grain LFSR of the Poseidon paper (appendix
// E). That takes a few milliseconds and replaces a table of 12 kB that no reviewer could check.
import { leBytesToBigint } from '@wallet-companion/base/bytes';
import { PALLAS_BASE } from '../curves/pallas.ts';

const P = PALLAS_BASE.order;
const WIDTH = 3;
const FULL_ROUNDS = 8;
const PARTIAL_ROUNDS = 56;
const ROUNDS = FULL_ROUNDS + PARTIAL_ROUNDS;
/** ConstantLength<2>: the input length in the high half of the capacity element. */
export const CAPACITY_FOR_TWO = 2n << 64n;

type Triple = readonly [bigint, bigint, bigint];

export interface PoseidonParameters {
  readonly roundConstants: readonly Triple[];
  readonly matrix: readonly [Triple, Triple, Triple];
}

let parameters: PoseidonParameters | undefined;

/** The hash of two field elements in [0, p); also PRF^nfOrchard(nk, rho). */
export function poseidonHash(a: bigint, b: bigint): bigint {
  return poseidonPermute([a, b, CAPACITY_FOR_TWO])[0];
}

/** 64 rounds of constants and the matrix by rows. */
export function poseidonParameters(): PoseidonParameters {
  parameters ??= generateParameters();
  return parameters;
}

export function poseidonPermute(state: Triple): Triple {
  return poseidonStates(state).at(-1)!;
}

/** The state before the first round, and after each of the 64. */
export function poseidonStates(state: Triple): readonly Triple[] {
  const { roundConstants, matrix } = poseidonParameters();
  const [m0, m1, m2] = matrix;
  const states: Triple[] = [state];
  let [a, b, c] = state;
  for (let round = 0; round < ROUNDS; round++) {
    const [ka, kb, kc] = roundConstants[round]!;
    a = poseidonPower(a + ka);
    const isFull = round < FULL_ROUNDS / 2 || round >= FULL_ROUNDS / 2 + PARTIAL_ROUNDS;
    b = isFull ? poseidonPower(b + kb) : b + kb;
    c = isFull ? poseidonPower(c + kc) : c + kc;
    [a, b, c] = [
      (m0[0] * a + m0[1] * b + m0[2] * c) % P,
      (m1[0] * a + m1[1] * b + m1[2] * c) % P,
      (m2[0] * a + m2[1] * b + m2[2] * c) % P,
    ];
    states.push([a, b, c]);
  }
  return states;
}

/** The S-box: x^5. */
export function poseidonPower(x: bigint): bigint {
  const square = (x * x) % P;
  return (((square * square) % P) * x) % P;
}

function generateParameters(): PoseidonParameters {
  const nextBit = createGrainStream();
  const nextInteger = (): bigint => {
    const bytes = new Uint8Array(32);
    for (let bit = FIELD_BITS - 1; bit >= 0; bit--) bytes[bit >> 3]! |= nextBit() << (bit & 7);
    return leBytesToBigint(bytes);
  };
  const nextElement = (): bigint => {
    for (;;) {
      const value = nextInteger();
      if (value < P) return value;
    }
  };
  const nextTriple = (next: () => bigint): Triple => [next(), next(), next()];

  const roundConstants = Array.from({ length: ROUNDS }, () => nextTriple(nextElement));
  // A Cauchy matrix: 1/(x_i + y_j) for six distinct values, which are reduced here rather than rejected.
  for (;;) {
    const x = nextTriple(() => nextInteger() % P);
    const y = nextTriple(() => nextInteger() % P);
    if (new Set([...x, ...y]).size < 2 * WIDTH) continue;
    const row = (value: bigint): Triple => [
      PALLAS_BASE.invert(value + y[0]),
      PALLAS_BASE.invert(value + y[1]),
      PALLAS_BASE.invert(value + y[2]),
    ];
    return { roundConstants, matrix: [row(x[0]), row(x[1]), row(x[2])] };
  }
}

const FIELD_BITS = 255;
const GRAIN_BITS = 80;
const GRAIN_WARM_UP = 160;
const WORD_BITS = 16;

/**
 * The self-shrinking Grain LFSR: bits come in pairs, and the second counts when the first is 1. A new bit depends on none
 * of the 17 before it, so that 16 are computed at a time.
 */
function createGrainStream(): () => number {
  // Prime field, x^5 S-box, field size, width, full and partial rounds, then ones: 80 bits in all.
  const seed: readonly (readonly [value: number, bits: number])[] = [
    [1, 2],
    [0, 4],
    [FIELD_BITS, 12],
    [WIDTH, 12],
    [FULL_ROUNDS, 10],
    [PARTIAL_ROUNDS, 10],
    [2 ** 30 - 1, 30],
  ];
  const words: number[] = new Array<number>(GRAIN_BITS / WORD_BITS).fill(0);
  seed
    .flatMap(([value, bits]) => Array.from({ length: bits }, (_, i) => (value >>> (bits - 1 - i)) & 1))
    .forEach((bit, i) => {
      words[i >> 4]! |= bit << (i & 15);
    });
  /** The 16 bits from this one on. */
  const bitsFrom = (index: number): number => {
    const word = index >> 4;
    return (words[word]! | (words[word + 1]! << WORD_BITS)) >>> (index & 15);
  };
  const step = (): number => {
    const taps = bitsFrom(62) ^ bitsFrom(51) ^ bitsFrom(38) ^ bitsFrom(23) ^ bitsFrom(13) ^ bitsFrom(0);
    words.push(taps & 0xffff);
    words.shift();
    return taps & 0xffff;
  };
  for (let i = 0; i < GRAIN_WARM_UP; i += WORD_BITS) step();
  let pairs = 0;
  let left = 0;
  return () => {
    for (;;) {
      if (left === 0) {
        pairs = step();
        left = WORD_BITS / 2;
      }
      const pair = pairs & 3;
      pairs >>= 2;
      left--;
      if (pair & 1) return pair >> 1;
    }
  };
}
