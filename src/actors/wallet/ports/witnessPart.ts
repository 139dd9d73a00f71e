// What the note store keeps for witnesses; the chain can provide all of it again.

import type { Height } from '@wallet-companion/shielded/values';

export interface WitnessPart {
  readonly key: string;
  /** The part is valid while the block at this height is on the chain. */
  readonly height: Height;
  /** Plain JSON; only the caller that keeps it knows its form. */
  readonly value: unknown;
}

/** Errors: `STORAGE_FAILED`. */
export interface WitnessPartStore {
  /** Undefined where it was never kept, is lost, or was undone. */
  witnessPart(key: string): WitnessPart | undefined;
  /** One commit. */
  keepWitnessParts(parts: readonly WitnessPart[]): void;
}
