// What the note store keeps for witnesses, as long as it can: all of it can be had again from the chain.

import type { Height } from '@wallet-companion/shielded/values';

export interface WitnessPart {
  readonly key: string;
  /** It holds while the block at this height is on the chain. */
  readonly height: Height;
  /** Plain JSON of whoever keeps it. */
  readonly value: unknown;
}

/** Errors: `STORAGE_FAILED`. */
export interface WitnessPartStore {
  /** Undefined where it was never kept, is lost, or was undone. */
  witnessPart(key: string): WitnessPart | undefined;
  /** One commit. */
  keepWitnessParts(parts: readonly WitnessPart[]): void;
}
