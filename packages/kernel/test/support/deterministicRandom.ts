// Reproducible random integers and bytes for tests: a SHAKE-256 stream from a seed.

import { shake256 } from '@noble/hashes/sha3.js';

export class DeterministicRandom {
  readonly #stream: ReturnType<typeof shake256.create>;

  constructor(seed: string) {
    this.#stream = shake256.create({}).update(new TextEncoder().encode(seed));
  }

  bytes(length: number): Uint8Array {
    return this.#stream.xof(length);
  }

  below(bound: bigint): bigint {
    let value = 0n;
    for (const byte of this.bytes(48)) value = (value << 8n) | BigInt(byte);
    return value % bound;
  }

  integer(bound: number): number {
    return Number(this.below(BigInt(bound)));
  }
}
