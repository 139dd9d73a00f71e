// The progress of a whole sync over all its requests: what was unscanned when it began, and how much of that is done.
// It is counted from the missing ranges, so the order of scanning does not matter.

import type { Output } from '../protocol/operations.ts';

type Summary = Output<'sync.run'>;
type Status = Output<'sync.status'>;
type Progress = NonNullable<Status['progress']>;

/** What to count. */
export type Extent =
  /** One request. */
  | { readonly kind: 'request' }
  /** From a given height up, whether scanned before or not. */
  | { readonly kind: 'range'; readonly end: number | undefined }
  /** All unscanned blocks, up to the tip or to `end`. */
  | { readonly kind: 'missing'; readonly end: number | undefined };

/** Both fields come from one answer, since a commit may happen between two answers. */
export type Coverage = Pick<Output<'balance.get'>, 'as_of_height' | 'missing_ranges'>;

/** The companion's state at one moment. */
export interface Seen {
  readonly status: Status;
  /** Undefined where the companion does not report it. */
  readonly coverage: Coverage | undefined;
}

export interface SyncStatus {
  readonly done: number;
  readonly total: number;
  readonly blocksPerSecond: number;
  readonly outputsPerSecond: number;
  readonly notesFound: number;
  readonly etaSeconds: number | null;
  /** 0 to 1 of the work, where it is known: blocks of some years take hundreds of times as long as others. */
  readonly part: number;
  readonly bytesPerSecond: number;
  readonly boundedBy: Progress['bounded_by'];
}

/** Until a request has scanned so many blocks, the previous request's rate is the better estimate. */
const RATE_AFTER_BLOCKS = 256;

export class SyncState {
  readonly #extent: Extent;
  #requests = { blocks: 0, notes: 0 };
  /** The work at the beginning, with the top and the start of the counted range. */
  #begun: { readonly left: number; readonly top: number; readonly start: number } | undefined;
  /** The same, measured in outputs. */
  #begunWork: { readonly left: number; readonly total: number } | undefined;
  #rate: { readonly blocks: number; readonly outputs: number } | undefined;

  constructor(extent: Extent) {
    this.#extent = extent;
  }

  /** Adds the result of an answered request. */
  finished({ blocks_scanned, notes_found }: Summary): void {
    this.#requests = {
      blocks: this.#requests.blocks + blocks_scanned,
      notes: this.#requests.notes + notes_found,
    };
  }

  /** Undefined while no scan runs, or while the tip is unknown. */
  at(seen: Seen): SyncStatus | undefined {
    const { progress } = seen.status;
    if (progress === null) return undefined;
    const counted = this.#count(progress, seen);
    if (counted === undefined) return undefined;
    const rate = this.#rateOf(progress);
    const left = counted.total - counted.done;
    const work = this.#work(progress);
    const byBlocks = rate.blocks > 0 ? left / rate.blocks : null;
    return {
      ...counted,
      part: work ?? (counted.total === 0 ? 1 : counted.done / counted.total),
      bytesPerSecond: progress.received_bytes_per_second,
      boundedBy: progress.bounded_by,
      blocksPerSecond: rate.blocks,
      outputsPerSecond: rate.outputs,
      notesFound: this.#requests.notes + progress.notes_found,
      etaSeconds: work === undefined ? byBlocks : (progress.work_eta_seconds ?? null),
    };
  }

  #count(progress: Progress, seen: Seen): { readonly done: number; readonly total: number } | undefined {
    if (this.#extent.kind === 'request') {
      return { done: progress.blocks_scanned, total: progress.blocks_total };
    }
    const top = topOf(this.#extent.end, seen.status.chain_tip);
    if (top === undefined) return undefined;
    const scanned = this.#requests.blocks + progress.blocks_scanned;
    if (this.#extent.kind === 'range') {
      this.#begun ??= { left: 0, top, start: progress.start_height };
      const total = Math.max(scanned, top - this.#begun.start + 1);
      return { done: scanned, total };
    }
    const left = leftUpTo(top, seen);
    this.#begun ??= { left: left + scanned, top, start: progress.start_height };
    // The chain grows meanwhile; a reorganisation undoes scanned blocks.
    const total = Math.max(left, this.#begun.left + top - this.#begun.top);
    return { done: total - left, total };
  }

  /** Undefined where this sync does not cover the whole of the work. */
  #work({ work_done: done, work_total: all }: Progress): number | undefined {
    if (this.#extent.kind !== 'missing' || this.#extent.end !== undefined || !(all > 0)) return undefined;
    const left = all - done;
    this.#begunWork ??= { left, total: all };
    // The expected total changes as blocks arrive.
    const total = Math.max(left, this.#begunWork.left + all - this.#begunWork.total);
    return total === 0 ? 1 : (total - left) / total;
  }

  #rateOf(progress: Progress): { readonly blocks: number; readonly outputs: number } {
    const now = { blocks: progress.blocks_per_second, outputs: progress.outputs_per_second };
    if (progress.blocks_scanned >= RATE_AFTER_BLOCKS || this.#rate === undefined) {
      if (now.blocks === 0) return now;
      this.#rate = now;
    }
    return this.#rate;
  }
}

function topOf(end: number | undefined, tip: number | null): number | undefined {
  if (tip === null) return end;
  return end === undefined ? tip : Math.min(end, tip);
}

function leftUpTo(top: number, { status, coverage }: Seen): number {
  const above = Math.max(0, top - (coverage?.as_of_height ?? status.last_scan_height));
  const below = (coverage?.missing_ranges ?? []).map(
    ({ start_height: start, end_height: end }) => Math.min(end, top) - start + 1,
  );
  return below.reduce((sum, blocks) => sum + Math.max(0, blocks), above);
}
