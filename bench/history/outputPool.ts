// Outputs of strangers as a compact block holds them, prepared once: a block copies its share of one stretch, so that
// making 124 million of them costs the server seconds. All of a pool are different and valid: a commitment and a
// nullifier in range, an ephemeral key on the curve, and bytes that pass for an encrypted note as often as any do.

import { concatBytes } from '@wallet-companion/base/bytes';
import {
  jubjubPoints,
  type PointSource,
  pallasPoints,
  type Randomness,
} from '@wallet-companion/devnet/chain';
import { bytesField, messageField } from '@wallet-companion/zcash/compactBlocks';
import { isActionPool, POOL, type Pool } from '@wallet-companion/zcash/pools';

/** Points cost more than all the rest: they serve several outputs, far from each other. */
const POINTS = 16_384;
const CIPHERTEXT = 52;

export class OutputPool {
  readonly count: number;
  readonly #size: number;
  readonly #bytes: Uint8Array;
  /** Where an output has its commitment. */
  readonly #commitment: number;

  /** `count` outputs that follow each other and begin again after the last. */
  constructor(pool: Pool, count: number, randomness: Randomness) {
    const template = encoded(pool);
    const places = placesIn(pool, template);
    const source: PointSource = isActionPool(pool) ? pallasPoints(randomness) : jubjubPoints(randomness);
    const points = Array.from({ length: Math.min(POINTS, count) }, () => source.next());
    this.count = count;
    this.#size = template.length;
    this.#commitment = places.commitment;
    this.#bytes = new Uint8Array(count * template.length);
    for (let i = 0; i < count; i++) {
      const at = i * template.length;
      this.#bytes.set(template, at);
      for (const place of places.elements) this.#bytes.set(randomness.fieldElement(), at + place);
      this.#bytes.set(points[i % points.length]!, at + places.point);
      this.#bytes.set(randomness.bytes(CIPHERTEXT), at + places.ciphertext);
    }
  }

  /** Fields of a CompactTx: outputs `from` to `from + count - 1` of the endless row. At most a whole pool. */
  slice(from: number, count: number): Uint8Array {
    const first = from % this.count;
    const end = first + count;
    if (end <= this.count) return this.#bytes.subarray(first * this.#size, end * this.#size);
    return concatBytes(
      this.#bytes.subarray(first * this.#size),
      this.#bytes.subarray(0, (end - this.count) * this.#size),
    );
  }

  /** The commitment of output `index` of the endless row. */
  commitment(index: number): Uint8Array {
    const at = (index % this.count) * this.#size + this.#commitment;
    return this.#bytes.subarray(at, at + 32);
  }
}

/** One output with nothing in it. */
function encoded(pool: Pool): Uint8Array {
  const lengths = [...(isActionPool(pool) ? [32] : []), 32, 32, CIPHERTEXT];
  const fields = lengths.map((length, i) => bytesField(i + 1, new Uint8Array(length)));
  return messageField(POOL[pool].compactOutputsField, concatBytes(...fields));
}

/** Nullifier and commitment, ephemeral key, ciphertext: the last bytes, with two of tag and length before each. */
function placesIn(pool: Pool, { length }: Uint8Array) {
  const ciphertext = length - CIPHERTEXT;
  const point = ciphertext - 2 - 32;
  const commitment = point - 2 - 32;
  const elements = isActionPool(pool) ? [commitment - 2 - 32, commitment] : [commitment];
  return { ciphertext, point, commitment, elements };
}
