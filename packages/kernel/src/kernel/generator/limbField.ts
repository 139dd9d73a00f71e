// Generates the scalar arithmetic of one field on nine 29-bit limbs (R = 2^261): the multiplication of the portable
// kernel and of everything that is done once per hit. Products are summed without carries, because nine products of
// 2^59 and the nine of the reduction stay below 2^63.

import type { PrimeField } from './primeField.ts';

const LIMBS = 9;
const LIMB_BITS = 29n;
const MASK = (1n << LIMB_BITS) - 1n;
/** Montgomery factor of the nine-limb form. */
export const LIMB_MONTGOMERY_BITS = 261n;

function digits(value: bigint, bits: bigint, count: number): bigint[] {
  const out: bigint[] = [];
  for (let i = 0; i < count; i++) {
    out.push(
      i === count - 1 ? value >> (bits * BigInt(i)) : (value >> (bits * BigInt(i))) & ((1n << bits) - 1n),
    );
  }
  return out;
}

function inverse(value: bigint, bits: bigint): bigint {
  let out = 1n;
  for (let precision = 1n; precision < bits; precision *= 2n) {
    out = BigInt.asUintN(Number(bits), out * (2n - value * out));
  }
  return out;
}

/** Reduces columns c0..c16 into `o`. Both moduli are 1 modulo 2^29, so the multiplier is a negation. */
function reduction(modulus: bigint): string[] {
  const limbs = digits(modulus, LIMB_BITS, LIMBS);
  if (limbs[0] !== 1n) throw new Error('the reduction expects a modulus that is 1 modulo 2^29');
  const lines: string[] = ['  let m: i64;', '  let c17: i64 = 0;'];
  for (let i = 0; i < LIMBS; i++) {
    lines.push(`  m = -c${i} & ${MASK};`);
    lines.push(`  c${i + 1} += (c${i} + m) >> ${LIMB_BITS};`);
    limbs.forEach((limb, j) => {
      if (j > 0 && limb !== 0n) lines.push(`  c${i + j} += m * ${limb};`);
    });
  }
  for (let i = 0; i < LIMBS; i++) {
    const column = `c${i + LIMBS}`;
    if (i < LIMBS - 1) {
      lines.push(`  store<u32>(o, <u32>(${column} & ${MASK}), ${i * 4});`);
      lines.push(`  c${i + LIMBS + 1} += ${column} >> ${LIMB_BITS};`);
    } else {
      lines.push(`  store<u32>(o, <u32>${column}, ${i * 4});`);
    }
  }
  return lines;
}

function loads(name: string): string[] {
  return Array.from({ length: LIMBS }, (_, i) => `  const ${name}${i} = <i64>load<u32>(${name}, ${i * 4});`);
}

function multiplication(modulus: bigint): string {
  const lines = [
    'export function mulLimbs(o: usize, a: usize, b: usize): void {',
    ...loads('a'),
    ...loads('b'),
  ];
  for (let column = 0; column < 2 * LIMBS - 1; column++) {
    const terms: string[] = [];
    for (let i = Math.max(0, column - LIMBS + 1); i <= Math.min(column, LIMBS - 1); i++) {
      terms.push(`a${i} * b${column - i}`);
    }
    lines.push(`  let c${column}: i64 = ${terms.join(' + ')};`);
  }
  return [...lines, ...reduction(modulus), '}', ''].join('\n');
}

function squaring(modulus: bigint): string {
  const lines = ['export function sqrLimbs(o: usize, a: usize): void {', ...loads('a')];
  for (let i = 0; i < LIMBS - 1; i++) lines.push(`  const d${i} = a${i} << 1;`);
  for (let column = 0; column < 2 * LIMBS - 1; column++) {
    const terms: string[] = [];
    for (let i = Math.max(0, column - LIMBS + 1); 2 * i <= column; i++) {
      terms.push(2 * i === column ? `a${i} * a${i}` : `d${i} * a${column - i}`);
    }
    lines.push(`  let c${column}: i64 = ${terms.join(' + ')};`);
  }
  return [...lines, ...reduction(modulus), '}', ''].join('\n');
}

/**
 * A sum or difference below 2^256 of values below 2^256, in one pass: how often the modulus is to be taken out shows
 * from the top limbs before carries, which change them by at most one, and the one that is left in or the gap between the
 * modulus and its power of two leave room for that.
 */
function combination(name: string, sign: '+' | '-', { modulus, topFactor }: PrimeField): string {
  const limbs = digits(modulus, LIMB_BITS, LIMBS);
  // Pallas is little above 2^254, Jubjub's field a twelfth below 2^255.
  const [shift, keep] = topFactor === undefined ? [23, 0] : [22, 1];
  // 4p is above 2^256.
  const multiple = sign === '-' ? 4n : 0n;
  const top = LIMBS - 1;
  const lines = [
    `export function ${name}(o: usize, a: usize, b: usize): void {`,
    ...loads('a'),
    ...loads('b'),
    `  const times = ${multiple + BigInt(keep)} - ((a${top} ${sign} b${top} + ${(multiple * modulus) >> (LIMB_BITS * BigInt(top))}) >> ${shift});`,
    '  let c: i64 = 0;',
  ];
  limbs.forEach((limb, i) => {
    lines.push(`  c += a${i} ${sign} b${i}${limb === 0n ? '' : ` + times * ${limb}`};`);
    lines.push(`  store<u32>(o, <u32>${i < top ? `(c & ${MASK})` : 'c'}, ${i * 4});`);
    if (i < top) lines.push(`  c >>= ${LIMB_BITS};`);
  });
  return [...lines, '}', ''].join('\n');
}

const table = (name: string, type: string, values: readonly bigint[]) =>
  `export const ${name}: usize = memory.data<${type}>([${values.join(', ')}], 16);`;

/** AssemblyScript source of the nine-limb multiplication and the constants around it. */
export function limbFieldSource(field: PrimeField): string {
  const { modulus } = field;
  return [
    table('MODULUS', 'i64', digits(modulus, LIMB_BITS, LIMBS)),
    table('MODULUS_30', 'i32', digits(modulus, 30n, LIMBS)),
    `export const MODULUS_INVERSE_30: u32 = ${inverse(modulus, 30n)};`,
    '/** R^2 and R^3: into Montgomery form, and back into it after an inversion of a Montgomery form. */',
    table('SQUARED_R', 'u32', digits((1n << (2n * LIMB_MONTGOMERY_BITS)) % modulus, LIMB_BITS, LIMBS)),
    table('CUBED_R', 'u32', digits((1n << (3n * LIMB_MONTGOMERY_BITS)) % modulus, LIMB_BITS, LIMBS)),
    `export const SQRT_EXPONENT: usize = memory.data<u8>([${digits(modulus >> 33n, 8n, 32).join(', ')}], 16);`,
    '/** A generator of the multiplicative group, in Montgomery form. */',
    table('GENERATOR', 'u32', digits((field.generator << LIMB_MONTGOMERY_BITS) % modulus, LIMB_BITS, LIMBS)),
    table('ONE', 'u32', digits((1n << LIMB_MONTGOMERY_BITS) % modulus, LIMB_BITS, LIMBS)),
    multiplication(modulus),
    squaring(modulus),
    combination('addLimbs', '+', field),
    combination('subLimbs', '-', field),
  ].join('\n');
}

/** AssemblyScript source of the modulus in the 51-bit limbs of the FMA representation. */
export function modulusSource(field: PrimeField): string {
  const limbs = digits(field.modulus, 51n, 5).map((limb, i) => `export const MODULUS_${i}: i64 = ${limb};`);
  const scale = 2 ** 204 / Number(field.modulus);
  return [
    ...limbs,
    '/** 2^204 / modulus: turns the top limb into a quotient. */',
    `export const TOP_SCALE: f64 = ${scale};`,
  ].join('\n');
}
