// Whether an invoice stands otherwise than was announced last, and whether that may be announced yet: while blocks are scanned again
// or the mempool was not looked at, nothing is announced as taken back that is only not found yet.

import type { Announced } from '../ports/invoice.ts';
import { announcedName, isUnmarked } from './invoiceState.ts';
import type { Evaluation, Snapshot } from './invoiceView.ts';
import { refundName } from './refunds.ts';

const MOST_NAMED = 100;

export type Change = 'held' | Announced | undefined;

/** Undefined where nothing has changed. The new number is for the caller to give. */
export function changeOf(evaluation: Evaluation, snapshot: Snapshot, sequence: number): Change {
  const { row, mined, unmined, state, refunds } = evaluation;
  const { announced } = row;
  if (isHeld(evaluation, snapshot)) return 'held';
  const named = mined.slice(-MOST_NAMED);
  const fingerprint = [
    state.state,
    state.exception,
    row.cancelledAt !== null,
    state.received,
    state.unmined,
    ...named.map((note) =>
      row.requireVerified && isUnmarked(note) ? `${announcedName(note)}?` : announcedName(note),
    ),
    ...unmined.slice(0, MOST_NAMED).map(({ txid, outputIndex }) => `${txid.slice(0, 16)}.${outputIndex}`),
    ...refunds.map(refundName),
  ].join(' ');
  if (fingerprint === announced.fingerprint) return undefined;
  return {
    sequence,
    at: snapshot.now,
    state: state.state,
    fingerprint,
    received: state.received,
    unmined: state.unmined,
    peak: Math.max(announced.peak, state.received),
    top: snapshot.top,
    heights: [
      ...new Set([
        ...named.map(({ height }) => height),
        ...refunds.flatMap(({ minedHeight }) => minedHeight ?? []),
      ]),
    ],
  };
}

function isHeld(
  { row: { announced }, state, isKnown }: Evaluation,
  { noteStore, unmined }: Snapshot,
): boolean {
  if (noteStore.isUncertain || !isKnown) return true;
  // It may still be in the mempool.
  return (
    unmined === null &&
    announced.unmined > 0 &&
    state.state === 'new' &&
    state.received === announced.received
  );
}

/** Before anything was announced. */
export const neverAnnounced = (now: number, top: number): Announced => ({
  sequence: 0,
  at: now,
  state: 'new',
  fingerprint: '',
  received: 0,
  unmined: 0,
  peak: 0,
  top,
  heights: [],
});

/** As it is evaluated once the change is announced, which changes nothing else of it. */
export function announcing(evaluation: Evaluation, change: Change): Evaluation {
  if (typeof change !== 'object') return evaluation;
  const { row, refunds } = evaluation;
  const kept = refunds.length === 0 ? {} : { refunds: refunds.map(({ record }) => record) };
  return { ...evaluation, row: { ...row, ...kept, announced: change } };
}

/**
 * Whether nothing but a new payment, a height, a time or a payment that refunds it can change it: no look at the mempool, no mark
 * of a block, and no block that has, or could have had, a refund that nothing else reports.
 */
export const isSettled = ({ row, mined, state, refunds }: Evaluation, change: Change): boolean =>
  change !== 'held' &&
  row.announced.unmined === 0 &&
  state.unmined === 0 &&
  !(row.requireVerified && mined.some(isUnmarked)) &&
  refunds.every(({ isKept, counts, status }) => isKept || !counts || status === 'confirmed');
