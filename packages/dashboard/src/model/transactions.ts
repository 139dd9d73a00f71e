// The wallet's transactions as the page shows them: the balance over time, and a search.

import type { Output } from '@wallet-companion/client';
import { activityTexts } from '../texts/activity.ts';

export type Transaction = Output<'transactions.list'>['transactions'][number];

export interface Point {
  readonly atMs: number;
  readonly zatoshi: number;
  /** The block's height; undefined for what was before the first one, and for now. */
  readonly height?: number;
}

export const changeOf = ({ received_zatoshi, spent_zatoshi }: Transaction): number =>
  received_zatoshi - spent_zatoshi;

export function kindOf({ received_zatoshi, spent_zatoshi, sent_outputs }: Transaction): string {
  const texts = activityTexts();
  if (spent_zatoshi === 0) return texts.received;
  const isInternal = sent_outputs.length > 0 && sent_outputs.every(({ scope }) => scope === 'internal');
  return received_zatoshi > 0 && isInternal ? texts.moved : texts.sent;
}

/**
 * The balance over time, computed backwards: the newest total is what the wallet answers, and each transaction before it
 * takes its own change away again. So the last point always agrees with the balance, even if old transactions were not
 * loaded. `newestFirst` is in the order of the companion. The result has one step for each transaction, oldest first.
 */
export function balanceHistory(totalZatoshi: number, newestFirst: readonly Transaction[]): readonly Point[] {
  const points: Point[] = [];
  let zatoshi = totalZatoshi;
  for (const transaction of newestFirst) {
    // Block times may run backwards by up to two hours, the line must not.
    const atMs = Math.min(Date.parse(transaction.time), points.at(-1)?.atMs ?? Number.POSITIVE_INFINITY);
    points.push({ atMs, zatoshi, height: transaction.height });
    zatoshi -= changeOf(transaction);
  }
  if (points.length > 0) points.push({ atMs: points.at(-1)!.atMs, zatoshi });
  return points.reverse();
}

// Searches transactions: words of memos and labels, txids, recipients, heights. The search runs in the page, so no search text is
// sent anywhere.
export type Direction = 'all' | 'in' | 'out';

interface Sought {
  readonly words: string;
  readonly direction: Direction;
}

/** Ignores case, accents and compatibility forms. */
const foldText = (text: string): string =>
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
