// The change of a payment: how much returns into which pool, and in which notes. Who plans it and who signs it compute the same.
import type { Zatoshi } from '@wallet-companion/base/values';
import type { Pool } from '@wallet-companion/zcash/pools';

export interface PlannedChange {
  readonly pool: Pool;
  /** Of all its notes. */
  readonly zatoshi: Zatoshi;
  /** How many notes of nearly equal value it is split into. */
  readonly notes: number;
}

/** The values of the notes, equal but for the remainder, which is on the first. */
export function splitChange({ zatoshi, notes }: Pick<PlannedChange, 'zatoshi' | 'notes'>): Zatoshi[] {
  const each = Math.floor(zatoshi / notes);
  return Array.from({ length: notes }, (_, i) => (i === 0 ? zatoshi - each * (notes - 1) : each));
}
