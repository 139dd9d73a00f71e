// A prepared payment as text: recipients first, then cost and what becomes public, last the next step.

import { zecColumn } from '@wallet-companion/base/values';
import { withoutHidden } from '@wallet-companion/client/contract';
import type { Output } from '../protocol/operations.ts';
import { wrapText } from '../terminal/terminalText.ts';
import { missingLines } from './missingLines.ts';
import type { ShowCommand } from './shownCommand.ts';

type Payment = Output<'payments.get'>;
type Status = Payment['status'];
type Sent = NonNullable<Payment['last_sent']>;
type Shown = Payment['becomes_public'][number];

const INDENT = '  ';

const STATUS: Readonly<Record<Status, string>> = {
  prepared: 'prepared: signatures or proofs are missing',
  complete: 'complete: it can be sent',
  sent: 'sent; nobody has told yet what became of it',
  in_mempool: 'sent, and waiting to be mined',
  mined: 'mined',
  confirmed: 'mined and confirmed',
  expired: 'expired: it can no longer be mined, and its notes are free again',
  conflicted: 'conflicted: another transaction has spent its notes',
  lost_note:
    'lost note: a note that it spends is not on the chain any more, or a newer payment has it; prepare another one',
  discarded: 'discarded: its notes are free again',
};

/** Fields of an operation's answer besides the payment itself. */
type ShownPayment = Partial<
  Pick<Output<'payments.combine'>, 'signatures_added' | 'proofs_added' | 'left_out'> &
    Pick<Output<'payments.prepare'>, 'pczt' | 'encoding' | 'left' | 'warnings'>
>;

/** `width` is the terminal's, in cells; `show` writes the next command. */
export function paymentLines(payment: Payment & ShownPayment, width: number, show: ShowCommand): string[] {
  const blocks: readonly (readonly [title: string, lines: readonly string[]])[] = [
    ['Came back', cameBack(payment)],
    ['Shields', shieldedLines(payment)],
    ['Pays', payment.payments.flatMap(paidLines)],
    ['Refunds', payment.refund_of === null ? [] : [`invoice ${payment.refund_of}`]],
    ['Change', [changeLine(payment)]],
    ['Left', leftLines(payment)],
    ['Fee', [`${zecColumn(payment.fee_zatoshi)} ZEC`]],
    [
      'Becomes public',
      payment.becomes_public.length === 0
        ? ['nothing but that there was a transaction, its fee and its size']
        : payment.becomes_public.map(shownLine),
    ],
    ['Status', [statusLine(payment), ...sentLines(payment)]],
    ['Can be mined', expiryLines(payment)],
    ['Reserved', reservedLines(payment)],
    ['Missing', isOpen(payment) ? waitingLines(payment) : []],
    ['Payment', [payment.payment_id, `transaction ${payment.txid}`]],
    [
      'Warnings',
      (payment.warnings ?? []).map(({ address, text }) => (address === null ? text : `${address} ${text}`)),
    ],
    ['Next', nextLines(payment, show)],
  ];
  return blocks
    .filter(([, lines]) => lines.length > 0)
    .flatMap(([title, lines], at) => [
      ...(at === 0 ? [] : ['']),
      title,
      ...lines.flatMap((line) =>
        wrapText(withoutHidden(line), width - INDENT.length).map((part) => INDENT + part),
      ),
    ]);
}

/** The columns of the list: as many as fit on a line. */
export const paymentRows = ({
  payments,
  next_cursor = null,
}: Pick<Output<'payments.list'>, 'payments'> & Partial<Output<'payments.list'>>) => ({
  payments: payments.map((payment) => ({
    payment_id: payment.payment_id,
    status: payment.status,
    created_at: payment.created_at,
    account: payment.account,
    pays_zatoshi: payment.payments.reduce((sum, one) => sum + one.amount_zatoshi, 0),
    fee_zatoshi: payment.fee_zatoshi,
    expires_at: payment.expires_at,
  })),
  next_cursor,
});

const toTheSecond = (time: string): string => time.replace(/\.\d+Z$/, 'Z');

export const isOpen = ({ status }: Payment): boolean => status === 'prepared' || status === 'complete';

/** A payment came back unchanged, and cannot be sent yet. */
export const addsNothing = (answer: Output<'payments.combine' | 'payments.combine_batch'>): boolean =>
  'signatures_added' in answer
    ? answer.signatures_added === 0 && answer.proofs_added === 0 && answer.status === 'prepared'
    : answer.payments.some(addsNothing);

function cameBack({
  signatures_added: signatures,
  proofs_added: proofs,
  left_out: left = [],
}: ShownPayment): string[] {
  if (proofs === undefined) return [];
  const counted = [
    ...(signatures === undefined ? [] : [counts(signatures, 'signature')]),
    counts(proofs, 'proof'),
  ];
  return [counted.join(', '), ...left.map((what) => `left out: ${what}`)];
}

const counts = (count: number, what: string): string => `${count} ${what}${count === 1 ? '' : 's'} added`;

function paidLines({
  pool,
  address,
  contact,
  amount_zatoshi: amount,
  memo,
}: Payment['payments'][number]): string[] {
  const where = pool === 'transparent' ? 'in the open' : `in ${pool}`;
  const text = memo === null ? undefined : (memo.text ?? `(not text) ${memo.hex}`);
  return [
    `${zecColumn(amount)} ZEC ${where} to ${contact === null ? '' : `${contact}, `}${address}`,
    ...(text === undefined ? [] : [`with the memo: ${text}`]),
  ];
}

/** A line for each address. */
function shieldedLines({ inputs }: Payment): string[] {
  const addresses = [...new Set(inputs.map(({ address }) => address))];
  return addresses.map((address) => {
    const own = inputs.filter((input) => input.address === address);
    const sum = own.reduce((all, { value_zatoshi: value }) => all + value, 0);
    return `${zecColumn(sum)} ZEC in ${own.length} ${own.length === 1 ? 'output' : 'outputs'} at ${address}`;
  });
}

function changeLine({ change }: Payment): string {
  if (change === null) return 'none';
  const split = change.notes > 1 ? ` in ${change.notes} notes` : '';
  return `${zecColumn(change.amount_zatoshi)} ZEC in ${change.pool}, back to you${split}`;
}

/** Where everything is sent or shielded: the funds that did not fit into one transaction. */
const leftLines = ({ left }: ShownPayment): string[] =>
  left == null || left.payments === 0
    ? []
    : [
        `${zecColumn(left.zatoshi)} ZEC did not fit; it takes ${left.payments} more ${left.payments === 1 ? 'payment' : 'payments'}`,
      ];

function shownLine({ consent, pool, address, amount_zatoshi: amount }: Shown): string {
  const value = `${zecColumn(Math.abs(amount))} ZEC`;
  switch (consent) {
    case 'crossing_pools':
      return `that ${value} ${amount < 0 ? 'enter' : 'leave'} ${pool ?? 'the shielded pools'}`;
    case 'transparent_recipients':
      return `that ${value} go to ${address ?? 'a transparent address'}`;
    case 'transparent_senders':
      return `that ${value} come from ${address ?? 'a transparent address'}`;
    default:
      return `that the fee is ${value} above the usual one`;
  }
}

function statusLine({ status, mined_height: height, confirmations }: Payment): string {
  if (height === null) return STATUS[status];
  return `${STATUS[status]} at height ${height}, ${confirmations} confirmation${confirmations === 1 ? '' : 's'}`;
}

function sentLines({ last_sent: sent }: Payment): string[] {
  if (sent === null) return [];
  const words = sent.detail === null ? '' : `: ${sent.detail}`;
  const outcome = sent.source === 'peers' ? peersOutcome(words) : serverOutcome(serverName(sent), words);
  return [`${toTheSecond(sent.at)}: ${outcome[sent.outcome]}`];
}

type Outcomes = Readonly<Record<Sent['outcome'], string>>;

const serverName = ({ source, server }: Sent): string => {
  if (source === 'node') return 'the node';
  return source === 'server' ? `the compact server ${server}` : 'the compact server';
};

const serverOutcome = (through: string, words: string): Outcomes => ({
  accepted: `${through} has taken it`,
  refused: `${through} has refused it${words}`,
  unanswered: `${through} has not answered; it may have it all the same${words}`,
});

const peersOutcome = (words: string): Outcomes => ({
  accepted: 'handed to a peer of the network, and others show it',
  refused: `peers of the network have refused it; it may be mined all the same${words}`,
  unanswered: `handed to peers of the network, and none of the others has shown it so far${words}`,
});

function expiryLines({ expires_at: at, last_height: height, mined_height: mined }: Payment): string[] {
  if (mined !== null || at === null) return [];
  return [`up to height ${height}, about ${toTheSecond(at)}`];
}

const reservedLines = ({ reserved_zatoshi: reserved, notes }: Payment): string[] =>
  reserved === 0
    ? []
    : [
        `${zecColumn(reserved)} ZEC in ${notes.length} ${notes.length === 1 ? 'note' : 'notes'}, for this payment alone`,
      ];

const waitingLines = ({ missing }: Payment): string[] =>
  missingLines(missing, ({ signer_keys: key }) =>
    key ? ['a key that the signer has: it goes there once more'] : [],
  );

/** A reorganisation may restore the branch that had its note. */
const maySendLines = ({ last_sent: sent, last_height: height }: Payment): string[] =>
  sent === null ? [] : [`this one was sent: to be certain that it is not mined, wait for block ${height}`];

function nextLines(payment: Payment, show: ShowCommand): string[] {
  const { payment_id: id, status, missing } = payment;
  if (status === 'complete' || (status === 'prepared' && missing.length === 0))
    return [`send it: ${show(`pay broadcast ${id}`)}`];
  if (status === 'lost_note')
    return [`prepare another one: ${show('pay prepare')}`, ...maySendLines(payment)];
  if (status !== 'prepared') return [];
  const needsSigner = missing.some(({ signatures, signer_keys: keys }) => signatures > 0 || keys);
  const needsProofs = missing.some(({ proofs }) => proofs);
  return [
    `go on step by step: ${show(`pay --resume ${id}`)}`,
    ...(needsSigner
      ? [
          `take it to the signer: ${show(`pay pczt ${id} --output payment.pczt`)}`,
          `or show it to its camera: ${show(`pay pczt ${id} --qr`)}`,
          `look at what it says: ${show('pay inspect payment.pczt')}`,
          `bring it back: ${show(`pay combine ${id} signed.pczt`)}`,
        ]
      : []),
    ...(needsProofs ? [`have it proved here: ${show(`pay prove ${id}`)}`] : []),
    `or give it up: ${show(`pay discard ${id}`)}`,
  ];
}
