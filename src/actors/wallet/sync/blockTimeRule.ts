// The rule for the times of blocks, in the one place that every source's blocks pass: invoices, statements and balances of a day
// follow these times, and a compact server or a fleet could make them up.
//
// A block must be later than the median of the eleven before it, as on every Zcash chain. With fewer known it is not judged:
// times are not monotone, and a shorter window refuses honest chains.

import { dayText, type Height, MAX_FUTURE_SECONDS } from '@wallet-companion/base/values';
import type { Source } from '@wallet-companion/chain/ports';
import { CompanionError } from '../../../protocol/errors.ts';
import type { NoteStore } from '../noteStore/noteStore.ts';
import type { HeightRange } from '../ports/noteDatabase.ts';
import { badAnswerOf } from '../witnesses/witnessFailures.ts';

export const MEDIAN_BLOCKS = 11;

/** What was scanned before contradicts the source. `below`: scan again from there. `above`: what lies above the range goes. */
export class TimesDoubted extends CompanionError {
  readonly side: 'below' | 'above';

  constructor({ code, message }: CompanionError, side: 'below' | 'above') {
    super(code, message);
    this.side = side;
  }
}

interface TimedBlock {
  readonly height: Height;
  readonly time: number;
}

export interface BlockTimeRuleOptions {
  readonly source: Source;
  /** Milliseconds since 1970. */
  readonly now: () => number;
  /** Nothing that was scanned below counts: the range begins there to replace it. */
  readonly afresh: boolean;
}

/** Follows the blocks of one range. */
export class BlockTimeRule {
  readonly #noteStore: Pick<NoteStore, 'block' | 'isVerified'>;
  readonly #range: HeightRange;
  readonly #options: BlockTimeRuleOptions;
  /** Consecutive blocks, eleven at most, up to the one before the next. */
  #before: TimedBlock[];

  constructor(
    noteStore: Pick<NoteStore, 'block' | 'isVerified'>,
    range: HeightRange,
    options: BlockTimeRuleOptions,
  ) {
    this.#noteStore = noteStore;
    this.#range = range;
    this.#options = options;
    this.#before = options.afresh ? [] : this.#known(range.start - 1, -1).reverse();
  }

  /** `good`: how many of the next blocks may be kept; `fault`: why no more. */
  follow(blocks: readonly TimedBlock[]): { readonly good: number; readonly fault?: CompanionError } {
    for (const [good, block] of blocks.entries()) {
      const fault = this.#faultOf(block);
      if (fault !== undefined) return { good, fault };
    }
    if (blocks.at(-1)?.height !== this.#range.end) return { good: blocks.length };
    for (const above of this.#known(this.#range.end + 1, 1)) {
      const fault = this.#faultOf(above);
      if (fault instanceof TimesDoubted) return { good: blocks.length, fault };
      if (fault !== undefined) return { good: blocks.length - 1, fault };
    }
    return { good: blocks.length };
  }

  #known(first: Height, step: 1 | -1): TimedBlock[] {
    const known: TimedBlock[] = [];
    for (let height = first; known.length < MEDIAN_BLOCKS; height += step) {
      const block = this.#noteStore.block(height);
      if (block === undefined) break;
      known.push(block);
    }
    return known;
  }

  #faultOf({ height, time }: TimedBlock): CompanionError | undefined {
    const isOurs = height > this.#range.end;
    if (!isOurs && time > this.#options.now() / 1000 + MAX_FUTURE_SECONDS) return aheadOfClock(height, time);
    const before = this.#before;
    if (before.length === MEDIAN_BLOCKS && time <= median(before)) {
      const refusal = notAfterMedian(this.#options.source, height);
      const ours = isOurs
        ? [height]
        : before.map((one) => one.height).filter((one) => one < this.#range.start);
      // Blocks that a node gave outweigh a compact server's.
      const isRefuted =
        this.#options.source === 'compact' && ours.every((one) => this.#noteStore.isVerified(one));
      return ours.length === 0 || isRefuted ? refusal : new TimesDoubted(refusal, isOurs ? 'above' : 'below');
    }
    this.#before = [...before, { height, time }].slice(-MEDIAN_BLOCKS);
    return undefined;
  }
}

function median(blocks: readonly TimedBlock[]): number {
  const times = blocks.map(({ time }) => time).sort((a, b) => a - b);
  return times[(times.length - 1) / 2]!;
}

const aheadOfClock = (height: Height, time: number): CompanionError =>
  new CompanionError(
    'BLOCK_AHEAD_OF_CLOCK',
    `The time of block ${height} (${dayText(time)}) is more than two hours ahead of this computer's clock, so it is left for later. The clock may be wrong: set it, and sync again. Where it is right, sync from another node or server.`,
  );

const notAfterMedian = (source: Source, height: Height): CompanionError =>
  new CompanionError(
    badAnswerOf(source),
    `The time of block ${height} is not after the median of the eleven blocks before it, as it is on every chain, so nothing from there on was scanned. Sync from another node or server.`,
  );
