// What a format is: a head, lines and a foot, so that a history of any length is written piece by piece.

import type { Line } from './ledger.ts';

/** What the adviser says: numbers of accounts are theirs, and none is guessed. */
export interface DatevSettings {
  readonly adviser: number;
  readonly client: number;
  /** Of one length. */
  readonly accounts: {
    /** Holds the ZEC. */
    readonly zec: string;
    readonly income: string;
    readonly expenses: string;
    readonly fees: string;
  };
}

/** Of one calendar year. */
export interface DatevFrame {
  readonly settings: DatevSettings;
  /** Unix seconds, both included. */
  readonly from: number;
  readonly to: number;
  /** Unix seconds. */
  readonly created: number;
}

export interface Frame {
  /** `Account0` where the books are of one account alone. */
  readonly account?: number | undefined;
  /** An IANA time zone, for dates without a time of day. */
  readonly zone: string;
  /** Lines were selected, or the wallet sees no spends: opening and closing are not the wallet's, so nothing is asserted. */
  readonly isSelection?: boolean;
  /** Unix seconds; undefined where the books begin with the wallet. */
  readonly from?: number | undefined;
  /** Why the amounts are not what they seem; formats with comments begin with it. */
  readonly caveat?: string | undefined;
  /** DATEV's books need it, no others do. */
  readonly datev?: DatevFrame | undefined;
}

/**
 * `first`: nothing was there before. `asserted`: an earlier file ends with the opening balance, and has opened the accounts.
 * `posted`: there is no earlier file, so what was held is posted.
 */
export type Beginning = 'first' | 'asserted' | 'posted';

export interface Opening extends Frame {
  readonly opening: number;
  /** Default: `asserted` where there is a `from`. */
  readonly beginning?: Beginning | undefined;
}

export interface Closing extends Frame {
  readonly closing: number;
  /** Unix seconds of the last instant that the books contain; undefined where there is none. */
  readonly through?: number | undefined;
  /** Unix seconds of the end that the caller chose for the period, included. */
  readonly to?: number | undefined;
}

export interface BooksFormat {
  readonly head: (opening: Opening) => string;
  /** All lines of a transaction belong into one call. */
  readonly body: (lines: readonly Line[], frame: Frame) => string;
  readonly foot: (closing: Closing) => string;
}
