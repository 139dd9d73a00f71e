// RedDSA of the protocol specification §5.4.7 a second time, on the general curves of @noble/curves and for nothing but
// tests: the slow, obvious twin of src/zcash/transaction.
import { blake2b } from '@noble/hashes/blake2.js';
import { bytesToHex, hexToBytes } from '@wallet-companion/base/bytes';
import { JUBJUB_ORDER } from '../../src/zcash/curves/jubjub.ts';
import { PALLAS_BASE, PALLAS_SCALAR_ORDER } from '../../src/zcash/curves/pallas.ts';
import { NobleJubjub, NoblePallas } from './nobleCurves.ts';

export const toLe = (value: bigint, size = 32): Uint8Array =>
  hexToBytes(value.toString(16).padStart(2 * size, '0')).reverse();
export const fromLe = (bytes: Uint8Array): bigint =>
  BigInt(`0x${bytesToHex(Uint8Array.from(bytes).reverse())}`);

export interface NoblePoint<P> {
  add(other: P): P;
  negate(): P;
  multiplyUnsafe(scalar: bigint): P;
  is0(): boolean;
}

export interface PlainCurve<P extends NoblePoint<P>> {
  readonly order: bigint;
  readonly cofactor: bigint;
  readonly personal: string;
  /** Throws for what is no point. */
  decode(bytes: Uint8Array): P;
  encode(point: P): Uint8Array;
}

type PallasPoint = InstanceType<typeof NoblePallas>;
type JubjubPoint = InstanceType<typeof NobleJubjub>;

export const PLAIN_PALLAS: PlainCurve<PallasPoint> = {
  order: PALLAS_SCALAR_ORDER,
  cofactor: 1n,
  personal: 'Zcash_RedPallasH',
  decode(bytes) {
    const integer = fromLe(bytes);
    if (integer === 0n) return NoblePallas.ZERO;
    const x = integer & ((1n << 255n) - 1n);
    const y = NoblePallas.Fp.sqrt((x ** 3n + 5n) % PALLAS_BASE.order);
    const point = NoblePallas.fromAffine({ x, y: (y & 1n) === integer >> 255n ? y : PALLAS_BASE.order - y });
    point.assertValidity();
    return point;
  },
  encode(point) {
    if (point.is0()) return new Uint8Array(32);
    const { x, y } = point.toAffine();
    return toLe(x + ((y & 1n) << 255n));
  },
};

export const PLAIN_JUBJUB: PlainCurve<JubjubPoint> = {
  order: JUBJUB_ORDER,
  cofactor: 8n,
  personal: 'Zcash_RedJubjubH',
  decode: (bytes) => NobleJubjub.fromBytes(bytes, false),
  encode: (point) => point.toBytes(),
};

type Hashing = Pick<PlainCurve<never>, 'personal' | 'order'>;

const hashToScalar = ({ personal, order }: Hashing, ...parts: Uint8Array[]): bigint =>
  fromLe(blake2b(Buffer.concat(parts), { dkLen: 64, personalization: Buffer.from(personal) })) % order;

/** What a signer may do otherwise. */
export interface PlainSigning {
  readonly nonce?: bigint;
  /** Other bytes for R, or for the key, than their encodings. */
  readonly r?: (encoded: Uint8Array) => Uint8Array;
  readonly vk?: (encoded: Uint8Array) => Uint8Array;
}

export function plainSign<P extends NoblePoint<P>>(
  curve: PlainCurve<P>,
  base: P,
  key: bigint,
  message: Uint8Array,
  hedge: Uint8Array,
  { nonce: chosen, r: otherR, vk: otherVk }: PlainSigning = {},
): Uint8Array {
  const encodedKey = curve.encode(base.multiplyUnsafe(key));
  const vk = otherVk ? otherVk(encodedKey) : encodedKey;
  const nonce = chosen ?? hashToScalar(curve, hedge, vk, message);
  const encodedR = curve.encode(base.multiplyUnsafe(nonce));
  const r = otherR ? otherR(encodedR) : encodedR;
  return Buffer.concat([r, toLe((nonce + hashToScalar(curve, r, vk, message) * key) % curve.order)]);
}

export function plainVerify<P extends NoblePoint<P>>(
  curve: PlainCurve<P>,
  base: P,
  vk: Uint8Array,
  message: Uint8Array,
  signature: Uint8Array,
): boolean {
  const s = fromLe(signature.subarray(32));
  if (s >= curve.order) return false;
  try {
    const r = signature.subarray(0, 32);
    const c = hashToScalar(curve, r, vk, message);
    const right = curve.decode(r).add(curve.decode(vk).multiplyUnsafe(c));
    const difference = right.add(base.multiplyUnsafe(s).negate());
    return difference.multiplyUnsafe(curve.cofactor).is0();
  } catch {
    return false;
  }
}
