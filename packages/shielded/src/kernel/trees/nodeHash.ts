// How one pool's nodes are hashed on the kernel.

export interface NodeHash {
  /** The most pairs that `join` takes. */
  readonly batchPairs: number;
  /**
   * Joins pairs of neighbouring nodes of a level, at least one. Undefined when the formulas do not cover a case among
   * them; no input is known that leads to one.
   */
  join(level: number, nodes: Uint8Array): Uint8Array | undefined;
}
