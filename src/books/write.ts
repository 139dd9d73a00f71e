// The formats by name, and a whole ledger as one text.

import { coinTracker, koinly, plainCsv } from './csv.ts';
import { datev } from './datev.ts';
import type { BooksFormat, Closing, Opening } from './format.ts';
import { imbalance, type Ledger } from './ledger.ts';
import { beancount, hledger } from './plainText.ts';

export const FORMATS = {
  csv: plainCsv,
  beancount,
  hledger,
  koinly,
  cointracker: coinTracker,
  datev,
} as const satisfies Record<string, BooksFormat>;
export type FormatName = keyof typeof FORMATS;

/** Throws RangeError where opening and lines do not add up to closing. */
export function writeBooks(
  name: FormatName,
  ledger: Ledger,
  frame: Omit<Opening, 'opening'> & Omit<Closing, 'closing'>,
): string {
  const difference = imbalance(ledger);
  if (difference !== 0)
    throw new RangeError(`opening and lines differ from closing by ${difference} zatoshi`);
  const { head, body, foot } = FORMATS[name];
  const { opening, lines, closing } = ledger;
  return head({ ...frame, opening }) + body(lines, frame) + foot({ ...frame, closing });
}
