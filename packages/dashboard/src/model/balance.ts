// How a balance is described. Before the first scan it is unknown, never 0.

import type { Output } from '@wallet-companion/client';
import type { Formats } from './amounts.ts';

export type Balance = Output<'balance.get'>;

export type BalanceState = 'unknown' | 'incomplete' | 'complete';

export const balanceState = ({ as_of_height, complete }: Balance): BalanceState =>
  as_of_height === null ? 'unknown' : complete ? 'complete' : 'incomplete';

const ON_ONE_WORD = "Part of it rests on a compact server's word alone: no node has confirmed those blocks.";

const blocksIn = (ranges: Balance['missing_ranges']): number =>
  ranges.reduce((sum, { start_height, end_height }) => sum + end_height - start_height + 1, 0);

export const missingBlocks = ({ missing_ranges }: Balance): number => blocksIn(missing_ranges);

/** A few sentences under the total. `tip`: the last known height of the chain. `canVerify`: a node is set that could. */
export function balanceSentence(
  balance: Balance,
  tip: number | null,
  canVerify: boolean,
  formats: Formats,
): string {
  const { as_of_height: height, verified_with: verifier, withdraw_only_zatoshi: draining } = balance;
  const { payments_at_once: payments } = balance;
  if (height === null) return 'Nothing has been scanned yet. Scan to find out.';
  const missing = missingBlocks(balance);
  const ahead = tip === null ? 0 : Math.max(0, tip - height);
  const unseen = missing + ahead;
  return [
    `As of block ${formats.count(height)}.`,
    ...(unseen > 0
      ? [`${formats.counted(unseen, 'block')} not scanned yet: the balance may still change.`]
      : balance.complete
        ? ["Every block since the wallet's birthday has been scanned."]
        : []),
    ...(draining === 0
      ? []
      : [
          `${formats.amountText(draining)} of it lies in Orchard, a pool that only drains: it can be spent, and whatever leaves it shows its amount to everybody.`,
        ]),
    ...(payments ? [`${formats.counted(payments, 'payment')} can be made at once now.`] : []),
    ...(verifier === null && canVerify ? [ON_ONE_WORD] : []),
  ].join(' ');
}
