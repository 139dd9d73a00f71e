// Transactions for people: what each changed, with whom and why. Change comes back to the wallet, so the sums of what was received
// and spent are larger than any payment.

import type { Output } from '../protocol/operations.ts';

type Transaction = Output<'transactions.list'>['transactions'][number];
type Memo = Transaction['received_outputs'][number]['memo'];

/** Rows whose amount is the net change, fee included; `with`: who was paid, or the label that was paid to. */
export const transactionRows = ({ transactions, ...rest }: Output<'transactions.list'>) => ({
  transactions: transactions.map((transaction) => ({
    height: transaction.height,
    time: transaction.time,
    net_zatoshi: transaction.received_zatoshi - transaction.spent_zatoshi,
    with: partiesOf(transaction),
    memo: memoOf(transaction),
    txid: transaction.txid,
  })),
  ...rest,
});

const isSpend = ({ spent_zatoshi: spent }: Transaction): boolean => spent > 0;

function partiesOf(transaction: Transaction): string {
  const names = isSpend(transaction)
    ? paidOutputs(transaction).map(({ recipient }) => recipient)
    : transaction.received_outputs.flatMap(({ label }) => label ?? []);
  return [...new Set(names)].join(', ');
}

/** Change and moves to another pool are the wallet's own. */
const paidOutputs = ({ sent_outputs: sent }: Transaction) => sent.filter(({ scope }) => scope === 'external');

function memoOf(transaction: Transaction): Memo {
  const outputs = isSpend(transaction) ? paidOutputs(transaction) : transaction.received_outputs;
  return outputs.find(({ memo }) => memo !== null)?.memo ?? null;
}
