// Which fragments a part mixes (BCR-2024-001): both sides draw them from a generator that number and checksum of the part
// start, so every difference from the published one, rounding included, would make codes that nobody else can read.

import { sha256 } from '@noble/hashes/sha2.js';

const TWO_64 = 2 ** 64;
const u64 = (value: bigint): bigint => BigInt.asUintN(64, value);
const rotated = (value: bigint, by: bigint): bigint => u64((value << by) | (value >> (64n - by)));

/** xoshiro256**, as numbers from 0 to below 1. */
function generator(seed: Uint8Array): () => number {
  const view = new DataView(seed.buffer, seed.byteOffset);
  let [a, b, c, d] = [0, 8, 16, 24].map((at) => view.getBigUint64(at)) as [bigint, bigint, bigint, bigint];
  return () => {
    const drawn = u64(rotated(u64(b * 5n), 7n) * 9n);
    const shifted = u64(b << 17n);
    c ^= a;
    d ^= b;
    b ^= c;
    a ^= d;
    c ^= shifted;
    d = rotated(d, 45n);
    return Number(drawn) / TWO_64;
  };
}

/** Draws how many fragments a part mixes, n with a weight of 1/n: Vose's alias method. */
function degrees(total: number): (random: () => number) => number {
  const weights = Array.from({ length: total }, (_, at) => 1 / (at + 1));
  const sum = weights.reduce((before, weight) => before + weight, 0);
  const scaled = weights.map((weight) => (weight * total) / sum);
  const odds = new Array<number>(total).fill(1);
  const alias = new Array<number>(total).fill(0);
  const small: number[] = [];
  const large: number[] = [];
  for (let at = total - 1; at >= 0; at--) (scaled[at]! < 1 ? small : large).push(at);
  while (small.length > 0 && large.length > 0) {
    const low = small.pop()!;
    const high = large.pop()!;
    odds[low] = scaled[low]!;
    alias[low] = high;
    scaled[high]! += scaled[low]! - 1;
    (scaled[high]! < 1 ? small : large).push(high);
  }
  return (random) => {
    const at = Math.floor(total * random());
    return (random() < odds[at]! ? at : alias[at]!) + 1;
  };
}

/** Fragments are counted from 0, parts from 1: the first `total` parts are the fragments themselves. */
export function mixing(total: number, checksum: number): (number: number) => readonly number[] {
  let degree: ReturnType<typeof degrees> | undefined;
  return (number) => {
    if (number <= total) return [number - 1];
    const seed = new Uint8Array(8);
    const view = new DataView(seed.buffer);
    view.setUint32(0, number);
    view.setUint32(4, checksum);
    const random = generator(sha256(seed));
    degree ??= degrees(total);
    const count = degree(random);
    const left = Array.from({ length: total }, (_, at) => at);
    return Array.from({ length: count }, () => left.splice(Math.floor(random() * left.length), 1)[0]!);
  };
}

/** Adds the one to the other, as both directions of mixing do. */
export function xorInto(target: Uint8Array | Uint32Array, other: Uint8Array | Uint32Array): void {
  for (let at = 0; at < target.length; at++) target[at]! ^= other[at]!;
}
