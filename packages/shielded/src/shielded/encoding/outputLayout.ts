// The offsets of a shielded output's parts in a block or a compact block.

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
