// Sinsemilla hashes and commitments (protocol specification §5.4.1.9, §5.4.8.4) and the Orchard domains built on them.
//
// Each step is Acc = (Acc ⊹ S) ⊹ Acc. The mixed addition Acc + S yields, as by-products, Acc rewritten over the sum's
// denominator, so that the second addition can use the cheaper formulas for points that share z: 18 products a step and
// one inversion at the very end. Both additions are incomplete, as the specification requires: equal x-coordinates make
// the whole hash fail.
//
// The 1,024 points S(j) are derived when first needed; a note commitment uses about a hundred of them.
import { asciiBytes, u32ToLeBytes } from '@wallet-companion/base/bytes';
import { affinePallas, JacobianAccumulator, PALLAS_BASE, type PallasPoint } from '../curves/pallas.ts';
import { createPallasFixedBase, type PallasFixedBase } from '../curves/pallasMultiply.ts';
import { type BitString, readBits } from './bitString.ts';
import { hashToPallas } from './pallasHash.ts';

const P = PALLAS_BASE.order;
const PIECE_BITS = 10;
const MAX_PIECES = 253;

const pieces: (PallasPoint | undefined)[] = new Array(2 ** PIECE_BITS);

function piecePoint(index: number): PallasPoint {
  let point = pieces[index];
  if (point === undefined) {
    point = generator('z.cash:SinsemillaS', u32ToLeBytes(index));
    pieces[index] = point;
  }
  return point;
}

function generator(domain: string, message: Uint8Array): PallasPoint {
  const point = hashToPallas(domain, message);
  if (point === undefined) throw new Error('a generator of the protocol is not the identity');
  return point;
}

/** Accumulates the message onto `start`; undefined when an incomplete addition fails (⊥). */
function hashToAccumulator(start: PallasPoint, message: BitString): JacobianAccumulator | undefined {
  const count = Math.ceil(message.length / PIECE_BITS);
  if (count > MAX_PIECES) throw new RangeError(`Sinsemilla takes at most ${MAX_PIECES * PIECE_BITS} bits`);
  let { x, y } = start;
  let z = 1n;
  for (let i = 0; i < count; i++) {
    const s = piecePoint(readBits(message, i * PIECE_BITS, PIECE_BITS));
    // T = Acc + S over z·h; Acc over the same denominator is (v, w).
    const zz = (z * z) % P;
    const h = (s.x * zz - x) % P;
    if (h === 0n) return undefined;
    const r = (((s.y * z) % P) * zz - y) % P;
    const hh = (h * h) % P;
    const hhh = (hh * h) % P;
    const v = (x * hh) % P;
    const w = (y * hhh) % P;
    const tx = (r * r - hhh - (v << 1n)) % P;
    const ty = (r * (v - tx) - w) % P;
    // Acc + T with a common denominator.
    const dx = v - tx;
    if (dx % P === 0n) return undefined;
    const dy = w - ty;
    const c = (dx * dx) % P;
    const vc = (v * c) % P;
    const tc = (tx * c) % P;
    x = (dy * dy - vc - tc) % P;
    y = (dy * (vc - x) - w * (vc - tc)) % P;
    z = (((z * h) % P) * dx) % P;
  }
  const sum = new JacobianAccumulator();
  sum.x = x;
  sum.y = y;
  sum.z = z;
  return sum;
}

export interface SinsemillaHash {
  /** `SinsemillaHashToPoint`; undefined is ⊥. */
  hashToPoint(message: BitString): PallasPoint | undefined;
  /** `SinsemillaHash`: the x-coordinate; undefined is ⊥. */
  hash(message: BitString): bigint | undefined;
  /** Q(domain). */
  readonly start: PallasPoint;
}

export function createSinsemillaHash(domain: string): SinsemillaHash {
  let start: PallasPoint | undefined;
  const messageStart = (): PallasPoint => {
    start ??= generator('z.cash:SinsemillaQ', asciiBytes(domain));
    return start;
  };
  const hashToPoint = (message: BitString): PallasPoint | undefined => {
    const sum = hashToAccumulator(messageStart(), message);
    return sum && affinePallas(sum);
  };
  return {
    hashToPoint,
    hash: (message) => hashToPoint(message)?.x,
    get start() {
      return messageStart();
    },
  };
}

export interface SinsemillaCommitment {
  /**
   * `SinsemillaCommit` with randomness in [0, group order), as a Jacobian accumulator so that callers can share an
   * inversion; undefined is ⊥. An accumulator with z = 0 is the identity.
   */
  commitToAccumulator(message: BitString, randomness: bigint): JacobianAccumulator | undefined;
  /** `SinsemillaShortCommit`: the x-coordinate, 0 for the identity; undefined is ⊥. */
  shortCommit(message: BitString, randomness: bigint): bigint | undefined;
  readonly randomnessBase: PallasFixedBase;
  /** Q(domain || "-M"). */
  readonly start: PallasPoint;
}

export function createSinsemillaCommitment(domain: string): SinsemillaCommitment {
  let start: PallasPoint | undefined;
  const messageStart = (): PallasPoint => {
    start ??= generator('z.cash:SinsemillaQ', asciiBytes(`${domain}-M`));
    return start;
  };
  const randomnessBase = createPallasFixedBase(() => generator(`${domain}-r`, new Uint8Array(0)));
  const commitToAccumulator = (message: BitString, randomness: bigint) => {
    const sum = hashToAccumulator(messageStart(), message);
    if (sum !== undefined) randomnessBase.addTo(sum, randomness);
    return sum;
  };
  return {
    commitToAccumulator,
    shortCommit: (message, randomness) => {
      const sum = commitToAccumulator(message, randomness);
      return sum && (affinePallas(sum)?.x ?? 0n);
    },
    randomnessBase,
    get start() {
      return messageStart();
    },
  };
}

/** §5.4.8.4: NoteCommit of Orchard and Ironwood. */
export const NOTE_COMMIT_ORCHARD = createSinsemillaCommitment('z.cash:Orchard-NoteCommit');
/** §5.4.8.4: Commit^ivk. */
export const COMMIT_IVK = createSinsemillaCommitment('z.cash:Orchard-CommitIvk');
/** §5.4.1.3: the node hash of the Orchard and Ironwood note commitment trees. */
export const MERKLE_CRH_ORCHARD = createSinsemillaHash('z.cash:Orchard-MerkleCRH');
