// Lots, their cost, and what disposals gained, first in, first out: exact, so that lots add up to the balance, and parts to their whole.

import type { Movement } from './ledger.ts';

/** Stated at the head of every report. */
export const FIFO_RULE =
  'First in, first out, over all accounts of the wallet and from its first transaction on. What a transaction brought in is a lot, at its value then; what it paid takes from the oldest lots, and so does its fee, as a disposal of its own, each at its value then. What accounts of the wallet gave each other is neither. The cost of a lot and the proceeds of a disposal are divided by zatoshi; each running total is rounded down to the smallest unit of the money, so that the parts add up. Where a price is missing, so are cost, proceeds and gain. Whether a tax office takes this rule is for an adviser to say.';

/** What is left of what a transaction brought in. */
export interface Lot {
  readonly time: string;
  readonly txid: string;
  readonly zatoshi: number;
  /** In the smallest units of the money; null: not known. */
  readonly cost: bigint | null;
}

/** What a disposal took from one lot. */
export interface Disposal {
  readonly kind: 'payment' | 'fee';
  readonly time: string;
  readonly height: number;
  readonly txid: string;
  readonly zatoshi: number;
  readonly proceeds: bigint | null;
  readonly lot: Omit<Lot, 'zatoshi'>;
}

export interface Gains {
  readonly disposals: readonly Disposal[];
  readonly lots: readonly Lot[];
  /** Zatoshi that were paid though no lot had them; 0 in books that add up. */
  readonly missing: number;
}

/** The running total of `whole` after `done` of `size` zatoshi. */
const shareOf = (whole: bigint, done: number, size: number): bigint => (whole * BigInt(done)) / BigInt(size);

/** The part of `whole` for the zatoshi from `start` to `end` of `size`. */
const partOf = (whole: bigint | null, start: number, end: number, size: number): bigint | null =>
  whole === null ? null : shareOf(whole, end, size) - shareOf(whole, start, size);

interface Opened {
  readonly from: Movement;
  readonly cost: bigint | null;
  taken: number;
}

/** `movements`: all of the wallet, the oldest first. */
export function gainsOf(movements: readonly Movement[], currency: string): Gains {
  const disposals: Disposal[] = [];
  const opened: Opened[] = [];
  let oldest = 0;
  let missing = 0;
  const dispose = (by: Movement, kind: Disposal['kind'], size: number, proceeds: bigint | null): void => {
    for (let done = 0; done < size; ) {
      const lot = opened[oldest];
      if (lot === undefined) {
        missing += size - done;
        return;
      }
      const { from, cost, taken } = lot;
      const part = Math.min(from.received - taken, size - done);
      disposals.push({
        kind,
        time: by.time,
        height: by.height,
        txid: by.txid,
        zatoshi: part,
        proceeds: partOf(proceeds, done, done + part, size),
        lot: {
          time: from.time,
          txid: from.txid,
          cost: partOf(cost, taken, taken + part, from.received),
        },
      });
      lot.taken += part;
      done += part;
      if (lot.taken === from.received) oldest += 1;
    }
  };
  for (const movement of movements) {
    const worth = movement.worth?.currency === currency ? movement.worth : undefined;
    const { received, sent, fee } = movement;
    if (received > 0) opened.push({ from: movement, cost: worth?.units ?? null, taken: 0 });
    dispose(movement, 'payment', sent, worth === undefined ? null : -worth.units - worth.fee);
    dispose(movement, 'fee', fee, worth?.fee ?? null);
  }
  const lots = opened.slice(oldest).map(({ from, cost, taken }) => ({
    time: from.time,
    txid: from.txid,
    zatoshi: from.received - taken,
    cost: partOf(cost, taken, from.received, from.received),
  }));
  return { disposals, lots, missing };
}

export const gainOf = ({ proceeds, lot: { cost } }: Disposal): bigint | null =>
  proceeds === null || cost === null ? null : proceeds - cost;
