// Invoices as they are stored (invoices.db): what was asked for, and what was announced last. How an invoice stands is not stored:
// it follows from its row, the notes to its address, the mempool, the scanned height and the clock.

import type { Height, Zatoshi } from '@wallet-companion/base/values';
import type { StoredPayment } from './payment.ts';

export type InvoiceStateName = 'new' | 'seen' | 'paid' | 'confirmed' | 'expired' | 'cancelled';

export interface StoredInvoice {
  /** Hexadecimal, 16 bytes. */
  readonly id: string;
  readonly account: number;
  /** Decimal; no other address of the wallet has it. */
  readonly diversifierIndex: string;
  readonly address: string;
  /** The payment request (ZIP 321). */
  readonly uri: string;
  /** Null: the payer chooses. */
  readonly amount: Zatoshi | null;
  /** The amount in money that `amount` was made from; absent where it was asked for in ZEC. */
  readonly price?: InvoicePrice;
  readonly reference: string | null;
  readonly label: string | null;
  readonly memo: string | null;
  readonly metadata: Readonly<Record<string, unknown>> | null;
  readonly confirmations: number;
  /** Absent where no mark is demanded, and in invoices that were kept before there were marks. */
  readonly requireVerified?: true;
  /** The grant that made it; absent for the owner's, and in invoices that were kept before there were grants. */
  readonly grant?: string;
  /** Milliseconds since 1970, like the other times. */
  readonly createdAt: number;
  readonly expiresAt: number;
  readonly cancelledAt: number | null;
  /** The highest block scanned by then that is still on the chain; absent where it was cancelled before this was kept. */
  readonly cancelledHeight?: Height;
  /** The earliest first; absent where nothing was refunded. */
  readonly refunds?: readonly KeptRefund[];
  /** The business day that it was made on; absent where none was open. */
  readonly day?: number;
  /** What the report of the last closed day has of it. */
  readonly reported?: { readonly received: Zatoshi; readonly refunded: Zatoshi };
  readonly announced: Announced;
}

/** A business day. Their numbers have no gaps, and what a closed one says never changes. */
export interface StoredDay {
  /** From 1 on. */
  readonly number: number;
  readonly openedAt: number;
  readonly closedAt: number | null;
  /** The last change of an invoice that the report knows. */
  readonly sequence: number;
  /** Absent while it is open. */
  readonly report?: DayReport;
}

export interface DayReport {
  readonly invoices: number;
  /** How many invoices stand so. */
  readonly states: Readonly<Record<InvoiceStateName, number>>;
  readonly asked: Zatoshi;
  readonly received: Zatoshi;
  /** More than was asked for, less (of invoices with a part), and of invoices with something late. */
  readonly over: Zatoshi;
  readonly under: Zatoshi;
  readonly late: Zatoshi;
  readonly refunded: Zatoshi;
  /** Amounts in money as they were asked for, by currency. */
  readonly money: readonly {
    readonly currency: string;
    readonly invoices: number;
    readonly asked: string;
    readonly paid: string;
  }[];
  /** What invoices of earlier days received and refunded since their report, less what was taken back. */
  readonly since: { readonly invoices: number; readonly received: number; readonly refunded: number };
  /** The first of them. */
  readonly lines: readonly DayLine[];
}

export interface DayLine {
  readonly id: string;
  readonly reference: string | null;
  readonly createdAt: number;
  readonly state: InvoiceStateName;
  readonly exception: 'reversed' | 'overpaid' | 'late' | 'partial' | null;
  readonly amount: Zatoshi | null;
  readonly received: Zatoshi;
  readonly refunded: Zatoshi;
  readonly currency: string | null;
  readonly value: string | null;
  readonly rate: string | null;
  readonly grant: string | null;
}

/** Never changed afterwards, whatever prices do. */
export interface InvoicePrice {
  /** ISO 4217. */
  readonly currency: string;
  /** In the currency, decimal, with all its decimals. */
  readonly value: string;
  /** What one ZEC costs, decimal; when that held, in milliseconds since 1970; and who stated it. */
  readonly rate: string;
  readonly rateTime: number;
  readonly source: string;
}

/** Of a payment that refunds the invoice, what outlives it: a wallet keeps the latest payments alone, and may lose their file. */
export interface KeptRefund
  extends Pick<
    StoredPayment,
    'id' | 'createdAt' | 'txid' | 'anchorHeight' | 'lastHeight' | 'changeConfirmations'
  > {
  readonly zatoshi: Zatoshi;
  /** It was given up. */
  readonly isDiscarded: boolean;
}

/** The last change that was announced, and what it takes to see the next one. */
export interface Announced {
  /** Number of the change: no two changes of a wallet's invoices have the same. */
  readonly sequence: number;
  readonly at: number;
  readonly state: InvoiceStateName;
  /** All that was announced, as one text to compare. */
  readonly fingerprint: string;
  readonly received: Zatoshi;
  readonly unmined: Zatoshi;
  /** The most that was ever announced as mined: a fact that no chain has any more once it was taken back. */
  readonly peak: Zatoshi;
  /** The highest block scanned by then, and the blocks of the payments: before these are scanned, nothing is announced as taken back. */
  readonly top: Height;
  readonly heights: readonly Height[];
}

/** Errors: `STORAGE_FAILED`, `WALLET_CORRUPT`. */
export interface InvoiceStore {
  /** Number of the last change; 0 before the first. */
  readonly sequence: number;
  /** Names the numbering: another file, another name. Null before the first change. */
  readonly series: string | null;
  /** All rows, many at a time. The caller must not write meanwhile. */
  load(): IterableIterator<readonly StoredInvoice[]>;
  /** Inserted or replaced, all or nothing, durable when it returns. Makes the file where there is none. */
  put(invoices: readonly StoredInvoice[], sequence: number, day?: StoredDay): void;
  /** Those of the file, in the order of their numbers. Call it after `load`. */
  days(): readonly StoredDay[];
  close(): void;
}

export interface InvoiceFiles {
  /** Makes no file. The store keeps derived keys, not the master key. */
  open(masterKey: Uint8Array): InvoiceStore;
  /**
   * From now on the next master key opens the file, too. With it begins another key for what is written: the first `open`
   * with one of the two master keys shuts the other out. No store may be open.
   */
  addKey(masterKey: Uint8Array, next: Uint8Array): void;
  /** Moves aside the file of an earlier wallet. */
  retire(): void;
}
