// How bytes are sealed: the companion's own, for files and for the queue alike.

export interface Sealing {
  /** 32 bytes for one purpose, which the caller wipes. */
  deriveSubkey(key: Uint8Array, label: string): Uint8Array;
  /** With a new nonce, which it contains. `context` is authenticated, not stored. */
  seal(key: Uint8Array, plaintext: Uint8Array, context: Uint8Array): Uint8Array;
  /** Undefined when key or context is wrong, or a bit was changed. */
  unseal(key: Uint8Array, sealed: Uint8Array, context: Uint8Array): Uint8Array | undefined;
}

export type RandomBytes = (length: number) => Uint8Array;
