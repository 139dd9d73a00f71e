// The one list of lines from which every format is written, and the check that it adds up. A line is a row of the companion's
// JSON export, so an export that was kept can be written in another format later.

import { toMinorUnits } from '@wallet-companion/base/values';

/** Decimal texts in the currency (ISO 4217). */
export interface Fiat {
  readonly currency: string;
  /** Of one ZEC. */
  readonly price: string;
  /** Of the whole line, negative for what it paid. */
  readonly value: string;
  /** Of its fee; empty where it paid none, or one that is not known. */
  readonly fee: string;
  readonly price_time: string;
  readonly price_source: string;
}

/** What one transaction changed in one account and pool, change netted out. */
export interface Line {
  /** RFC 3339, UTC. */
  readonly time: string;
  readonly height: number;
  readonly txid: string;
  readonly account: number;
  readonly pool: string;
  readonly received_zatoshi: number;
  /** The fee included; null where the wallet sees no spends. */
  readonly sent_zatoshi: number | null;
  /** On the first line that paid; null elsewhere, and where it is not known. */
  readonly fee_zatoshi: number | null;
  readonly memos: readonly { readonly text?: string | undefined; readonly hex?: string | undefined }[];
  readonly labels: readonly string[];
  readonly counterparties: readonly string[];
  /** The shop's numbers of the orders that it paid. */
  readonly references: readonly string[];
  /** That of the order that it refunds; absent in exports from before there were refunds. */
  readonly refunds?: readonly string[] | undefined;
  readonly confirmations: number;
  /** What gave the block; absent or null: a compact server alone. */
  readonly verified_with?: string | null | undefined;
  /** What came from other accounts of the wallet (negative: went there), on the account's first line; absent where nothing did. */
  readonly transfers?: readonly { readonly account: number; readonly zatoshi: number }[] | undefined;
  /** What it was worth by the rate that was kept with its order, or by that of its day; absent where there is neither. */
  readonly fiat?: Fiat | undefined;
  /** The balance after the line; null where the wallet sees no spends. */
  readonly balance_zatoshi: number | null;
}

export interface Ledger {
  readonly opening: number;
  readonly lines: readonly Line[];
  readonly closing: number;
}

/** Zatoshi by which opening and lines differ from closing; 0 where the ledger adds up. */
export const imbalance = ({ opening, lines, closing }: Ledger): number => opening + changeOf(lines) - closing;

const changeOf = (lines: readonly Line[]): number =>
  lines.reduce((sum, line) => sum + line.received_zatoshi - (line.sent_zatoshi ?? 0), 0);

/** In the smallest units of the currency. */
export interface Worth {
  readonly currency: string;
  /** Negative for what was paid. */
  readonly units: bigint;
  /** The part of it that was the fee, not negative. */
  readonly fee: bigint;
  /** The price of one ZEC; absent where lines have several. */
  readonly price?: string | undefined;
}

/** What the books hold of one transaction: its lines as one movement, so that funds moved between own pools are no income. */
export interface Movement {
  readonly time: string;
  readonly height: number;
  readonly txid: string;
  readonly received: number;
  /** Without the fee. */
  readonly sent: number;
  /** 0 where it is not known: it is then part of `sent`. */
  readonly fee: number;
  /** The part of it that came from other accounts of the wallet; negative for what went there. */
  readonly transferred: number;
  readonly who: string;
  readonly memo: string;
  readonly reference: string;
  /** The order that it refunds; empty: none. */
  readonly refund: string;
  readonly verifiedWith: string | null;
  /** The sum of what its lines are worth; absent where one has no value, or they have several currencies. */
  readonly worth?: Worth | undefined;
}

/** The lines of one transaction follow each other. Transactions that changed nothing are left out. */
export function movementsOf(lines: readonly Line[]): Movement[] {
  const movements: Movement[] = [];
  for (let start = 0, end = 0; start < lines.length; start = end) {
    const { time, height, txid, verified_with: verifiedWith = null } = lines[start]!;
    while (lines[end]?.txid === txid) end += 1;
    const own = lines.slice(start, end);
    const change = changeOf(own);
    // A transaction that others paid for too may bring in more than our part of its fee.
    const fee = Math.min(
      Math.max(0, -change),
      own.reduce((sum, line) => sum + (line.fee_zatoshi ?? 0), 0),
    );
    if (change === 0) continue;
    // In books of all accounts they cancel out.
    const transfers = own.some(({ account }) => account !== own[0]!.account)
      ? []
      : own.flatMap((line) => line.transfers ?? []);
    movements.push({
      time,
      height,
      txid,
      received: Math.max(0, change),
      sent: Math.max(0, -change) - fee,
      fee,
      transferred: transfers.reduce((sum, { zatoshi }) => sum + zatoshi, 0),
      who: joinTexts([
        ...transfers.map(({ account }) => `Account${account}`),
        ...own.flatMap(({ counterparties, labels }) => [...counterparties, ...labels]),
      ]),
      memo: joinTexts(own.map(memoText)),
      reference: joinTexts(own.flatMap(({ references }) => references)),
      refund: joinTexts(own.flatMap(({ refunds = [] }) => refunds)),
      verifiedWith,
      worth: worthOf(own),
    });
  }
  return movements;
}

function worthOf(lines: readonly Line[]): Worth | undefined {
  const changed = lines.filter((line) => line.received_zatoshi !== (line.sent_zatoshi ?? 0));
  const fiats = changed.flatMap(({ fiat }) => fiat ?? []);
  const [currency, ...others] = new Set(fiats.map((fiat) => fiat.currency));
  if (currency === undefined || others.length > 0 || fiats.length < changed.length) return undefined;
  const sum = (field: 'value' | 'fee') =>
    fiats.reduce((all, fiat) => all + toMinorUnits(fiat[field] || '0'), 0n);
  const units = sum('value');
  const fee = sum('fee');
  const [price, ...otherPrices] = new Set(fiats.map((fiat) => fiat.price));
  const paid = units < 0n ? -units : 0n;
  return {
    currency,
    units,
    // As the amount itself: a transaction that others paid for too may bring in more than our part of its fee.
    fee: fee < paid ? fee : paid,
    ...(otherPrices.length === 0 && { price }),
  };
}

/** What a person wants to read of it, each where there is any. */
export const wordsOf = ({ who, memo, reference, refund }: Movement): string[] =>
  [
    who,
    memo,
    reference === '' ? '' : `invoice ${reference}`,
    refund === '' ? '' : `refund of invoice ${refund}`,
  ].filter((text) => text !== '');

export const joinTexts = (texts: readonly string[]): string =>
  [...new Set(texts.filter((text) => text !== ''))].join(' / ');

export const memoText = ({ memos }: Pick<Line, 'memos'>): string =>
  memos.map(({ text, hex }) => text ?? `0x${hex ?? ''}`).join(' / ');
