// Where the parts of a shielded output lie, in a block or a compact block.

/** Offsets of an output's fields from where it starts. */
export interface OutputLayout {
  readonly ephemeralKey: number;
  /** The first 52 bytes of encCiphertext. */
  readonly ciphertext: number;
  /** cmu or cmx. */
  readonly commitment: number;
  /** The action's own nullifier; not read for Sapling. */
  readonly rho: number;
}
