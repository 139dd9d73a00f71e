// A transaction of the devnet together with what only its maker knows: the notes in it.
import type { Pool, TreeSizes } from '../shielded/pools.ts';

/** A note that a devnet transaction makes for a known recipient. */
export interface CreatedNote {
  readonly pool: Pool;
  /** Index among the Sapling outputs, or of the action in that pool's bundle. */
  readonly outputIndex: number;
  /** 43 bytes: diversifier and pk_d. */
  readonly recipient: Uint8Array;
  /** Zatoshi. */
  readonly value: bigint;
  /** 512 bytes. */
  readonly memo: Uint8Array;
  /** The key that recovers it as sent; undefined when none does. */
  readonly outgoingKey: Uint8Array | undefined;
  /** Under the nullifier key `nk` of its owner; only Sapling uses the leaf's position. */
  nullifier(nk: Uint8Array, position: number): Uint8Array;
}

export interface RevealedNullifier {
  readonly pool: Pool;
  /** Protocol order. */
  readonly nullifier: Uint8Array;
}

export interface BuiltTransaction {
  /** Wire order. */
  readonly txid: Uint8Array;
  readonly version: number;
  readonly bytes: Uint8Array;
  /** Zatoshi; 0 for a coinbase. */
  readonly fee: bigint;
  readonly notes: readonly CreatedNote[];
  /** Nullifiers of notes that exist on the devnet; those of made-up spends are left out. */
  readonly spends: readonly RevealedNullifier[];
  /** Leaves it adds to each tree. */
  readonly leafCounts: TreeSizes;
}
