// Pedersen hashes over Jubjub (protocol specification §5.4.1.7) and the Sapling note commitment (§5.4.8.2).
//
// A segment's chunks are first summed to one scalar, so that a segment costs a single fixed-base product.
import { u32ToLeBytes, u64ToLeBytes } from '@wallet-companion/base/bytes';
import { affineJubjub, ExtendedAccumulator, JUBJUB_ORDER } from '../curves/jubjub.ts';
import { createJubjubFixedBase, type JubjubFixedBase } from '../curves/jubjubMultiply.ts';
import { type BitString, joinBits, readBits } from './bitString.ts';
import { findJubjubHash, SAPLING_NOTE_RANDOMNESS_BASE } from './jubjubHash.ts';

const CHUNK_BITS = 3;
const CHUNKS_PER_SEGMENT = 63;
const SEGMENT_BITS = CHUNK_BITS * CHUNKS_PER_SEGMENT;
/** Enough for the longest message of the protocol, a note commitment of 582 bits. */
const SEGMENTS = 4;

/** I(i): the generator of segment i. */
export const PEDERSEN_BASES: readonly JubjubFixedBase[] = Array.from({ length: SEGMENTS }, (_, i) =>
  createJubjubFixedBase(() => findJubjubHash('Zcash_PH', u32ToLeBytes(i))),
);

/** Adds `PedersenHashToPoint` of the message, which begins with its 6-bit personalisation, to the accumulator. */
export function pedersenHashTo(sum: ExtendedAccumulator, message: BitString): void {
  const segments = Math.ceil(message.length / SEGMENT_BITS);
  if (segments > SEGMENTS)
    throw new RangeError(`Pedersen hashes take at most ${SEGMENTS * SEGMENT_BITS} bits`);
  for (let segment = 0; segment < segments; segment++) {
    const start = segment * SEGMENT_BITS;
    const chunks = Math.min(CHUNKS_PER_SEGMENT, Math.ceil((message.length - start) / CHUNK_BITS));
    PEDERSEN_BASES[segment]!.addTo(sum, segmentScalar(message, start, chunks));
  }
}

/** Σ enc(chunk_j)·2^(4j) modulo the subgroup order, with enc(chunk) in ±{1, 2, 3, 4}. */
function segmentScalar(message: BitString, start: number, chunks: number): bigint {
  let scalar = 0n;
  // Seven chunks at a time stay exact in a double; a bigint step per chunk would cost more than the additions.
  const batch = 7;
  for (let first = Math.floor((chunks - 1) / batch) * batch; first >= 0; first -= batch) {
    let sum = 0;
    for (let j = Math.min(first + batch, chunks) - 1; j >= first; j--) {
      const bits = readBits(message, start + j * CHUNK_BITS, CHUNK_BITS);
      const magnitude = 1 + (bits & 3);
      sum = sum * 16 + (bits & 4 ? -magnitude : magnitude);
    }
    scalar = (scalar << BigInt(4 * batch)) + BigInt(sum);
  }
  return scalar < 0n ? scalar + JUBJUB_ORDER : scalar;
}

/** `PedersenHash`: the u-coordinate, in [0, q). */
export function pedersenHash(message: BitString): bigint {
  const sum = new ExtendedAccumulator();
  pedersenHashTo(sum, message);
  return affineJubjub(sum).u;
}

const NOTE_COMMITMENT_PREFIX = Uint8Array.of(0b111111);

/**
 * `NoteCommit^Sapling`: the commitment as an accumulator (cmu is the u-coordinate of its affine form).
 * `diversifiedBase` and `transmissionKey` are the 32-byte encodings of g_d and pk_d, `value` is in zatoshi, below 2^64.
 */
export function commitNoteSapling(
  diversifiedBase: Uint8Array,
  transmissionKey: Uint8Array,
  value: bigint,
  randomness: bigint,
): ExtendedAccumulator {
  const sum = new ExtendedAccumulator();
  pedersenHashTo(
    sum,
    joinBits(
      [NOTE_COMMITMENT_PREFIX, 6],
      [u64ToLeBytes(value), 64],
      [diversifiedBase, 256],
      [transmissionKey, 256],
    ),
  );
  SAPLING_NOTE_RANDOMNESS_BASE.addTo(sum, randomness);
  return sum;
}
