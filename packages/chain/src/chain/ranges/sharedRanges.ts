// Ranges of blocks that several wallets scan at the same time: fetched, checked and packed once. A single reader gets
// each batch as it comes, as if no other could join. No reader waits for another: batches for the slower ones are kept,
// up to a limit, and a reader that falls further behind continues with a separate range.

import { type After, systemAfter } from '@wallet-companion/base/async';
import type { Height } from '@wallet-companion/base/values';
import type { BlockHash } from '@wallet-companion/zcash/identifiers';
import type { SourceTip } from '../ports/chainSource.ts';
import type { CompactStore, StoredRange } from '../ports/compactStore.ts';
import type { ScannedBefore, ServedBatch } from '../ports/types.ts';
import {
  type HeldStore,
  isSameTip,
  isSameView,
  RangeRun,
  type RunReader,
  type RunSource,
} from './rangeRun.ts';

/** A range that was read to its end stays for later wallets: follow mode asks a node every ten seconds. */
export const KEPT_AFTER_END_MS = 15_000;
/** Blocks that were read ahead are for a request that follows at once. */
export const KEPT_AHEAD_MS = 5_000;
const MOST_ENDED = 2;

export interface WantedRange {
  readonly start: Height;
  readonly end: Height;
  readonly before?: ScannedBefore | undefined;
  /** The best block, as the caller knows it. */
  readonly tip?: SourceTip | undefined;
  /** The caller's expected next range: its first blocks are read while the last ones of this one are scanned. */
  readonly next?: StoredRange | undefined;
}

export class SharedRanges {
  readonly #keeps: () => boolean;
  readonly #after: After;
  /** The oldest first. */
  readonly #runs = new Set<RangeRun>();
  #lastId = 0;
  /** The run without a reader yet. */
  #ahead: RangeRun | undefined;

  /** `keeps`: whether several wallets scan, so that another one may need the same blocks. */
  constructor(keeps: () => boolean, after: After = systemAfter) {
    this.#keeps = keeps;
    this.#after = after;
  }

  open(range: WantedRange, source: RunSource): RangeReader {
    return new RangeReader(range, {
      join: (height) => this.#joinable(height, range.tip, source),
      above: (height) => this.#lowestAbove(height, range, source),
      begin: (start, end, before) => this.#begin({ ...range, start, end, before }, source),
      left: (run) => this.#left(run),
      readAhead: () => this.#readAhead(range, source),
    });
  }

  /** The heights that are read ahead from this store. */
  heightsAheadIn(store: CompactStore): readonly StoredRange[] {
    const run = this.#ahead;
    return run === undefined || run.source.held.store !== store ? [] : [{ start: run.start, end: run.end }];
  }

  #joinable(height: Height, tip: SourceTip | undefined, source: RunSource): RangeRun | undefined {
    const found = this.#like(height, tip, source).find((run) => run.offers(height));
    if (found === this.#ahead) this.#ahead = undefined;
    return found;
  }

  /**
   * One range at a time, for a wallet that scans alone: several wallets are ahead of each other anyway. A failure
   * before the range is requested leads to a new read.
   */
  #readAhead({ next, tip }: WantedRange, source: RunSource): void {
    if (next === undefined || this.#keeps()) return;
    if (this.#ahead !== undefined) this.#drop(this.#ahead);
    if (this.#like(next.start, tip, source).some((run) => run.offers(next.start))) return;
    const run = this.#begin({ ...next, tip }, source, true);
    this.#ahead = run;
    this.#after(KEPT_AHEAD_MS, () => {
      if (this.#ahead === run) this.#drop(run);
    });
  }

  /** Where available blocks begin. */
  #lowestAbove(height: Height, { end, tip }: WantedRange, source: RunSource): Height | undefined {
    const starts = this.#like(height, tip, source)
      .flatMap((run) => run.lowest ?? [])
      .filter((start) => start > height && start <= end);
    return starts.length === 0 ? undefined : Math.min(...starts);
  }

  /** Without a reader, no check would notice that the chain has moved since: such runs need the same tip. */
  #like(height: Height, tip: SourceTip | undefined, { place, offline }: RunSource): RangeRun[] {
    return [...this.#runs].filter(
      (run) =>
        run.source.place === place &&
        run.source.offline === offline &&
        !run.isFailed &&
        (run.isIdle ? isSameTip(run.tip, tip) : isSameView(run.tip, tip, height)),
    );
  }

  #begin(range: WantedRange, source: RunSource, isAhead = false): RangeRun {
    const run = new RangeRun(++this.#lastId, { ...range, isAhead }, source, this.#keeps);
    this.#runs.add(run);
    return run;
  }

  /** The run has no reader any more. */
  #left(run: RangeRun): void {
    const stays = run.isEnded && run.lowest !== undefined;
    if (!stays) {
      this.#drop(run);
      return;
    }
    const ended = [...this.#runs].filter((one) => one.isIdle);
    for (const oldest of ended.slice(0, Math.max(0, ended.length - MOST_ENDED))) this.#drop(oldest);
    this.#after(KEPT_AFTER_END_MS, () => {
      if (run.isIdle) this.#drop(run);
    });
  }

  #drop(run: RangeRun): void {
    this.#runs.delete(run);
    if (this.#ahead === run) this.#ahead = undefined;
    run.close();
  }
}

interface Runs {
  readonly join: (height: Height) => RangeRun | undefined;
  readonly above: (height: Height) => Height | undefined;
  readonly begin: (start: Height, end: Height, before: ScannedBefore | undefined) => RangeRun;
  readonly left: (run: RangeRun) => void;
  readonly readAhead: () => void;
}

/** One wallet's range, read from one run after the other. */
export class RangeReader implements RunReader {
  readonly end: Height;
  readonly #runs: Runs;
  #run: RangeRun | undefined;
  #height: Height;
  /** The block before, as this wallet scanned it; undefined as well once it is known to fit. */
  #before: ScannedBefore | undefined;
  /** The last block that the reader got: runs may come from different chains. */
  #last: BlockHash | undefined;
  /** A reader that could not keep up, or has met a range once, continues alone. */
  #mayStopShort = true;
  /** The present run was opened for this reader, at the height where it then was. */
  #isOwn = false;
  #isClosed = false;

  constructor({ start, end, before }: WantedRange, runs: Runs) {
    this.#height = start;
    this.end = end;
    this.#before = before;
    this.#runs = runs;
    this.#enter();
  }

  get height(): Height {
    return this.#height;
  }

  /** The compact store being read. */
  get held(): HeldStore {
    const current = (): HeldStore | undefined => this.#run?.source.held;
    return {
      get store() {
        return current()?.store;
      },
    };
  }

  /** Null before the end as well, where not even a run of its own goes on from the block before: the chain has moved. */
  async next(): Promise<ServedBatch | null> {
    while (!this.#isClosed && this.#height <= this.end) {
      const run = this.#run ?? this.#enter();
      if (run.isPast(this.#height)) {
        this.#goOnAlone();
        continue;
      }
      const given = run.take(this, this.#before, this.#last);
      if (given === 'does not fit') {
        if (this.#isOwn) this.close();
        else this.#goOnAlone();
      } else if (given !== undefined) {
        this.#height = given.next;
        this.#before = undefined;
        this.#last = given.last;
        if (this.#height > this.end) this.#runs.readAhead();
        return given.batch;
      } else if (!run.isEnded) {
        await this.#pull(run);
      } else {
        const isOver = run.frontier !== this.#height || run.frontier <= run.end;
        this.#leave();
        if (isOver) return null;
      }
    }
    return null;
  }

  close(): void {
    this.#isClosed = true;
    this.#leave();
  }

  fallsBehind(before: ScannedBefore): void {
    this.#before = before;
  }

  /** A failure from before the first reader leads to a new read. */
  async #pull(run: RangeRun): Promise<void> {
    try {
      await run.pull();
    } catch (error) {
      if (!run.isAhead) throw error;
      if (this.#run === run) this.#goOnAlone();
    }
  }

  #enter(): RangeRun {
    const joined = this.#runs.join(this.#height);
    const run = joined ?? this.#beginShort();
    this.#isOwn = joined === undefined;
    this.#run = run;
    run.readers.add(this);
    return run;
  }

  #beginShort(): RangeRun {
    const others = this.#mayStopShort ? this.#runs.above(this.#height) : undefined;
    this.#mayStopShort = false;
    return this.#begin(others === undefined ? this.end : others - 1);
  }

  #goOnAlone(): void {
    this.#leave();
    this.#mayStopShort = false;
    this.#run = this.#begin(this.end);
    this.#isOwn = true;
    this.#run.readers.add(this);
  }

  /** The source compares what was scanned before with its blocks. */
  #begin(end: Height): RangeRun {
    const run = this.#runs.begin(this.#height, end, this.#before);
    this.#before = undefined;
    return run;
  }

  #leave(): void {
    const run = this.#run;
    this.#run = undefined;
    if (run === undefined) return;
    run.readers.delete(this);
    if (run.isIdle) this.#runs.left(run);
    else run.release();
  }
}
