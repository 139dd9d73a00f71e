// What a search finds among transactions: words of memos, txids, recipients, heights. Everything stays in the page, so
// nothing that somebody searches for is sent anywhere.

import { changeOf, type Transaction } from './history.ts';

export type Direction = 'all' | 'in' | 'out';

export interface Sought {
  readonly words: string;
  readonly direction: Direction;
}

/** Case, accents and compatibility forms do not count. */
export const folded = (text: string): string =>
  text.normalize('NFKD').replaceAll(/\p{M}/gu, '').toLocaleLowerCase();

/** `more`: what else belongs to it, such as memos of the notes that it made. */
export function matches(transaction: Transaction, more: readonly string[], sought: Sought): boolean {
  const change = changeOf(transaction);
  if (sought.direction === 'in' && change < 0) return false;
  if (sought.direction === 'out' && change >= 0) return false;
  const words = folded(sought.words).split(/\s+/).filter(Boolean);
  if (words.length === 0) return true;
  const text = folded(
    [
      transaction.txid,
      String(transaction.height),
      ...transaction.sent_outputs.flatMap(({ recipient, memo }) => [recipient, memo?.text ?? '']),
      ...more,
    ].join('\n'),
  );
  return words.every((word) => text.includes(word));
}
