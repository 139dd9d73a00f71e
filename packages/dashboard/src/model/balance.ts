// How a balance is described. Before the first scan it is unknown, never 0.

import type { Output } from '@wallet-companion/client';
import { overviewTexts } from '../texts/overview.ts';
import type { Formats } from './amounts.ts';

export type Balance = Output<'balance.get'>;

export type BalanceState = 'unknown' | 'incomplete' | 'complete';

export const balanceState = ({ as_of_height, complete }: Balance): BalanceState =>
  as_of_height === null ? 'unknown' : complete ? 'complete' : 'incomplete';

const blocksIn = (ranges: Balance['missing_ranges']): number =>
  ranges.reduce((sum, { start_height, end_height }) => sum + end_height - start_height + 1, 0);

export const missingBlocks = ({ missing_ranges }: Pick<Balance, 'missing_ranges'>): number =>
  blocksIn(missing_ranges);

/** A few sentences under the total. `tip`: the last known height of the chain. `canVerify`: a node is set that could. */
export function balanceSentence(
  balance: Balance,
  tip: number | null,
  canVerify: boolean,
  formats: Formats,
): string {
  const { as_of_height: height, verified_with: verifier, withdraw_only_zatoshi: draining } = balance;
  const { payments_at_once: payments } = balance;
  const texts = overviewTexts();
  if (height === null) return texts.notScanned;
  const missing = missingBlocks(balance);
  const ahead = tip === null ? 0 : Math.max(0, tip - height);
  const unseen = missing + ahead;
  return [
    texts.asOf(formats.count(height)),
    ...(unseen > 0
      ? [texts.unseen(formats.counted(unseen, 'block'))]
      : balance.complete
        ? [texts.allScanned]
        : []),
    ...(draining === 0 ? [] : [texts.draining(formats.amountText(draining))]),
    ...(payments ? [texts.atOnce(formats.counted(payments, 'payment'))] : []),
    ...(verifier === null && canVerify ? [texts.oneWord] : []),
  ].join(' ');
}
