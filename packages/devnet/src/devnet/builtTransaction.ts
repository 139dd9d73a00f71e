// A transaction of the devnet together with what only its maker knows: the notes in it.
import type { Nullifier, TxId } from '@wallet-companion/shielded/identifiers';
import type { Pool, TreeSizes } from '@wallet-companion/shielded/pools';

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
  readonly leadByte: number;
  /** 32 bytes. */
  readonly rseed: Uint8Array;
  /** The nullifier of its action; empty in Sapling. */
  readonly rho: Uint8Array;
  /** Under the nullifier key `nk` of its owner; only Sapling uses the leaf's position. */
  nullifier(nk: Uint8Array, position: number): Nullifier;
}

export interface RevealedNullifier {
  readonly pool: Pool;
  readonly nullifier: Nullifier;
}

export interface BuiltTransaction {
  readonly txid: TxId;
  readonly version: number;
  readonly bytes: Uint8Array;
  /** Zatoshi; 0 for a coinbase. */
  readonly fee: bigint;
  readonly notes: readonly CreatedNote[];
  /** Nullifiers of notes that exist on the devnet; those of made-up spends are left out. */
  readonly spends: readonly RevealedNullifier[];
  /** Leaves it adds to each tree. */
  readonly leafCounts: TreeSizes;
  /** It came over a server: nobody here knows its notes, and all its nullifiers count. */
  readonly isSent?: true;
}
