// What became of a prepared payment, from what was scanned and seen: nothing of it is kept, so a reorganisation or a rescan
// undoes it by itself, and what was free is reserved again.

import type { Output } from '../../../protocol/operations.ts';
import type { TxIdHex } from '../../../shielded/identifiers.ts';
import type { Height } from '../../../values/height.ts';
import type { Zatoshi } from '../../../values/zatoshi.ts';
import type { UnminedTransaction } from '../mempool/unmined.ts';
import type { NoteStore } from '../notes/noteStore.ts';
import { noteKeysOf } from '../notes/paymentBook.ts';
import { includesAll } from '../notes/ranges.ts';
import type { StoredPayment } from '../ports/payment.ts';
import { type MissingPart, missingIn } from './missingParts.ts';

export type PaymentStatus = Output<'payments.get'>['status'];

export interface Surroundings {
  readonly noteStore: Pick<NoteStore, 'tables' | 'note' | 'scanned' | 'scannedTop'>;
  /** What the mempool has of ours. */
  readonly unmined: readonly Pick<UnminedTransaction, 'txid'>[];
  /** The wallet's own, below which nothing counts as confirmed. */
  readonly minConfirmations: number;
}

export interface Standing {
  readonly status: PaymentStatus;
  readonly minedHeight: Height | null;
  readonly confirmations: number;
  readonly isReserved: boolean;
  readonly missing: readonly MissingPart[];
}

/** What others see of it; undefined while it is the wallet's own affair. */
type Fate = Exclude<PaymentStatus, 'prepared' | 'complete'> | undefined;

/** Those that end a payment, as far as is known now, or have it on the chain. */
const OVER: readonly (PaymentStatus | undefined)[] = [
  'mined',
  'confirmed',
  'expired',
  'conflicted',
  'discarded',
];

/** Reads the PCZT only where nothing else says how it stands. */
export const statusOf = (payment: StoredPayment, surroundings: Surroundings): PaymentStatus =>
  fateOf(payment, surroundings) ?? (missingIn(payment.pczt).length === 0 ? 'complete' : 'prepared');

/** It may still be mined, and nobody has given it up: its notes are no other payment's. */
export const isReservedAt = (status: PaymentStatus): boolean => !OVER.includes(status);

export function standingOf(payment: StoredPayment, surroundings: Surroundings): Standing {
  const status = statusOf(payment, surroundings);
  const minedHeight = minedHeightOf(payment, surroundings);
  return {
    status,
    minedHeight,
    confirmations: minedHeight === null ? 0 : confirmationsOf(minedHeight, surroundings),
    isReserved: isReservedAt(status),
    missing: missingIn(payment.pczt),
  };
}

/** Somebody else may send what was given up, so what is seen comes before what was asked for. */
function fateOf(payment: StoredPayment, surroundings: Surroundings): Fate {
  const { noteStore, unmined, minConfirmations } = surroundings;
  const minedHeight = minedIn(noteStore, payment.txid);
  if (minedHeight !== undefined) {
    const needed = Math.max(payment.changeConfirmations, minConfirmations);
    return confirmationsOf(minedHeight, surroundings) >= needed ? 'confirmed' : 'mined';
  }
  const isDiscarded = payment.discardedAt !== null;
  if (!isDiscarded && hasConflict(payment, noteStore)) return 'conflicted';
  if (!isDiscarded && hasExpired(payment, noteStore)) return 'expired';
  if (unmined.some(({ txid }) => txid === payment.txid)) return 'in_mempool';
  if (isDiscarded) return 'discarded';
  return wasSent(payment) ? 'sent' : undefined;
}

const confirmationsOf = (height: Height, { noteStore }: Surroundings): number =>
  Math.max(0, (noteStore.scannedTop() ?? height) - height + 1);

/** It may lie with somebody who can have it mined. */
export const wasSent = ({ sent }: Pick<StoredPayment, 'sent'>): boolean => sent?.mayBeMined === true;

export const minedHeightOf = ({ txid }: StoredPayment, { noteStore }: Surroundings): Height | null =>
  minedIn(noteStore, txid) ?? null;

function minedIn({ tables }: Surroundings['noteStore'], txid: TxIdHex): Height | undefined {
  return tables.notes.spentIn(txid)[0]?.spent?.height ?? tables.notes.madeIn(txid)[0]?.height;
}

/** Another transaction that was mined has one of its notes. */
function hasConflict(payment: StoredPayment, noteStore: Surroundings['noteStore']): boolean {
  return noteKeysOf(payment).some((key) => {
    const spent = noteStore.note(key)?.spent;
    return spent !== undefined && spent !== null && spent.txid !== payment.txid;
  });
}

/** No block that could have it was left unread. */
function hasExpired(
  { account, anchorHeight, lastHeight }: StoredPayment,
  noteStore: Surroundings['noteStore'],
): boolean {
  return includesAll(noteStore.scanned(account), { start: anchorHeight + 1, end: lastHeight });
}

/** By the key of the note, the payment that has it. */
export function reservations(
  payments: Iterable<StoredPayment>,
  surroundings: Surroundings,
): Map<string, StoredPayment> {
  const reserved = new Map<string, StoredPayment>();
  for (const payment of payments) {
    if (OVER.includes(fateOf(payment, surroundings))) continue;
    for (const key of noteKeysOf(payment)) reserved.set(key, payment);
  }
  return reserved;
}

/** What a payment keeps from others. */
export const reservedBy = ({ notes }: StoredPayment, { isReserved }: Standing): Zatoshi =>
  isReserved ? notes.reduce((sum, { zatoshi }) => sum + zatoshi, 0) : 0;
