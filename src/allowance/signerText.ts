// What an allowance signer shows its owner: payments of 30 days, what waits, and what was refused last.

import { timeText, zecText } from '@wallet-companion/base/values';
import { Journal, type JournalPayment, type JournalState } from './journal.ts';
import type { Policy } from './policy.ts';

/** `now`: milliseconds since 1970. */
export function logView(state: JournalState, policy: Policy, now: number) {
  const { day, month } = new Journal(state, async () => {}).spent(Math.max(now, state.at));
  return {
    day_zatoshi: day,
    month_zatoshi: month,
    limits: { day_zatoshi: policy.day_zatoshi, month_zatoshi: policy.month_zatoshi },
    payments: state.payments.map((payment) => ({ ...payment, at: timeText(payment.at) })),
    refusals: state.refusals.map(({ at, why }) => ({ at: timeText(at), why })),
  };
}

export const logText = ({
  day_zatoshi,
  month_zatoshi,
  limits,
  payments,
  refusals,
}: ReturnType<typeof logView>): string =>
  [
    `24 hours: ${zecText(day_zatoshi)} of ${zecText(limits.day_zatoshi)} ZEC`,
    `30 days: ${zecText(month_zatoshi)} of ${zecText(limits.month_zatoshi)} ZEC`,
    ...payments.map(lineOf),
    ...refusals.map(({ at, why }) => `${at}  refused: ${why}`),
    '',
  ].join('\n');

const lineOf = ({
  at,
  state,
  total,
  txid,
  payments,
}: Omit<JournalPayment, 'at'> & { readonly at: string }): string =>
  `${at}  ${state}  ${zecText(total)} ZEC  ${txid}  ${payments.map(({ address }) => address).join(' ')}`;
