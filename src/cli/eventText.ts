// One line for each event, for users who watch.

import { zecColumn } from '@wallet-companion/base/values';
import { withoutHidden } from '@wallet-companion/client/contract';
import type { CompanionEvent, EventsMissed } from '../protocol/events.ts';
import { type ShowCommand, showCommand } from './shownCommand.ts';

/** Events of the companion, and those of the stream itself. */
export type WatchedEvent = CompanionEvent | EventsMissed;

/** Undefined for frequent events that do not help a user who watches for weeks. */
export function eventText(event: WatchedEvent, show: ShowCommand = showCommand({})): string | undefined {
  switch (event.event) {
    case 'sync.progress':
      return undefined;
    case 'sync.finished':
      return finishedText(event.data);
    case 'note.received':
      return `received ${noteText(event.data)}${memoText(event.data.memo)}`;
    case 'note.memo':
      return `memo of ${withoutHidden(event.data.txid)}${memoText(event.data.memo)}`;
    case 'note.seen':
      return seenText(event.data);
    case 'transaction.vanished':
      return `unmined transaction ${VANISHED[event.data.reason] ?? withoutHidden(event.data.reason)}, ${withoutHidden(event.data.txid)}`;
    case 'transaction.unmined':
      return unminedText(event.data);
    case 'payment.changed':
      return paymentText(event.data);
    case 'invoice.changed':
      return invoiceText(event.data);
    case 'note.spent':
      return `spent ${noteText(event.data)}`;
    case 'reorg':
      return `the chain changed above height ${event.data.fork_height}: ${blocks(event.data.depth)} undone`;
    case 'blocks.contradicted':
      return contradictionText(event.data);
    case 'wallet.locked':
      return `locked (${LOCK_REASONS[event.data.reason] ?? withoutHidden(event.data.reason)})`;
    case 'wallet.unlocked':
      return event.data.expires_at === null
        ? 'unlocked'
        : `unlocked until ${withoutHidden(event.data.expires_at)}`;
    case 'config.changed':
      return 'the configuration changed';
    case 'follow.changed':
      return `following new blocks: ${withoutHidden(event.data.state)}`;
    case 'pairing.changed':
      return event.data.requests.length === 0
        ? undefined
        : `an extension asks to be let in; see "${show('pair')}"`;
    case 'server.changed':
      return `the ${event.data.server === 'node' ? 'chain node' : 'compact server'} is ${withoutHidden(event.data.state)}`;
    case 'wallet.behind':
      return behindText(event.data);
    case 'disk.low':
      return event.data.low
        ? `the disk of the data directory has only ${megabytes(event.data.free_bytes)} MB free`
        : `the disk of the data directory has ${megabytes(event.data.free_bytes)} MB free again`;
    case 'events.missed':
      return `what happened meanwhile is not known here; see "${show('transactions')}"`;
    default:
      // An event of a newer companion.
      return otherText(event);
  }
}

const LOCK_REASONS: Readonly<Record<string, string>> = {
  asked: 'as asked',
  idle: 'nobody used it',
  exit: 'the companion ends',
  thread_lost: 'its thread was lost',
};

const blocks = (count: number): string => `${count} block${count === 1 ? '' : 's'}`;

type Note = Extract<CompanionEvent, { readonly event: 'note.received' | 'note.spent' }>['data'];

/** The txid comes last, where a narrow terminal breaks the line. */
function noteText({ value_zatoshi: value, pool, height, account, txid }: Note): string {
  const amount = value === undefined ? 'a note' : `${zecColumn(value)} ZEC`;
  const of = account === 0 ? '' : `, account ${account}`;
  return `${amount} in ${withoutHidden(pool)} at height ${height}${of}, ${withoutHidden(txid)}`;
}

/** A memo that is not text is left out: users could not read it. */
const memoText = (memo: ReceivedMemo): string =>
  memo?.text === undefined ? '' : `: ${withoutHidden(memo.text)}`;

type ReceivedMemo = Extract<CompanionEvent, { readonly event: 'note.received' }>['data']['memo'];

function seenText({ value_zatoshi: value, pool, account, txid }: Seen): string {
  const amount = value === undefined ? 'a note' : `${zecColumn(value)} ZEC`;
  const of = account === 0 ? '' : `, account ${account}`;
  return `not mined yet: ${amount} in ${withoutHidden(pool)}${of}, ${withoutHidden(txid)}`;
}

type Seen = Extract<CompanionEvent, { readonly event: 'note.seen' }>['data'];

const VANISHED: Readonly<Record<string, string>> = {
  expired: 'expired',
  conflicted: 'cannot be mined any more: another one has spent the same',
  dropped: 'is gone from the mempool and in no block',
};

type Unmined = Extract<CompanionEvent, { readonly event: 'transaction.unmined' }>['data'];

/** What is received has a line for each note, and every end has one, too. */
const unminedText = ({ state, spent_zatoshi: spent = 0, txid }: Unmined): string | undefined =>
  state === 'seen' && spent > 0
    ? `not mined yet: spends ${zecColumn(spent)} ZEC, ${withoutHidden(txid)}`
    : undefined;

type Behind = Extract<CompanionEvent, { readonly event: 'wallet.behind' }>['data'];

function behindText({ behind, reason, since }: Behind): string {
  if (!behind) return 'new blocks arrive again';
  const what = reason === 'server_away' ? 'the server is away' : 'there was no new block';
  return `${what} since ${withoutHidden(since)}`;
}

const megabytes = (bytes: number): number => Math.floor(bytes / 1_000_000);

type Payment = Extract<CompanionEvent, { readonly event: 'payment.changed' }>['data'];

function paymentText({ payment_id, status, mined_height, txid }: Payment): string {
  const words = PAYMENT[status] ?? withoutHidden(status);
  const where = mined_height === null ? '' : `, at height ${mined_height}`;
  return `payment ${withoutHidden(payment_id)} ${words}${where}, ${withoutHidden(txid)}`;
}

const PAYMENT: Readonly<Record<string, string>> = {
  prepared: 'lacks signatures or proofs',
  complete: 'can be sent',
  sent: 'was sent',
  in_mempool: 'waits to be mined',
  mined: 'is mined',
  confirmed: 'is confirmed',
  expired: 'has expired',
  conflicted: 'cannot be mined any more: another transaction has spent the same',
  lost_note: 'has lost a note that it spends: prepare another one',
  discarded: 'was given up',
};

type Invoice = Extract<CompanionEvent, { readonly event: 'invoice.changed' }>['data'];

function invoiceText({
  invoice_id: id,
  reference,
  state,
  exception,
  received_zatoshi: received,
  refunded_zatoshi: refunded,
}: Invoice): string {
  const how = exception === null ? state : `${state}, ${exception}`;
  const back = refunded > 0 ? `, ${zecColumn(refunded)} ZEC of it refunded or on its way back` : '';
  return `invoice ${withoutHidden(reference ?? id)} is ${withoutHidden(how)}, received ${zecColumn(received)} ZEC${back}`;
}

const contradictionText = ({
  start_height: start,
  end_height: end,
  compact_server_url: url,
}: Contradiction) =>
  `the compact server ${withoutHidden(url)} said something else about blocks ${start} to ${end} than the node: what the node says counts`;

type Contradiction = Extract<CompanionEvent, { readonly event: 'blocks.contradicted' }>['data'];

type Finished = Extract<CompanionEvent, { readonly event: 'sync.finished' }>['data'];

function finishedText(data: Finished): string | undefined {
  if (!data.ok) return `a scan failed: ${withoutHidden(data.code)}, at height ${data.last_scan_height}`;
  const { start_height: start, end_height: end, blocks_scanned: count, chain_tip: tip } = data.summary;
  if (count === 0) return undefined;
  const range = start === end ? `block ${start}` : `blocks ${start} to ${end}`;
  return data.summary.caught_up ? `scanned ${range}, the tip` : `scanned ${range} of ${tip}`;
}

const otherText = ({ event, data }: { readonly event: string; readonly data: unknown }): string =>
  withoutHidden(`${event} ${JSON.stringify(data)}`);
