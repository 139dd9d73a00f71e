// The keys that a scan uses: incoming ones to find an account's notes, outgoing ones to find the notes that it sent.

import type { Scope } from '../network.ts';
import type { Pool, ShieldedProtocol } from '../pools.ts';

/** One incoming viewing key with the data that turns a decrypted note into a wallet note. */
export interface IncomingKey {
  readonly protocol: ShieldedProtocol;
  readonly account: number;
  readonly scope: Scope;
  /** 32 bytes, little-endian scalar. */
  readonly ivk: Uint8Array;
  /** 32 bytes; recovers the diversifier index (FF1). */
  readonly dk: Uint8Array;
  /** Nullifier deriving key of this scope: Orchard LE32 field element, Sapling 32-byte point encoding. Absent for an
   * incoming-only (UIVK) wallet, whose spends cannot be seen. */
  readonly nk?: Uint8Array;
  /** Pools of its protocol whose outputs `scanBatch` does not search with it. */
  readonly without?: readonly Pool[];
}

export interface OutgoingKey {
  /** Which funds paid; the key opens outputs of every pool. */
  readonly protocol: ShieldedProtocol | 'transparent';
  readonly account: number;
  readonly scope: Scope;
  /** 32 bytes. */
  readonly ovk: Uint8Array;
}
