// The life of a payment on one page: what is asked of it in which status, what each event makes of it, and the status itself.
//
//   prepare ──> unsent ────────── discard ──────────> discarded      KeptState: what was done with it, kept with its PCZT
//                 │  ^                                     │
//       broadcast │  │ refused, or not sent at all         │ broadcast, where another program had sent it
//                 v  │                                     │
//                sent <────────────────────────────────────┘
//
// PaymentState, what callers see, is this, its PCZT and what was scanned:
//
//   unsent ......... `prepared` while signatures or proofs are missing, then `complete`
//   sent ........... `sent`
//   in any state ... `in_mempool`, then `mined`, then `confirmed`; all but discarded: `conflicted`, `expired`, `lost_note`
//
// The status is never stored, so a reorganisation or a rescan undoes it by itself, and free notes are reserved again. One thing
// is final: a payment whose note was given to a newer one was over by then, and does not open again.

import { bytesToHex } from '@wallet-companion/base/bytes';
import type { Height } from '@wallet-companion/base/values';
import type { CarriedBy } from '@wallet-companion/chain/ports';
import { decodePczt, missingOf, type Pczt } from '@wallet-companion/pczt/pczt';
import { anchoredPools, mayReanchor, withoutAnchors } from '@wallet-companion/pczt/pcztRoles';
import { noteKey, type TxIdHex } from '@wallet-companion/zcash/identifiers';
import type { NetworkParameters } from '@wallet-companion/zcash/network';
import { isActionPool, POOLS, type Pool } from '@wallet-companion/zcash/pools';
import type { Output } from '../../../protocol/operations.ts';
import { includesAll } from '../noteStore/book/ranges.ts';
import type { NoteStore } from '../noteStore/noteStore.ts';
import { confirmations, confirmationTop } from '../noteViews/views.ts';
import type {
  FinalStatus,
  KeptState,
  KeyedPayment,
  PaymentNote,
  Sent,
  StoredPayment,
  Transmission,
  WaitsFor,
} from '../ports/payment.ts';
import { spentKeysOf } from './book/paymentBook.ts';

// ---------------------------------------------------------------------------------------------------------------------
// What may be asked of it

export type PaymentStatus = Output<'payments.get'>['status'];

/** `pczt`: for a signer or a prover. `copy`: all of it, which a caller always gets. `reprove`: replaces its proofs. */
export type PaymentEvent =
  | 'pczt'
  | 'copy'
  | 'combine'
  | 'sign'
  | 'prove'
  | 'reprove'
  | 'broadcast'
  | 'discard';

/** `same`: the answer says how it stands, and nothing is changed. `no`: `PAYMENT_STATE`. */
export type Reaction = 'yes' | 'same' | 'no';

const OPEN = {
  pczt: 'yes',
  copy: 'yes',
  combine: 'yes',
  reprove: 'yes',
  broadcast: 'yes',
  discard: 'yes',
} as const;
const OVER = {
  pczt: 'no',
  copy: 'same',
  combine: 'no',
  sign: 'no',
  prove: 'no',
  reprove: 'no',
  broadcast: 'no',
  discard: 'no',
} as const;
const SENT = {
  ...OVER,
  pczt: 'same',
  combine: 'same',
  sign: 'same',
  prove: 'same',
  broadcast: 'yes',
} as const;

const REACTIONS: Readonly<Record<PaymentStatus, Readonly<Record<PaymentEvent, Reaction>>>> = {
  prepared: { ...OPEN, sign: 'yes', prove: 'yes' },
  complete: { ...OPEN, sign: 'same', prove: 'same' },
  sent: SENT,
  in_mempool: SENT,
  mined: { ...OVER, broadcast: 'same' },
  confirmed: { ...OVER, broadcast: 'same' },
  expired: OVER,
  conflicted: OVER,
  lost_note: OVER,
  discarded: { ...OVER, discard: 'same' },
};

/** A payment that was never sent can be given up for good, though a reorganisation might give it its note back. */
export const reactionTo = (event: PaymentEvent, { state }: StoredPayment, status: PaymentStatus): Reaction =>
  event === 'discard' && status === 'lost_note' && state.kind === 'unsent' ? 'yes' : REACTIONS[status][event];

// ---------------------------------------------------------------------------------------------------------------------
// What an event makes of it. `unsent` is what it begins as, and what it was before is put back where nothing left.

export const UNSENT: KeptState = { kind: 'unsent', refused: null };

/** The payment, which waits for this at its signer, or for nothing. */
export function waiting({ waitsFor: _, ...payment }: StoredPayment, waitsFor?: WaitsFor): StoredPayment {
  return waitsFor === undefined ? payment : { ...payment, waitsFor };
}

/** Other proofs or signatures have come: it is no longer the transaction that was refused. */
export const combine = (state: KeptState): KeptState =>
  state.kind === 'unsent' && state.refused !== null
    ? { kind: 'unsent', refused: { ...state.refused, transaction: null } }
    : state;

export const discard = (state: KeptState, at: number): KeptState =>
  state.kind === 'unsent' ? { kind: 'discarded', at, refused: state.refused } : state;

export const sending = (attempt: Transmission): Sent => ({
  kind: 'sent',
  outcome: 'unanswered',
  ...attempt,
});

/** Who passed it on. */
export const carriedBy = ({ source, server }: Sent): CarriedBy => ({
  source,
  ...(server !== undefined && { server }),
});

const transmission = (sent: Sent): Transmission => ({
  ...carriedBy(sent),
  at: sent.at,
  transaction: sent.transaction,
});

export const accept = (sent: Sent): Sent => ({ ...sending(transmission(sent)), outcome: 'accepted' });

/**
 * `before`: the state before this attempt. What may have arrived once is not taken back, and a stranger's word does not show that
 * it did not.
 */
export function refuse(sent: Sent, before: KeptState, detail: string): KeptState {
  const refusal = { ...transmission(sent), detail };
  return before.kind === 'sent' || sent.source === 'peers'
    ? { kind: 'sent', outcome: 'refused', ...refusal }
    : { kind: 'unsent', refused: refusal };
}

/** The bytes that have left before. */
export const sentBytes = (state: KeptState): string | null =>
  state.kind === 'sent' ? state.transaction : (state.refused?.transaction ?? null);

// ---------------------------------------------------------------------------------------------------------------------
// How it stands

export interface PaymentContext {
  readonly noteStore: NoteStore;
  /** For each key of a note or a transparent output, the newest payment that spends it. */
  readonly holders: ReadonlyMap<string, StoredPayment>;
  /** The wallet's transactions in the mempool. */
  readonly unmined: readonly { readonly txid: TxIdHex }[];
  /** The wallet's setting, below which nothing counts as confirmed. */
  readonly minConfirmations: number;
  readonly params: NetworkParameters;
  /** Milliseconds since 1970. */
  readonly now: number;
}

/** `isReserved`: it may still be mined, and was not discarded: no other payment may use its notes. */
export type PaymentState = { readonly status: 'prepared' | 'complete'; readonly isReserved: true } | Fate;

/** What does not depend on the PCZT. */
type Fate =
  | { readonly status: 'sent'; readonly isReserved: true }
  | { readonly status: 'in_mempool'; readonly isReserved: boolean }
  | Mined
  | { readonly status: End | 'discarded'; readonly isReserved: false };

interface Mined {
  readonly status: 'mined' | 'confirmed';
  readonly isReserved: false;
  readonly minedHeight: Height;
  readonly confirmations: number;
}

/** Why it can no longer be mined, as far as is known now. */
type End = 'conflicted' | 'expired' | 'lost_note';

/** Reads the PCZT only where nothing else decides. */
export const stateOf = (payment: StoredPayment, context: PaymentContext): PaymentState =>
  fateOf(payment, context) ?? {
    status: missingIn(payment, context).length === 0 ? 'complete' : 'prepared',
    isReserved: true,
  };

export const isReserved = (payment: StoredPayment, context: PaymentContext): boolean =>
  fateOf(payment, context)?.isReserved ?? true;

/** For each reserved key of a note or a transparent output, the payment that reserves it. */
export const reservations = (context: PaymentContext): Map<string, StoredPayment> =>
  new Map([...context.holders].filter(([, payment]) => isReserved(payment, context)));

/**
 * Undefined while it is neither sent nor over. Another program may send a discarded payment, so what is seen on the chain comes
 * before the user's request.
 */
function fateOf(payment: StoredPayment, context: PaymentContext): Fate | undefined {
  const { kind } = payment.state;
  const mined = minedIn(payment, context);
  if (mined !== undefined) return mined;
  const end = kind === 'discarded' ? undefined : endOf(payment, context);
  if (end !== undefined) return { status: end, isReserved: false };
  if (context.unmined.some(({ txid }) => txid === payment.txid))
    return { status: 'in_mempool', isReserved: newerHolder(payment, context) === undefined };
  if (kind === 'discarded') return { status: 'discarded', isReserved: false };
  return kind === 'sent' ? { status: 'sent', isReserved: true } : undefined;
}

/** How a payment stands of which its idempotency key alone is kept, and how it stood `last`. */
export function stateOfGone(
  { payment, last }: Pick<KeyedPayment, 'payment'> & { readonly last: FinalStatus },
  context: PaymentContext,
): Mined | { readonly status: Exclude<FinalStatus, Mined['status']> | 'sent' } {
  const mined = minedIn(payment, context);
  if (mined !== undefined) return mined;
  if (context.unmined.some(({ txid }) => txid === payment.txid)) return { status: 'in_mempool' };
  // It left, and the block that had it is replaced, or is read again.
  const hasLeft = last === 'mined' || last === 'confirmed' || last === 'in_mempool';
  return { status: hasLeft ? 'sent' : last };
}

/** By its transaction alone: also of a payment that is not kept any more. */
export function minedIn(
  { txid, changeConfirmations }: Pick<StoredPayment, 'txid' | 'changeConfirmations'>,
  context: PaymentContext,
): Mined | undefined {
  const { noteStore, minConfirmations } = context;
  const { notes } = noteStore.tables;
  const height = notes.spentIn(txid)[0]?.spent?.height ?? notes.madeIn(txid)[0]?.height;
  if (height === undefined) return undefined;
  const count = confirmations(confirmationTop(noteStore), height);
  const isConfirmed = count >= Math.max(changeConfirmations, minConfirmations);
  return {
    status: isConfirmed ? 'confirmed' : 'mined',
    isReserved: false,
    minedHeight: height,
    confirmations: count,
  };
}

function endOf(payment: StoredPayment, context: PaymentContext): End | undefined {
  const { noteStore } = context;
  const { lastHeight } = payment;
  const isConflicted = spentKeysOf(payment).some((key) => {
    const spent = noteStore.note(key)?.spent ?? null;
    return spent !== null && spent.txid !== payment.txid;
  });
  if (isConflicted) return 'conflicted';
  if (hasExpired(payment, noteStore)) return 'expired';
  const newer = newerHolder(payment, context);
  if (newer !== undefined) return newer.targetHeight > lastHeight ? 'expired' : 'lost_note';
  return payment.notes.some((note) => isLost(note, payment, noteStore)) ? 'lost_note' : undefined;
}

/** Every block that could contain it was scanned. */
export const hasExpired = (
  { account, anchorHeight, lastHeight }: Pick<StoredPayment, 'account' | 'anchorHeight' | 'lastHeight'>,
  noteStore: NoteStore,
): boolean => includesAll(noteStore.scanned(account), { start: anchorHeight + 1, end: lastHeight });

/** A newer payment that got a note of this one, which was over by then. */
const newerHolder = (payment: StoredPayment, { holders }: PaymentContext): StoredPayment | undefined =>
  spentKeysOf(payment)
    .map((key) => holders.get(key))
    .find((holder) => holder !== undefined && holder.id !== payment.id);

/**
 * The note is in no block up to the anchor, or moved in the tree where that needs another signature. While those blocks are
 * scanned again, it may still be found.
 */
function isLost(note: PaymentNote, payment: StoredPayment, noteStore: NoteStore): boolean {
  const { account, anchorHeight } = payment;
  const now = noteStore.note(noteKey({ ...note, account }));
  // The nullifier of a Sapling note follows from its position.
  if (now !== undefined)
    return note.position !== now.position && !(isActionPool(note.pool) && isOpenToAnchors(payment));
  const range = { start: Math.min(note.height, anchorHeight), end: anchorHeight };
  return (
    includesAll(noteStore.scanned(account), range) &&
    noteStore.missing(account).every(({ start }) => start > anchorHeight)
  );
}

// ---------------------------------------------------------------------------------------------------------------------
// What its PCZT still lacks. Kept signatures were checked when they came (returned.ts), so it is enough to see which are there.

type MissingPart = Output<'payments.get'>['missing'][number];

interface Facts {
  readonly missing: MissingPart[];
  /** What it lacks with other anchors; undefined where its signatures cover them. */
  readonly withoutAnchors: MissingPart[] | undefined;
  /** The pools whose anchors the transaction has. */
  readonly anchored: readonly Pool[];
}

/** Keyed by the bytes, which are never changed in place: reading them takes a millisecond, and lists read many. */
const known = new WeakMap<Uint8Array, Facts>();

function factsOf({ pczt: bytes }: StoredPayment): Facts {
  const found = known.get(bytes) ?? readFacts(decodePczt(bytes).pczt);
  known.set(bytes, found);
  return found;
}

const readFacts = (pczt: Pczt): Facts => ({
  missing: readMissing(pczt),
  withoutAnchors: mayReanchor(pczt) ? readMissing(withoutAnchors(pczt)) : undefined,
  anchored: anchoredPools(pczt),
});

/** In the order of the pools. Proofs that lead to a lost anchor are missing, unless another version of the payment was sent. */
export function missingIn(payment: StoredPayment, { noteStore }: PaymentContext): MissingPart[] {
  const facts = factsOf(payment);
  return hasLostAnchor(payment, noteStore) ? facts.withoutAnchors! : facts.missing;
}

/** Proofs that lead to its anchor are of no use, and it can get another one. */
export const hasLostAnchor = (payment: StoredPayment, noteStore: NoteStore): boolean =>
  isOpenToAnchors(payment) && anchorState(payment, noteStore) === 'lost';

/** Whether it can get another anchor, and keep its signatures. Bytes that were sent are never sent in another version. */
const isOpenToAnchors = (payment: StoredPayment): boolean =>
  payment.state.kind === 'unsent' && factsOf(payment).withoutAnchors !== undefined;

/** `unsure`: its block was replaced by one with trees of the same sizes, so only a server knows whether they are the same. */
export type AnchorState = 'kept' | 'unsure' | 'lost';

export function anchorState(payment: StoredPayment, noteStore: NoteStore): AnchorState {
  const { account, anchorBlock, anchorHeight, notes } = payment;
  const hasMoved = notes.some((note) => {
    const now = noteStore.note(noteKey({ ...note, account }));
    return now !== undefined && now.position !== note.position;
  });
  if (hasMoved) return 'lost';
  const block = noteStore.block(anchorHeight);
  if (anchorBlock === undefined || block === undefined || bytesToHex(block.hash) === anchorBlock.hash)
    return 'kept';
  const isOtherTree = factsOf(payment).anchored.some(
    (pool) => block.treeSizes[pool] !== anchorBlock.treeSizes[pool],
  );
  return isOtherTree ? 'lost' : 'unsure';
}

function readMissing(pczt: Pczt): MissingPart[] {
  const { signatures, proofs, proofKeys } = missingOf(pczt);
  return (['transparent', ...POOLS] as const)
    .map((place) => ({
      pool: place,
      signatures: signatures.filter((one) => one.place === place).length,
      proofs: proofs.some(({ pool }) => pool === place),
      signer_keys: proofKeys.some(({ pool }) => pool === place),
    }))
    .filter((part) => part.signatures > 0 || part.proofs);
}
