// Whether an invoice stands otherwise than was announced last, and whether that may be announced yet: while blocks are scanned again
// or the mempool was not looked at, nothing is announced as taken back that is only not found yet.

import type { Announced, StoredInvoice } from '../ports/invoice.ts';
import { announcedName, isUnmarked } from './invoiceState.ts';
import type { Judged, Moment } from './invoiceView.ts';

const MOST_NAMED = 100;

export type Change = 'held' | Announced | undefined;

/** Undefined where nothing has changed. The new number is for the caller to give. */
export function changeOf(judgement: Judged, moment: Moment, sequence: number): Change {
  const { row, mined, unmined, state } = judgement;
  const { announced } = row;
  if (isHeld(judgement, moment)) return 'held';
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
  ].join(' ');
  if (fingerprint === announced.fingerprint) return undefined;
  return {
    sequence,
    at: moment.now,
    state: state.state,
    fingerprint,
    received: state.received,
    unmined: state.unmined,
    peak: Math.max(announced.peak, state.received),
    top: moment.top,
    heights: [...new Set(named.map(({ height }) => height))],
  };
}

function isHeld({ row: { announced }, state, isKnown }: Judged, { noteStore, unmined }: Moment): boolean {
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

/** Whether nothing but a new payment, a height or a time can change it: no look at the mempool, and no mark of a block. */
export const isSettled = (
  { announced, requireVerified }: StoredInvoice,
  { mined, state }: Judged,
  change: Change,
): boolean =>
  change !== 'held' &&
  announced.unmined === 0 &&
  state.unmined === 0 &&
  !(requireVerified && mined.some(isUnmarked));
