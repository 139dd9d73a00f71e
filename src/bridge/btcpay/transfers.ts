// The payments of an order in the form that BTCPay reads. It identifies one by transaction, account and address, so all
// notes of a transaction to an address, of whatever pool, are one transfer with their sum.

import type { Order } from './orders.ts';

export type Transfer = ReturnType<typeof transferOf>;

/** `top`: the highest scanned block. The oldest first, unmined ones last. */
export function transfersOf(order: Order, top: number): Transfer[] {
  const txids = new Set(order.payments.map(({ txid }) => txid));
  return [...txids].map((txid) => {
    const notes = order.payments.filter((payment) => payment.txid === txid);
    return transferOf(order, txid, notes, top);
  });
}

function transferOf(order: Order, txid: string, notes: Order['payments'], top: number) {
  const { height: mined = null, time = null, verified_with: mark = null } = notes[0] ?? {};
  // BTCPay counts confirmations alone: a block that lacks the mark which the order demands is none yet.
  const height = order.requiresVerified && mark === null ? null : mined;
  return {
    // The whole address that was handed out, not the receiver in it that was paid.
    address: order.address,
    amount: notes.reduce((sum, note) => sum + note.amount_zatoshi, 0),
    confirmations: height === null ? 0 : Math.max(0, top - height + 1),
    height: height ?? 0,
    fee: 0,
    note: notes.find(({ memo }) => memo?.text)?.memo?.text ?? '',
    payment_id: '',
    subaddr_index: { major: order.account, minor: order.index },
    suggested_confirmations_threshold: order.requiredConfirmations,
    timestamp: time === null ? 0 : Math.floor(Date.parse(time) / 1000),
    txid,
    type: 'in' as const,
    unlock_time: 0,
    verified_with: mark,
  };
}

/** The transfers to the addresses asked for; without any, to all of the account. */
export function transfersTo(
  orders: readonly Order[],
  account: number,
  indices: readonly number[],
  top: number,
): Transfer[] {
  const wanted = new Set(indices);
  return orders
    .filter((order) => order.account === account && (wanted.size === 0 || wanted.has(order.index)))
    .flatMap((order) => transfersOf(order, top));
}

/**
 * The transfers in one transaction. Older plugins ask for account 0 whatever account was paid: where that one has none of it, the
 * answer has all of it, each with its own account.
 */
export function transfersIn(
  orders: readonly Order[],
  account: number,
  txid: string,
  top: number,
): Transfer[] {
  const found = orders
    .filter(({ payments }) => payments.some((payment) => payment.txid === txid))
    .flatMap((order) => transfersOf(order, top).filter((transfer) => transfer.txid === txid));
  const own = found.filter(({ subaddr_index: { major } }) => major === account);
  return own.length > 0 ? own : found;
}
