// The response to a sync: what was done, and the wallet's state after it.

import type { ChainTip, Source } from '@wallet-companion/chain/ports';
import type { Network } from '@wallet-companion/zcash/network';
import type { Output } from '../../../protocol/operations.ts';
import type { SyncPlan } from '../../../protocol/syncRange.ts';
import type { NoteStore } from '../noteStore/noteStore.ts';
import { scanReach } from '../noteViews/scanReach.ts';
import { notLookedAt } from './accountCoverage.ts';
import type { SyncProgress } from './syncProgress.ts';

export type Reorg = Output<'sync.run'>['reorg'];

/** Undefined: the sync was stopped before that was known. */
export interface SyncCourse {
  readonly tip: ChainTip | undefined;
  readonly plan: SyncPlan | undefined;
  readonly progress: SyncProgress | undefined;
  readonly reorg: Reorg;
  readonly wasStopped: boolean;
  readonly elapsedMs: number;
  readonly source: Source;
  /** The source that confirmed every scanned block. */
  readonly verifiedWith: Output<'sync.run'>['verified_with'];
}

/** Without what is known only when contradictions are settled. */
export type SyncDone = Omit<Output<'sync.run'>, 'contradicted'>;

export function syncSummary(noteStore: NoteStore, network: Network, course: SyncCourse): SyncDone {
  const { lastScanHeight } = noteStore;
  const { tip, plan, progress } = course;
  const start = progress?.startHeight ?? lastScanHeight + 1;
  const end = progress?.committedHeight ?? start - 1;
  const { complete, missing } = scanReach(noteStore);
  const words = notLookedAt(noteStore, network);
  return {
    start_height: start,
    end_height: end,
    blocks_scanned: progress?.blocksScanned ?? 0,
    outputs_scanned: progress?.outputsScanned ?? 0,
    notes_found: progress?.notesFound ?? 0,
    notes_new: progress?.notesNew ?? 0,
    notes_spent: progress?.notesSpent ?? 0,
    reorg: course.reorg,
    last_scan_height: lastScanHeight,
    // Stopped before the server's tip was known: only the scanned blocks are known to exist.
    chain_tip: tip?.height ?? lastScanHeight,
    next_start_height: end + 1,
    range_complete: plan?.coversRequest === true && end >= (plan.ranges.at(-1)?.end ?? end),
    caught_up: tip !== undefined && tip.offline === undefined && lastScanHeight === tip.height,
    complete,
    missing_ranges: missing,
    accounts_searched: noteStore.accountsSearched,
    ...(words === undefined ? {} : { not_looked_at: words }),
    cancelled: course.wasStopped,
    elapsed_ms: course.elapsedMs,
    source: course.source,
    verified_with: progress === undefined || progress.blocksScanned === 0 ? null : course.verifiedWith,
  };
}

/** Two rewinds in one request are one reorg to the lower fork. */
export function deeper(first: Reorg, second: NonNullable<Reorg>): Reorg {
  if (first === null) return second;
  return {
    fork_height: Math.min(first.fork_height, second.fork_height),
    depth: Math.max(first.depth, second.depth),
  };
}
