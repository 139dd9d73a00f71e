// What the note store keeps for witnesses; the chain can provide all of it again.

import type { Height } from '@wallet-companion/base/values';

export interface WitnessPart {
  readonly key: string;
  /** The part is valid while the block at this height is on the chain. */
  readonly height: Height;
  /** Plain JSON; only the caller that keeps it knows its form. */
  readonly value: unknown;
}

/** A part that stays when blocks are undone, unless the same commit changes it. */
export interface LastingPart {
  readonly key: string;
  /** Only the caller that keeps it knows its form; not JSON, which takes a third more space and twice the time. */
  readonly bytes: Uint8Array;
}

export interface LastingChange {
  readonly put: readonly LastingPart[];
  /** Keys. */
  readonly drop: readonly string[];
}

/** Errors: `STORAGE_FAILED`. */
export interface WitnessPartStore {
  /** Undefined where it was never kept, is lost, or was undone. */
  witnessPart(key: string): WitnessPart | undefined;
  /** One commit. */
  keepWitnessParts(parts: readonly WitnessPart[]): void;
  /** The bytes of a lasting part; undefined as above. */
  lastingPart(key: string): Uint8Array | undefined;
  /** One commit. */
  changeLasting(change: LastingChange): void;
}
