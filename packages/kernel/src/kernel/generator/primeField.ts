// Parameters of the base fields in the kernel's limb representation (docs/inside/kernel.md, "Representation"): five signed
// limbs of 51 bits held in doubles. Everything is computed from the prime, so that no table has to be typed in.

const LIMB_BITS = 51n;
export const LIMBS = 5;

export type FieldName = 'pallas' | 'vesta' | 'jubjub';

/** Which multiple of the modulus the last reduction step uses, and where the result's limb grid starts. */
export interface PrimeField {
  readonly name: FieldName;
  readonly modulus: bigint;
  /** Generates the multiplicative group; modulus - 1 is 2^32 times an odd number in all of them. */
  readonly generator: bigint;
  /** Montgomery factor R = 2^montgomeryBits. */
  readonly montgomeryBits: number;
  /** -1/modulus mod 2^51, centred. */
  readonly k: number;
  /**
   * Centred 51-bit digits n_1, n_2, ... of k*modulus + 1 = sum n_j 2^(51 j), without the part `k * 2^254` for Pallas and Vesta,
   * which `topFactor` holds.
   */
  readonly cancelling: readonly number[];
  /** Pallas and Vesta: k, at weight 2^254, the start of the result grid. Jubjub: absent, the digits reach the grid themselves. */
  readonly topFactor: number | undefined;
  /** Bits removed by the last step: 50 for Pallas and Vesta, 51 for Jubjub. */
  readonly lastBits: number;
  /** -1/modulus mod 2^lastBits, centred. */
  readonly lastInverse: number;
  /** Centred digits of modulus - 2^bitLength', the sparse top taken out; used by the last step. */
  readonly lowDigits: readonly number[];
  /** 2^(bits)/modulus for the quotient estimate: the top power over the modulus. */
  readonly quotientScale: number;
}

export const PALLAS_MODULUS = 0x40000000000000000000000000000000224698fc094cf91b992d30ed00000001n;
/** The order of Pallas, as the modulus of Pallas is that of Vesta. */
export const VESTA_MODULUS = 0x40000000000000000000000000000000224698fc0994a8dd8c46eb2100000001n;
export const JUBJUB_MODULUS = 0x73eda753299d7d483339d80809a1d80553bda402fffe5bfeffffffff00000001n;

function centred(value: bigint, bits: bigint): bigint {
  return BigInt.asIntN(Number(bits), value);
}

/** Signed digits in base 2^51, each in [-2^50, 2^50); the last digit takes the remainder. */
export function centredDigits(value: bigint, count: number): number[] {
  const digits: number[] = [];
  let rest = value;
  for (let i = 0; i < count - 1; i++) {
    const digit = centred(rest, LIMB_BITS);
    digits.push(Number(digit));
    rest = (rest - digit) >> LIMB_BITS;
  }
  digits.push(Number(rest));
  return digits;
}

/** Inverse modulo a power of two by Newton's iteration; `value` is odd. */
function inverseModPowerOfTwo(value: bigint, bits: bigint): bigint {
  let inverse = 1n;
  for (let precision = 1n; precision < bits; precision *= 2n) {
    inverse = BigInt.asUintN(Number(bits), inverse * (2n - value * inverse));
  }
  return inverse;
}

function trimmed(digits: number[]): number[] {
  const out = [...digits];
  while (out.at(-1) === 0) out.pop();
  return out;
}

/** p = 2^254 + small, R = 2^254, so the result grid starts below the columns of weight 2^255. */
function pastaField(name: 'pallas' | 'vesta', modulus: bigint): PrimeField {
  const small = modulus - (1n << 254n);
  const k = centred(-inverseModPowerOfTwo(modulus, LIMB_BITS), LIMB_BITS);
  return {
    name,
    modulus,
    generator: 5n,
    montgomeryBits: 254,
    k: Number(k),
    cancelling: trimmed(centredDigits((k * small + 1n) >> LIMB_BITS, 5)),
    topFactor: Number(k),
    lastBits: 50,
    lastInverse: Number(centred(-inverseModPowerOfTwo(modulus, 50n), 50n)),
    lowDigits: trimmed(centredDigits(small, 5)),
    quotientScale: 1,
  };
}

/** The scalar field of BLS12-381: no sparse form, but 5*51 = 255 bits make grid and columns coincide, R = 2^255. */
function jubjubField(): PrimeField {
  const modulus = JUBJUB_MODULUS;
  const k = centred(-inverseModPowerOfTwo(modulus, LIMB_BITS), LIMB_BITS);
  return {
    name: 'jubjub',
    modulus,
    generator: 7n,
    montgomeryBits: 255,
    k: Number(k),
    cancelling: centredDigits((k * modulus + 1n) >> LIMB_BITS, 5),
    topFactor: undefined,
    lastBits: 51,
    lastInverse: Number(k),
    lowDigits: centredDigits(modulus - (1n << 255n), 5),
    quotientScale: 2 ** 255 / Number(modulus),
  };
}

export const PALLAS_FIELD = pastaField('pallas', PALLAS_MODULUS);
export const VESTA_FIELD = pastaField('vesta', VESTA_MODULUS);
export const JUBJUB_FIELD = jubjubField();
