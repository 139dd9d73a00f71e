// Searches transactions: words of memos and labels, txids, recipients, heights. The search runs in the page, so no search text is
// sent anywhere.

import { changeOf, type Transaction } from './history.ts';

export type Direction = 'all' | 'in' | 'out';

export interface Sought {
  readonly words: string;
  readonly direction: Direction;
}

/** Ignores case, accents and compatibility forms. */
export const foldText = (text: string): string =>
  text.normalize('NFKD').replaceAll(/\p{M}/gu, '').toLocaleLowerCase();

export function matches(transaction: Transaction, sought: Sought): boolean {
  const change = changeOf(transaction);
  if (sought.direction === 'in' && change < 0) return false;
  if (sought.direction === 'out' && change >= 0) return false;
  const words = foldText(sought.words).split(/\s+/).filter(Boolean);
  if (words.length === 0) return true;
  const text = foldText(
    [
      transaction.txid,
      String(transaction.height),
      ...transaction.received_outputs.flatMap(({ label, memo }) => [label ?? '', memo?.text ?? '']),
      ...transaction.sent_outputs.flatMap(({ recipient, memo }) => [recipient, memo?.text ?? '']),
    ].join('\n'),
  );
  return words.every((word) => text.includes(word));
}
