// How far a sync has come, including what it had to repeat.

import type { Height } from '@wallet-companion/base/values';
import type { Source } from '@wallet-companion/chain/ports';
import type { ScannedBlock } from '@wallet-companion/zcash/scan';
import type { EventBody } from '../../../protocol/events.ts';
import { blockCount, type SyncPlan } from '../../../protocol/syncRange.ts';
import type { AppliedBlocks } from '../noteStore/noteStore.ts';

/** What is known without the computer's speed and the other blocks of the chain. */
type CountedProgress = Pick<
  EventBody<'sync.progress'>,
  | 'source'
  | 'start_height'
  | 'end_height'
  | 'committed_height'
  | 'blocks_scanned'
  | 'blocks_total'
  | 'outputs_scanned'
  | 'notes_found'
  | 'elapsed_ms'
  | 'blocks_per_second'
  | 'outputs_per_second'
  | 'eta_seconds'
  | 'cancelling'
>;

export class SyncProgress {
  startHeight: Height;
  /** End of the range being scanned. */
  endHeight: Height;
  committedHeight: Height;
  blocksTotal = 0;
  blocksScanned = 0;
  outputsScanned = 0;
  notesFound = 0;
  notesNew = 0;
  notesSpent = 0;

  constructor(startHeight: Height) {
    this.startHeight = startHeight;
    this.endHeight = startHeight - 1;
    this.committedHeight = startHeight - 1;
  }

  /** Where the scan goes on, after a reorg lower than where it was. */
  plan({ start, ranges }: SyncPlan): void {
    this.startHeight = Math.min(this.startHeight, start);
    this.committedHeight = start - 1;
    this.endHeight = ranges.at(-1)?.end ?? start - 1;
    this.blocksTotal = this.blocksScanned + blockCount(ranges);
  }

  committed(blocks: readonly ScannedBlock[], { found, received, spent }: AppliedBlocks): void {
    this.committedHeight = blocks.at(-1)?.height ?? this.committedHeight;
    this.blocksScanned += blocks.length;
    this.outputsScanned += blocks.reduce((sum, block) => sum + block.outputCount, 0);
    this.notesFound += found;
    this.notesNew += received.length;
    this.notesSpent += spent.length;
  }

  view(source: Source, elapsedMs: number, isStopping: boolean): CountedProgress {
    const perSecond = (count: number) =>
      elapsedMs === 0 ? 0 : Math.round((count * 10_000) / elapsedMs) / 10;
    const left = this.blocksTotal - this.blocksScanned;
    return {
      source,
      start_height: this.startHeight,
      end_height: this.endHeight,
      committed_height: this.committedHeight,
      blocks_scanned: this.blocksScanned,
      blocks_total: this.blocksTotal,
      outputs_scanned: this.outputsScanned,
      notes_found: this.notesFound,
      elapsed_ms: elapsedMs,
      blocks_per_second: perSecond(this.blocksScanned),
      outputs_per_second: perSecond(this.outputsScanned),
      eta_seconds:
        this.blocksScanned === 0 ? null : Math.round((left * elapsedMs) / this.blocksScanned / 100) / 10,
      cancelling: isStopping,
    };
  }
}
