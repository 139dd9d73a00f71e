// The interface of one pool's node hashes on the kernel.

export interface NodeHash {
  /** The most pairs that `join` takes. */
  readonly batchPairs: number;
  /**
   * Joins one or more pairs of neighbouring nodes of a level. Undefined when the formulas do not cover one of them; no
   * input is known that leads to that.
   */
  join(level: number, nodes: Uint8Array): Uint8Array | undefined;
}
