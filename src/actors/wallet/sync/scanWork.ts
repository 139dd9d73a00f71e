// How much there is to scan and how much of it is done, in outputs, which take most of the time. A block without
// outputs also costs about as much as two outputs (docs/operations/monitoring.md states it for clients).

import type { Height } from '@wallet-companion/base/values';
import { ExpectedOutputs, type OutputsUpTo } from '@wallet-companion/zcash/blocks';
import type { ScanHeights } from '@wallet-companion/zcash/scan';
import { leafCount } from '@wallet-companion/zcash/trees';
import type { NoteStore } from '../noteStore/noteStore.ts';
import type { HeightRange } from '../ports/noteDatabase.ts';

/** Measured: 130 us for a block, 60 to 90 us for an output. */
const WORK_PER_BLOCK = 2;

export const workOf = (blocks: number, outputs: number): number => outputs + WORK_PER_BLOCK * blocks;

export interface ScanWork {
  readonly done: number;
  /** From the lowest block that was or will be scanned to the tip. */
  readonly total: number;
}

type Scanned = Pick<NoteStore, 'stretches' | 'block' | 'missing' | 'lastScanHeight'>;

/** The work left at one moment; reads every block that the note store knows, so do not call it for each commit. */
export class WorkLeft {
  readonly total: number;
  readonly left: number;
  readonly #expected: ExpectedOutputs;
  readonly #unscanned: readonly HeightRange[];

  constructor(noteStore: Scanned, { network, sapling }: ScanHeights, tip: Height) {
    const stretches = noteStore.stretches;
    this.#expected = new ExpectedOutputs(network, sapling, knownSizes(noteStore, stretches));
    const ahead = { start: noteStore.lastScanHeight + 1, end: tip };
    this.#unscanned = [...noteStore.missing(), ahead]
      .map(({ start, end }) => ({ start: Math.max(start, sapling), end: Math.min(end, tip) }))
      .filter(({ start, end }) => start <= end);
    const lowest = Math.min(
      this.#unscanned[0]?.start ?? Number.MAX_SAFE_INTEGER,
      stretches[0]?.[0] ?? Number.MAX_SAFE_INTEGER,
    );
    this.left = this.#unscanned.reduce((sum, range) => sum + this.#of(range), 0);
    this.total = lowest > tip ? 0 : this.#of({ start: lowest, end: tip });
  }

  get now(): ScanWork {
    return { done: Math.round(this.total) - Math.round(this.left), total: Math.round(this.total) };
  }

  /** The part of these ranges that was not scanned before, 0 to 1. */
  newPart(ranges: readonly HeightRange[]): number {
    const all = ranges.reduce((sum, range) => sum + this.#of(range), 0);
    const fresh = ranges
      .flatMap(({ start, end }) =>
        this.#unscanned.map((range) => ({
          start: Math.max(start, range.start),
          end: Math.min(end, range.end),
        })),
      )
      .reduce((sum, range) => sum + this.#of(range), 0);
    return all === 0 ? 0 : fresh / all;
  }

  #of({ start, end }: HeightRange): number {
    if (start > end) return 0;
    const outputs = this.#expected.upTo(end) - this.#expected.upTo(start - 1);
    return workOf(end - start + 1, outputs);
  }
}

/** The sizes at both ends of each stretch: between them everything was scanned. */
function knownSizes(noteStore: Scanned, stretches: readonly (readonly number[])[]): OutputsUpTo[] {
  return stretches
    .flatMap((stretch) => [...new Set([stretch[0], stretch.at(-1)])])
    .flatMap((height) => noteStore.block(height ?? -1) ?? [])
    .map(({ height, treeSizes }) => ({ height, outputs: leafCount(treeSizes) }));
}
