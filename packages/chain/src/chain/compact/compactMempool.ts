// The mempool of a compact server, read from the stream that a wait for the next block keeps open, or from a separate one.
// A transaction has left it if a stream comes to its end without it.

import type { After } from '@wallet-companion/base/async';
import type { Height } from '@wallet-companion/base/values';
import type { TxIdHex } from '@wallet-companion/zcash/identifiers';
import type { MempoolLook, MempoolQuery, OfferedMempool } from '../ports/types.ts';
import { knownTxids, MempoolPacker } from '../source/mempoolPacking.ts';
import type { MempoolEnd } from './compactConnection.ts';
import { MempoolReading } from './mempoolReading.ts';

/** 4 MiB hold at most so many of some hundred bytes each. */
const MAX_TXIDS = 40_000;

export class CompactMempool {
  readonly #quietMs: number;
  readonly #after: After;
  #current: MempoolReading | undefined;
  /** For a look with several answers: what was read and not returned yet. */
  #rest: MempoolReading | undefined;
  /** The txids of the last whole stream, and later ones. */
  #lastTxids: Set<TxIdHex> | undefined;

  constructor(quietMs: number, after: After) {
    this.#quietMs = quietMs;
    this.#after = after;
  }

  /** A stream begins; one stream at a time is read. It ends with the next block above `tipHeight`. */
  begin(tipHeight?: Height): MempoolReading {
    const reading = new MempoolReading(this.#quietMs, this.#after, tipHeight);
    this.#current = reading;
    return reading;
  }

  end(reading: MempoolReading, how: MempoolEnd, failure?: { readonly error: unknown }): void {
    if (!reading.isReading) return;
    reading.end(how, failure);
    const txids = reading.transactions.keys();
    if (how === 'too much') this.#lastTxids = undefined;
    else if (reading.isWhole) this.#lastTxids = new Set(txids);
    else if (this.#lastTxids !== undefined) {
      for (const txid of txids) this.#lastTxids.add(txid);
      if (this.#lastTxids.size > MAX_TXIDS) this.#lastTxids = undefined;
    }
    if (this.#current === reading) this.#current = undefined;
  }

  /** `open` begins a stream where none is open, and returns a function that ends it. */
  async look(
    { known, room, goesOn }: MempoolQuery,
    open: (reading: MempoolReading) => () => void,
    tipHeight: () => Promise<Height>,
  ): Promise<MempoolLook> {
    const there = this.#current ?? (goesOn ? this.#rest : undefined);
    this.#rest = undefined;
    const reading = there ?? this.begin();
    const close = there === undefined ? open(reading) : () => undefined;
    try {
      await reading.settled;
      if (reading.failure !== undefined) throw reading.failure.error;
      if (reading.isTooMuch) return { offered: false, reason: 'too much' };
      const answer = this.#answer(reading, known, room, reading.tipHeight ?? (await tipHeight()));
      if (answer.more) this.#rest = reading;
      return answer;
    } finally {
      close();
    }
  }

  #answer(reading: MempoolReading, known: Uint8Array, room: number, tipHeight: Height): OfferedMempool {
    const { transactions } = reading;
    const knownOnes = knownTxids(known);
    const last = this.#lastTxids;
    const isGone = (txid: TxIdHex): boolean =>
      last !== undefined && !last.has(txid) && !transactions.has(txid);
    const gone = knownOnes.flatMap((txid, index) => (isGone(txid) ? [index] : []));
    const seen = new Set(knownOnes);
    const packer = new MempoolPacker();
    let left = 0;
    let taken = 0;
    for (const [id, { txid, bytes }] of transactions) {
      if (seen.has(id)) continue;
      if (packer.isFull || taken >= room) left++;
      else {
        packer.add(txid, bytes);
        taken++;
      }
    }
    return { offered: true, tipHeight, gone, ...packer.take(), more: left > 0 };
  }
}
