// The work of one request as part of all work left: how much is done, and how long the rest will take.

import type { Height } from '@wallet-companion/base/values';
import type { HeightRange } from '../ports/noteDatabase.ts';
import type { ScannedSession } from '../session/session.ts';
import { type ScanWork, WorkLeft, workOf } from './scanWork.ts';

export class RequestWork {
  readonly #pace: WorkPace;
  readonly #now: () => number;
  #countedAt: number;
  #before: ScanWork = { done: 0, total: 0 };
  /** The new work of this request since the plan, without blocks that were scanned before. */
  #doneSince = 0;
  #newPart = 1;

  constructor(pace: WorkPace, now: () => number) {
    this.#pace = pace;
    this.#now = now;
    this.#countedAt = now();
  }

  /** Call before the scan of `ranges`. */
  plan({ noteStore, scanKeys }: ScannedSession, tip: Height, ranges: readonly HeightRange[]): void {
    const left = new WorkLeft(noteStore, scanKeys.heights, tip);
    this.#before = left.now;
    this.#newPart = left.newPart(ranges);
    this.#doneSince = 0;
  }

  committed(blocks: readonly { readonly outputCount: number }[]): void {
    const outputs = blocks.reduce((sum, block) => sum + block.outputCount, 0);
    const work = workOf(blocks.length, outputs);
    const now = this.#now();
    this.#pace.add(work, now - this.#countedAt);
    this.#countedAt = now;
    this.#doneSince += work;
  }

  view() {
    const { done, total } = this.#before;
    const now = Math.min(total, done + Math.round(this.#doneSince * this.#newPart));
    const seconds = this.#pace.secondsFor(total - now);
    return {
      work_done: now,
      work_total: total,
      work_eta_seconds: seconds === undefined ? null : Math.round(seconds * 10) / 10,
    };
  }
}

// How fast work is done, over all requests of a long scan: one request is too short to measure it.

/** Work of this age counts half: eras and servers change. */
const HALF_LIFE_MS = 60_000;
/** Before that, a few early batches would decide. */
const LEAST_MS = 2_000;

export class WorkPace {
  #work = 0;
  #ms = 0;

  /** Time that was spent scanning, whatever its result. */
  add(work: number, ms: number): void {
    const kept = 0.5 ** (Math.max(0, ms) / HALF_LIFE_MS);
    this.#work = this.#work * kept + work;
    this.#ms = this.#ms * kept + Math.max(0, ms);
  }

  /** Undefined while it is too early to tell. */
  secondsFor(work: number): number | undefined {
    if (this.#ms < LEAST_MS || this.#work <= 0) return undefined;
    return (work * this.#ms) / this.#work / 1_000;
  }
}
