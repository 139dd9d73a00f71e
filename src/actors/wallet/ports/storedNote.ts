// A note as the note store keeps it and the journal refers to it.

import type { Height, Zatoshi } from '@wallet-companion/base/values';
import type { NullifierHex, TxIdHex } from '@wallet-companion/zcash/identifiers';
import type { Scope } from '@wallet-companion/zcash/network';
import type { Pool } from '@wallet-companion/zcash/pools';

/** A memo, in memory or in the store. It may move to another row with its note. */
export interface Memo {
  /** 512 bytes, a copy that the caller wipes. Errors: those of the store. */
  read(): Uint8Array;
}

export interface StoredNote {
  readonly pool: Pool;
  readonly account: number;
  readonly scope: Scope;
  readonly value: Zatoshi;
  readonly height: Height;
  readonly txid: TxIdHex;
  readonly txIndex: number;
  readonly outputIndex: number;
  readonly position: number;
  /** Null without a nullifier key. */
  readonly nullifier: NullifierHex | null;
  /** Decimal. */
  readonly diversifierIndex: string;
  /** Null while not known. */
  readonly memo: Memo | null;
  readonly spent: { readonly txid: TxIdHex; readonly height: Height; readonly txIndex: number } | null;
}
