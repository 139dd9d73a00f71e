// The scan and follow mode in words and one number.

import type { Output, Progress } from '@wallet-companion/client';
import { failureText } from '../texts/errors.ts';
import { scanTexts } from '../texts/scan.ts';
import { sharedTexts } from '../texts/shared.ts';
import type { Formats } from './amounts.ts';
import { blocksOf, type Reach, scannedPart, stretches } from './coverage.ts';

export interface Scan {
  /** Undefined until the balance has been read. */
  readonly reach: Reach | undefined;
  readonly sync: Output<'sync.status'> | undefined;
  readonly follow: Output<'follow.get'> | undefined;
  /** The latest of this scan: its rates hold on between two requests. */
  readonly progress: Progress | undefined;
}

/** Follow mode scans in requests, and nothing runs between two of them. */
export const isScanning = ({ sync, follow }: Pick<Scan, 'sync' | 'follow'>): boolean =>
  sync?.syncing === true || follow?.state === 'scanning';

/** Shown at most while blocks are to go. */
const ALMOST = 0.999;

export interface SyncText {
  /** The done part, 0 to 1, of everything from the birthday to the tip. */
  readonly part: number;
  readonly state: string;
  readonly rate?: string;
  readonly problem?: string;
}

export function syncText(scan: Scan, formats: Formats): SyncText {
  const { reach, sync, follow, progress } = scan;
  const failed = follow?.failure ?? sync?.last_error ?? null;
  const texts = scanTexts();
  const problem = failed
    ? texts.failed(formats.moment(failed.at), failureText(failed.code, failed.detail))
    : '';
  if (reach === undefined) return { part: 0, state: sharedTexts().reading, problem };
  const known = stretches(reach);
  const part = reach.top === null ? 0 : (workPart(sync) ?? scannedPart(known));
  const left = blocksOf(known, 'missing', 'ahead');
  const leftText = formats.counted(left, 'block');
  if (isScanning(scan)) {
    // The last commit may still run when every block is read, and the work is an estimate.
    const state =
      left === 0 ? texts.finishing : texts.scanning(formats.percent(Math.min(part, ALMOST)), leftText);
    const rate = progress ? rateText(progress, formats) : '';
    return { part, state: reach.tip === null ? texts.askingTip : state, rate };
  }
  if (reach.top === null) return { part, state: texts.nothingYet, problem };
  const state = left > 0 ? texts.notScanned(leftText) : texts.scannedTo(formats.count(reach.top));
  const rate = sync?.last_finished_at ? texts.lastScan(formats.moment(sync.last_finished_at)) : '';
  return { part, state, rate, problem };
}

/** The part of the work, which differs much from the part of the blocks; undefined where it is not known. */
function workPart(sync: Scan['sync']): number | undefined {
  const { work_done: done, work_total: total } = sync?.progress ?? sync ?? {};
  return typeof done === 'number' && typeof total === 'number' && total > 0 ? done / total : undefined;
}

function rateText(progress: Progress, formats: Formats): string {
  const {
    blocks_per_second: blocks,
    outputs_per_second: outputs,
    received_bytes_per_second: bytes,
    work_eta_seconds: eta,
  } = progress;
  const texts = scanTexts();
  if (blocks === 0) return texts.waitingForBlocks;
  const arriving = bytes === 0 ? '' : texts.arriving(formats.rate(bytes / 1e6));
  // Blocks differ a thousandfold in work: a time by their number would jump about.
  const about = eta === null ? '' : texts.left(formats.about(eta));
  const limit = progress.bounded_by ? texts.limits[progress.bounded_by] : '';
  return texts.speed(formats.rate(blocks), formats.rate(outputs)) + arriving + about + limit;
}

/** How long the companion goes on by itself. */
export function followText(follow: Scan['follow'], autoLockSeconds: number, formats: Formats): string {
  const { enabled = false, keep_open, state, next_look_at: at } = follow ?? {};
  const texts = scanTexts();
  if (!enabled) return texts.notFollowing;
  const soFar =
    state === 'caught_up'
      ? texts.upToDate
      : state === 'backing_off' && at
        ? texts.nextTry(formats.moment(at))
        : '';
  const lock =
    keep_open || autoLockSeconds === 0 ? '.' : texts.untilLocked(formats.duration(autoLockSeconds));
  return soFar + texts.goesOn + lock;
}

/** What a scan will take, before it begins. Blocks of a node are not counted in bytes. */
export function estimateText(
  { blocks, megabytes, seconds }: Output<'sync.estimate'>,
  formats: Formats,
): string {
  const texts = scanTexts();
  const size = megabytes === null ? '' : texts.megabytes(formats.count(Math.ceil(megabytes)));
  return texts.estimated(formats.counted(blocks, 'block'), size, formats.about(seconds));
}
