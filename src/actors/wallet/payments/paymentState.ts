// The status of a prepared payment, from what was scanned and seen. It is never stored, so a reorganisation or a rescan undoes
// it by itself, and free notes are reserved again. One thing is final: a payment whose note was given to a newer one was over
// by then, and does not open again.

import type { TxIdHex } from '@wallet-companion/shielded/identifiers';
import type { Height, Zatoshi } from '@wallet-companion/shielded/values';
import type { Output } from '../../../protocol/operations.ts';
import type { UnminedTransaction } from '../mempool/unmined.ts';
import { noteKey } from '../notes/noteBook.ts';
import type { NoteStore } from '../notes/noteStore.ts';
import { noteKeysOf } from '../notes/paymentBook.ts';
import { includesAll } from '../notes/ranges.ts';
import type { PaymentNote, StoredPayment } from '../ports/payment.ts';
import { type MissingPart, missingIn } from './missingParts.ts';

export type PaymentStatus = Output<'payments.get'>['status'];

export interface PaymentContext {
  readonly noteStore: Pick<NoteStore, 'tables' | 'note' | 'scanned' | 'scannedTop' | 'missing'>;
  /** For each note key, the newest payment that spends the note. */
  readonly holders: ReadonlyMap<string, StoredPayment>;
  /** The wallet's transactions in the mempool. */
  readonly unmined: readonly Pick<UnminedTransaction, 'txid'>[];
  /** The wallet's setting, below which nothing counts as confirmed. */
  readonly minConfirmations: number;
}

export interface PaymentState {
  readonly status: PaymentStatus;
  readonly minedHeight: Height | null;
  readonly confirmations: number;
  readonly isReserved: boolean;
  /** The value in notes of the balance: a note that was not found again yet during a rescan is in neither. */
  readonly reserved: Zatoshi;
  readonly missing: readonly MissingPart[];
}

/** A status that does not depend on the PCZT; undefined while the payment is neither sent nor over. */
type Fate = Exclude<PaymentStatus, 'prepared' | 'complete'> | undefined;

/** A status that ends a payment, as far as is known now, or means that it is mined. */
const OVER: readonly (PaymentStatus | undefined)[] = [
  'mined',
  'confirmed',
  'expired',
  'conflicted',
  'lost_note',
  'discarded',
];

/** Reads the PCZT only where nothing else decides the status. */
export const statusOf = (payment: StoredPayment, context: PaymentContext): PaymentStatus =>
  fateOf(payment, context) ?? (missingIn(payment.pczt).length === 0 ? 'complete' : 'prepared');

/** It may still be mined, and was not discarded: no other payment may use its notes. */
export const isOpen = (
  payment: StoredPayment,
  context: PaymentContext,
  status: PaymentStatus | undefined = fateOf(payment, context),
): boolean => !OVER.includes(status) && newerHolder(payment, context) === undefined;

export function stateOf(payment: StoredPayment, context: PaymentContext): PaymentState {
  const status = statusOf(payment, context);
  const minedHeight = minedHeightOf(payment, context);
  const isReserved = isOpen(payment, context, status);
  return {
    status,
    minedHeight,
    confirmations: minedHeight === null ? 0 : confirmationsOf(minedHeight, context),
    isReserved,
    reserved: isReserved ? unspentIn(payment, context) : 0,
    missing: missingIn(payment.pczt),
  };
}

/** Another program may send a discarded payment, so what is seen on the chain comes before the user's request. */
function fateOf(payment: StoredPayment, context: PaymentContext): Fate {
  const { noteStore, unmined, minConfirmations } = context;
  const minedHeight = minedIn(noteStore, payment.txid);
  if (minedHeight !== undefined) {
    const needed = Math.max(payment.changeConfirmations, minConfirmations);
    return confirmationsOf(minedHeight, context) >= needed ? 'confirmed' : 'mined';
  }
  const isDiscarded = payment.discardedAt !== null;
  const end = isDiscarded ? undefined : endOf(payment, context);
  if (end !== undefined) return end;
  if (unmined.some(({ txid }) => txid === payment.txid)) return 'in_mempool';
  if (isDiscarded) return 'discarded';
  return wasSent(payment) ? 'sent' : undefined;
}

/** Why it can no longer be mined. */
function endOf(
  payment: StoredPayment,
  context: PaymentContext,
): 'conflicted' | 'expired' | 'lost_note' | undefined {
  const { noteStore } = context;
  if (hasConflict(payment, noteStore)) return 'conflicted';
  if (hasExpired(payment, noteStore)) return 'expired';
  const newer = newerHolder(payment, context);
  if (newer !== undefined) return newer.targetHeight > payment.lastHeight ? 'expired' : 'lost_note';
  return payment.notes.some((note) => isLost(note, payment, noteStore)) ? 'lost_note' : undefined;
}

/** A newer payment that got a note of this one, which was over by then. */
const newerHolder = (payment: StoredPayment, { holders }: PaymentContext): StoredPayment | undefined =>
  noteKeysOf(payment)
    .map((key) => holders.get(key))
    .find((holder) => holder !== undefined && holder.id !== payment.id);

/**
 * The note moved in the tree, so that the signed anchor does not have it there, or is in no block up to that anchor. While
 * those blocks are scanned again, it may still be found. A note that is back at its place is not lost: a node checks when the
 * payment is sent whether the anchor is the chain's, too.
 */
function isLost(
  note: PaymentNote,
  { account, anchorHeight }: StoredPayment,
  noteStore: PaymentContext['noteStore'],
): boolean {
  const now = noteStore.note(noteKey({ ...note, account }));
  if (now !== undefined) return note.position !== now.position;
  const range = { start: Math.min(note.height, anchorHeight), end: anchorHeight };
  return (
    includesAll(noteStore.scanned(account), range) &&
    noteStore.missing(account).every(({ start }) => start > anchorHeight)
  );
}

const unspentIn = ({ account, notes }: StoredPayment, { noteStore }: PaymentContext): Zatoshi =>
  notes
    .filter((note) => noteStore.note(noteKey({ ...note, account }))?.spent === null)
    .reduce((sum, { zatoshi }) => sum + zatoshi, 0);

const confirmationsOf = (height: Height, { noteStore }: PaymentContext): number =>
  Math.max(0, (noteStore.scannedTop() ?? height) - height + 1);

/** Another party may have the bytes and can have them mined. */
export const wasSent = ({ sent }: Pick<StoredPayment, 'sent'>): boolean => sent?.mayBeMined === true;

export const minedHeightOf = ({ txid }: StoredPayment, { noteStore }: PaymentContext): Height | null =>
  minedIn(noteStore, txid) ?? null;

function minedIn({ tables }: PaymentContext['noteStore'], txid: TxIdHex): Height | undefined {
  return tables.notes.spentIn(txid)[0]?.spent?.height ?? tables.notes.madeIn(txid)[0]?.height;
}

/** Another mined transaction spends one of its notes. */
function hasConflict(payment: StoredPayment, noteStore: PaymentContext['noteStore']): boolean {
  return noteKeysOf(payment).some((key) => {
    const spent = noteStore.note(key)?.spent;
    return spent !== undefined && spent !== null && spent.txid !== payment.txid;
  });
}

/** Every block that could contain it was scanned. */
function hasExpired(
  { account, anchorHeight, lastHeight }: StoredPayment,
  noteStore: PaymentContext['noteStore'],
): boolean {
  return includesAll(noteStore.scanned(account), { start: anchorHeight + 1, end: lastHeight });
}

/** For each reserved note key, the payment that reserves it. */
export const reservations = (context: PaymentContext): Map<string, StoredPayment> =>
  new Map([...context.holders].filter(([, payment]) => isOpen(payment, context)));
