// A transaction of the devnet together with what only its maker knows: its notes.
import type { Nullifier, TxId } from '@wallet-companion/zcash/identifiers';
import type { Pool, TreeSizes } from '@wallet-companion/zcash/pools';

/** A note that a devnet transaction makes for a known recipient. */
export interface CreatedNote {
  readonly pool: Pool;
  /** Index among the Sapling outputs, or among the actions of the pool's bundle. */
  readonly outputIndex: number;
  /** 43 bytes: diversifier and pk_d. */
  readonly recipient: Uint8Array;
  /** Zatoshi. */
  readonly value: bigint;
  /** 512 bytes. */
  readonly memo: Uint8Array;
  /** The key that recovers the note as sent; undefined when no key does. */
  readonly outgoingKey: Uint8Array | undefined;
  readonly leadByte: number;
  /** 32 bytes. */
  readonly rseed: Uint8Array;
  /** The nullifier of its action; empty in Sapling. */
  readonly rho: Uint8Array;
  /** Nullifier under the owner's nullifier key `nk`; only Sapling uses the leaf's position. */
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
  /** The names of transparent outputs that exist on the devnet and are spent; none where it is left out. */
  readonly coins?: readonly string[];
  /** Count of leaves that the transaction adds to each tree. */
  readonly leafCounts: TreeSizes;
  /** The transaction came over a server: the devnet does not know its notes, and all its nullifiers count. */
  readonly isSent?: true;
}
