// A prepared payment as the note store keeps it. Its result (mined, expired, conflicted) is not kept: it follows from what was
// scanned, so that a reorganisation needs no undo here.

import type { Height, Zatoshi } from '@wallet-companion/base/values';
import type { CarriedBy } from '@wallet-companion/chain/ports';
import type { Encoding, Place } from '@wallet-companion/pczt/pczt';
import type { Disclosure } from '@wallet-companion/pczt/spending';
import type { TxIdHex } from '@wallet-companion/zcash/identifiers';
import type { Pool, TreeSizes } from '@wallet-companion/zcash/pools';

/** A note of the wallet, and its value. */
export interface PaymentNote {
  readonly pool: Pool;
  readonly txid: TxIdHex;
  readonly outputIndex: number;
  readonly zatoshi: Zatoshi;
  /** Where it was when the payment was prepared. */
  readonly height: Height;
  readonly position: number;
}

/** A transparent output at an address of the account. */
export interface PaymentInput {
  readonly txid: TxIdHex;
  readonly outputIndex: number;
  readonly address: string;
  readonly zatoshi: Zatoshi;
}

interface Attempt extends CarriedBy {
  /** Milliseconds since 1970. */
  readonly at: number;
}

/** The bytes are the same at each attempt: binding signatures are random, and two transactions with one txid must not be sent. */
export interface Transmission extends Attempt {
  /** In hexadecimal. */
  readonly transaction: string;
}

/** The last attempt, where the other side has refused every one so far. */
export interface Refusal extends Attempt {
  /** The server's words, in printable characters. */
  readonly detail: string;
  /** What was refused, to be sent again as it is. Null once other proofs have come. */
  readonly transaction: string | null;
}

export interface Unsent {
  readonly kind: 'unsent';
  readonly refused: Refusal | null;
}

/**
 * At least one attempt was not refused, so it may be in a block a minute later. Written before the bytes leave, so that no
 * attempt is ever forgotten.
 */
export type Sent = Transmission & { readonly kind: 'sent' } & (
    | { readonly outcome: 'unanswered' | 'accepted' }
    /** An earlier attempt was not. */
    | { readonly outcome: 'refused'; readonly detail: string }
  );

/** Given up by the user. What was sent cannot be. */
export interface Discarded {
  readonly kind: 'discarded';
  /** Milliseconds since 1970. */
  readonly at: number;
  readonly refused: Refusal | null;
}

/** What was done with a payment; its changes are in payments/paymentState.ts. */
export type KeptState = Unsent | Sent | Discarded;

/** A time in milliseconds since 1970, or a person who types yes. */
export type WaitsFor = { readonly kind: 'delay'; readonly until: number } | { readonly kind: 'confirmation' };

export interface StoredPayment {
  /** 32 hexadecimal digits, random. */
  readonly id: string;
  readonly account: number;
  /** Milliseconds since 1970. */
  readonly createdAt: number;
  /** The grant that prepared it; absent for the owner's. */
  readonly grant?: string;
  /** The idempotency key of the call that pays it; absent where it was prepared by itself. */
  readonly idempotencyKey?: string;
  /** Until then it counts against what that grant may pay in a day, and is kept. Milliseconds since 1970. */
  readonly countsUntil?: number;
  /** The invoice that it refunds; absent where it refunds none. */
  readonly refundOf?: string;
  readonly txid: TxIdHex;
  /** The whole PCZT in its present state; the store may use hexadecimal or base64. */
  readonly pczt: Uint8Array;
  readonly encoding: Encoding;
  readonly targetHeight: Height;
  readonly anchorHeight: Height;
  /** The anchor's block, by which a reorganisation is noticed; absent in payments that were kept without it. */
  readonly anchorBlock?: {
    /** In hexadecimal. */
    readonly hash: string;
    readonly treeSizes: TreeSizes;
  };
  /** Roots, in hexadecimal, that reorganisations removed, the latest first: signers may return them. */
  readonly earlierAnchors?: readonly { readonly pool: Pool; readonly root: string }[];
  readonly expiryHeight: Height;
  /** The last block that can contain it: an upgrade may come before its expiry. */
  readonly lastHeight: Height;
  readonly payments: readonly {
    readonly place: Place;
    readonly address: string;
    readonly zatoshi: Zatoshi;
    /** Hexadecimal of 512 bytes; null for transparent recipients. */
    readonly memo: string | null;
  }[];
  /** `notes`: how many it is split into; absent in payments that were kept before change was split. */
  readonly change: { readonly pool: Pool; readonly zatoshi: Zatoshi; readonly notes?: number } | null;
  readonly fee: Zatoshi;
  readonly disclosures: readonly Disclosure[];
  readonly notes: readonly PaymentNote[];
  /** What it shields; absent in payments that were kept before there was shielding. */
  readonly inputs?: readonly PaymentInput[];
  readonly changeConfirmations: number;
  /** What the allowance signer waits for before it signs; absent where it was not asked, or waits for nothing. */
  readonly waitsFor?: WaitsFor;
  readonly state: KeptState;
}

/** How a payment stands whose notes are free for others, or spent. */
export type FinalStatus =
  | 'in_mempool'
  | 'mined'
  | 'confirmed'
  | 'expired'
  | 'conflicted'
  | 'lost_note'
  | 'discarded';

/** The payment of an idempotency key. It outlives the payment, which gives its place to newer ones. */
export interface KeyedPayment {
  /** BLAKE2b-256 of what was asked for, in hexadecimal. */
  readonly digest: string;
  readonly payment: Pick<
    StoredPayment,
    'id' | 'account' | 'createdAt' | 'txid' | 'fee' | 'changeConfirmations' | 'grant'
  >;
  /** How it stood when it gave its place away; null: it is kept. */
  readonly last: FinalStatus | null;
}

/** What a write of a payment makes of its key; null: the key is free again. */
export interface KeyChange {
  readonly key: string;
  readonly row: KeyedPayment | null;
}

/** Kept apart from the note store, so that an older copy of the note store is recognised. */
export interface PaymentWrites {
  /** How often payments were written. */
  readonly count: number;
  /** The last block that can contain any of them. */
  readonly until: Height;
}

/** Part of the note store, sealed row by row. Errors: `STORAGE_FAILED`; `WALLET_CORRUPT` unless all that was written is there. */
export interface PaymentStore {
  /** In no order. */
  payments(): StoredPayment[];
  /** `writes` of the last write; 0 before the first. */
  readonly paymentWrites: number;
  /**
   * Inserted, or replaced where the id is there; durable when it returns. Where it fails, the caller must read the payments
   * again. `writes`: the number of this write. `key`: changed with it, both or none.
   */
  putPayment(payment: StoredPayment, writes: number, key?: KeyChange): void;
  deletePayment(id: string, writes: number, key?: KeyChange): void;
  /** Undefined: no payment has the key. */
  keyedPayment(key: string): KeyedPayment | undefined;
}
