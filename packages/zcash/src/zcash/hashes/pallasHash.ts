// Hashing to Pallas: GroupHash^P of the protocol specification §5.4.9.8, the pallas_XMD:BLAKE2b_SSWU_RO_ suite of
// RFC 9380 (simplified SWU onto the 3-isogenous curve iso-Pallas, then the isogeny).
import { asciiBytes, bytesToHex, concatBytes } from '@wallet-companion/base/bytes';
import { affinePallas, JacobianAccumulator, PALLAS_BASE, type PallasPoint } from '../curves/pallas.ts';
import { blake2b } from './blake2.ts';

const P = PALLAS_BASE.order;
const { reduce } = PALLAS_BASE;

// iso-Pallas: y² = x³ + A·x + B.
const A = 0x18354a2eb0ea8c9c49be2d7258370742b74134581a27a59f92bb4b0b657a014bn;
const B = 1265n;
const Z = -13n;

/** Coefficients of the isogeny, highest degree first. */
const X_NUMERATOR = [
  0x0e38e38e38e38e38e38e38e38e38e38e4081775473d8375b775f6034aaaaaaabn,
  0x3509afd51872d88e267c7ffa51cf412a0f93b82ee4b994958cf863b02814fb76n,
  0x17329b9ec525375398c7d7ac3d98fd13380af066cfeb6d690eb64faef37ea4f7n,
  0x1c71c71c71c71c71c71c71c71c71c71c8102eea8e7b06eb6eebec06955555580n,
] as const;
const X_DENOMINATOR = [
  1n,
  0x1d572e7ddc099cff5a607fcce0494a799c434ac1c96b6980c47f2ab668bcd71fn,
  0x325669becaecd5d11d13bf2a7f22b105b4abf9fb9a1fc81c2aa3af1eae5b6604n,
] as const;
const Y_NUMERATOR = [
  0x1a12f684bda12f684bda12f684bda12f7642b01ad461bad25ad985b5e38e38e4n,
  0x1a84d7ea8c396c47133e3ffd28e7a09507c9dc17725cca4ac67c31d8140a7dbbn,
  0x3fb98ff0d2ddcadd303216cce1db9ff11765e924f745937802e2be87d225b234n,
  0x025ed097b425ed097b425ed097b425ed0ac03e8e134eb3e493e53ab371c71c4fn,
] as const;
const Y_DENOMINATOR = [
  1n,
  0x0c02c5bcca0e6b7f0790bfb3506defb65941a3a4a97aa1b35a28279b1d1b42aen,
  0x17033d3c60c68173573b3d7f7d681310d976bbfabbc5661d4d90ab820b12320an,
  0x40000000000000000000000000000000224698fc094cf91b992d30ecfffffde5n,
] as const;

/** The suite's parameters, for other implementations of the map: coefficients are highest degree first. */
export const ISO_PALLAS = {
  a: A,
  b: B,
  z: Z,
  xNumerator: X_NUMERATOR,
  xDenominator: X_DENOMINATOR,
  yNumerator: Y_NUMERATOR,
  yDenominator: Y_DENOMINATOR,
} as const;

/** sqrt(Z / nonResidueRoot): turns the root of a non-square that sqrtRatio gives into the second SWU candidate. */
const THETA = ((): bigint => {
  const { isSquare, root } = PALLAS_BASE.sqrtRatio(Z, PALLAS_BASE.nonResidueRoot);
  if (!isSquare) throw new Error('Z and the field generator are both non-residues');
  return root;
})();

const NO_PERSONALISATION = new Uint8Array(16);
const BLOCK = new Uint8Array(128);

/** `GroupHash^P(domain, message)`; undefined (the identity) is not expected to occur. */
export function hashToPallas(domain: string, message: Uint8Array): PallasPoint | undefined {
  // Adding after the isogeny instead of before it avoids an addition on iso-Pallas, whose a is not 0.
  const images = hashToField(`${domain}-pallas_XMD:BLAKE2b_SSWU_RO_`, message).map((u) =>
    isogeny(simplifiedSwu(u)),
  );
  const denominators = images.map((image) => reduce(image.denominator));
  PALLAS_BASE.invertAll(denominators);
  const sum = new JacobianAccumulator();
  images.forEach((image, i) => {
    const inverse = denominators[i]!;
    // A point of the isogeny's kernel maps to the identity.
    if (inverse !== 0n) sum.add((image.x * inverse) % P, (image.y * inverse) % P);
  });
  return affinePallas(sum);
}

/** `DiversifyHash^Orchard` (§5.4.1.6) of an 11-byte diversifier; it never fails. */
export function diversifyHashOrchard(diversifier: Uint8Array): PallasPoint {
  const domain = 'z.cash:Orchard-gd';
  const point = hashToPallas(domain, diversifier) ?? hashToPallas(domain, new Uint8Array(0));
  if (point === undefined) throw new Error('the hash of the empty string is a known point');
  return point;
}

/** expand_message_xmd with BLAKE2b-512 to two field elements. */
function hashToField(suite: string, message: Uint8Array): readonly [bigint, bigint] {
  const dst = concatBytes(asciiBytes(suite), Uint8Array.of(suite.length));
  const b0 = blake2b(NO_PERSONALISATION, 64, BLOCK, message, Uint8Array.of(0, 128, 0), dst);
  const b1 = blake2b(NO_PERSONALISATION, 64, b0, Uint8Array.of(1), dst);
  const mixed = b0.map((byte, i) => byte ^ b1[i]!);
  const b2 = blake2b(NO_PERSONALISATION, 64, mixed, Uint8Array.of(2), dst);
  return [BigInt(`0x${bytesToHex(b1)}`) % P, BigInt(`0x${bytesToHex(b2)}`) % P];
}

/** A point of iso-Pallas whose x is a fraction. */
interface FractionalPoint {
  readonly numerator: bigint;
  /** Not 0 modulo p. */
  readonly denominator: bigint;
  readonly y: bigint;
}

/** Simplified SWU (RFC 9380 §6.6.2). */
function simplifiedSwu(u: bigint): FractionalPoint {
  const zuu = (((Z * u) % P) * u) % P;
  const tail = (zuu * zuu + zuu) % P;
  const numerator = (B * (tail + 1n)) % P;
  const denominator = reduce(A * (tail === 0n ? Z : -tail));
  const square = (denominator * denominator) % P;
  const cube = (square * denominator) % P;
  const gx = (((numerator * numerator) % P) * numerator + ((A * numerator) % P) * square + B * cube) % P;
  const { isSquare, root } = PALLAS_BASE.sqrtRatio(gx, cube);
  // g(x2) = Z³u⁶·g(x1) for x2 = Zu²·x1, so its root is Zu³·sqrt(Z·g(x1)).
  const y = isSquare ? root : reduce(((((THETA * zuu) % P) * u) % P) * root);
  return {
    numerator: isSquare ? numerator : (zuu * numerator) % P,
    denominator,
    y: (y & 1n) === (u & 1n) ? y : reduce(-y),
  };
}

/** Simplified SWU in affine form: `map_to_curve` before the isogeny. */
export function mapToIsoPallas(u: bigint): PallasPoint {
  const { numerator, denominator, y } = simplifiedSwu(u);
  return { x: reduce(numerator * PALLAS_BASE.invert(denominator)), y };
}

/** The image on Pallas as (x, y) over one denominator, which is 0 for points of the kernel. */
function isogeny({ numerator, denominator, y }: FractionalPoint): {
  x: bigint;
  y: bigint;
  denominator: bigint;
} {
  const square = (denominator * denominator) % P;
  const powers = [1n, denominator, square, (square * denominator) % P] as const;
  /** The polynomial times denominator^degree. */
  const evaluate = (coefficients: readonly bigint[]): bigint =>
    coefficients.reduce((sum, coefficient, i) => (sum * numerator + coefficient * powers[i]!) % P, 0n);
  const xDenominator = (evaluate(X_DENOMINATOR) * denominator) % P;
  const yDenominator = evaluate(Y_DENOMINATOR);
  return {
    x: (evaluate(X_NUMERATOR) * yDenominator) % P,
    y: (((evaluate(Y_NUMERATOR) * xDenominator) % P) * y) % P,
    denominator: (xDenominator * yDenominator) % P,
  };
}
