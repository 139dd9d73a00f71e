// Range checks by look-ups of words of 10 bits, and what shows that a decomposed field element was below p.
import { PALLAS_BASE } from '@wallet-companion/zcash/curves';
import type { Region, Regions } from './layout.ts';

const P = PALLAS_BASE.order;
export const WORD_BITS = 10;

/** p - 2^254 */
const T_P = P - (1n << 254n);

/** A value of fewer bits than a word: it and, shifted up to a word, its multiple. */
export function assignShortCheck(regions: Regions, value: bigint, bits: number): void {
  const region = regions.next(`Range check ${bits} bits`);
  region.set(region.column, 0, value);
  region.set(region.column, 1, value << BigInt(WORD_BITS - bits));
}

/** z_0 to z_words, where z_0 is the value and each next one lacks its lowest word. */
export function assignRunningSum(region: Region, value: bigint, words: number): void {
  for (let i = 0, z = value; i <= words; i++, z >>= BigInt(WORD_BITS)) region.set(region.column, i, z);
}

export function assignWords(regions: Regions, value: bigint, words: number): void {
  assignRunningSum(regions.next('Witness element'), value, words);
}

/**
 * A low part of an element whose top bits are checked elsewhere: low + 2^bits - t_P has so few bits only if the element
 * is canonical.
 */
export function assignCanonicity(regions: Regions, low: bigint, bits: 130 | 140): void {
  assignWords(regions, PALLAS_BASE.reduce(low + (1n << BigInt(bits)) - T_P), bits / WORD_BITS);
}
