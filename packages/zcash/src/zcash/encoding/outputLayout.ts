// The offsets of a shielded output's parts in a block, in a compact block or by itself.

import { POOL, type Pool } from '../pools.ts';

/** Offsets of an output's fields from its start. */
export interface OutputLayout {
  readonly ephemeralKey: number;
  /** The first 52 bytes of encCiphertext. */
  readonly ciphertext: number;
  /** cmu or cmx. */
  readonly commitment: number;
  /** The action's own nullifier; not read for Sapling. */
  readonly rho: number;
}

/** An output by itself: its fields one after the other. */
export const BARE_OUTPUT: OutputLayout = { ephemeralKey: 0, ciphertext: 32, commitment: 84, rho: 116 };

/** Bytes of an output by itself. */
export const bareOutputSize = (pool: Pool): number => BARE_OUTPUT.rho + (POOL[pool].hasRho ? 32 : 0);
