// The scan and follow mode in words and one number.

import type { Output, Progress } from '@wallet-companion/client';
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
  const problem = failed ? `The last scan failed (${formats.moment(failed.at)}): ${failed.detail}` : '';
  if (reach === undefined) return { part: 0, state: 'Reading…', problem };
  const known = stretches(reach);
  const part = reach.top === null ? 0 : (workPart(sync) ?? scannedPart(known));
  const left = blocksOf(known, 'missing', 'ahead');
  const leftText = formats.counted(left, 'block');
  if (isScanning(scan)) {
    const state = `Scanning: ${formats.percent(part)}, ${leftText} to go.`;
    const rate = progress ? rateText(progress, formats) : '';
    return { part, state: reach.tip === null ? 'Asking how long the chain is…' : state, rate };
  }
  if (reach.top === null) return { part, state: 'Nothing has been scanned yet.', problem };
  const state =
    left > 0 ? `${leftText} not scanned yet.` : `Scanned up to block ${formats.count(reach.top)}.`;
  const rate = sync?.last_finished_at ? `Last scan: ${formats.moment(sync.last_finished_at)}.` : '';
  return { part, state, rate, problem };
}

/** The part of the work, which differs much from the part of the blocks; undefined where it is not known. */
function workPart(sync: Scan['sync']): number | undefined {
  const { work_done: done, work_total: total } = sync?.progress ?? sync ?? {};
  return typeof done === 'number' && typeof total === 'number' && total > 0 ? done / total : undefined;
}

const LIMITS = {
  network: ' It mostly waits for blocks to arrive: the server or the line is slow.',
  cpu: ' This computer is the limit: it decrypts as fast as it can.',
  disk: ' It mostly waits for the disk of this computer.',
  none: '',
} as const;

function rateText(progress: Progress, formats: Formats): string {
  const {
    blocks_per_second: blocks,
    outputs_per_second: outputs,
    received_bytes_per_second: bytes,
    work_eta_seconds: eta,
  } = progress;
  if (blocks === 0) return 'Waiting for the first blocks.';
  const arriving = bytes === 0 ? '' : ` ${formats.rate(bytes / 1e6)} MB a second arrive.`;
  // Blocks differ a thousandfold in work: a time by their number would jump about.
  const about = eta === null ? '' : ` ${formats.about(eta).replace('a', 'A')} left.`;
  const limit = LIMITS[progress.bounded_by ?? 'none'];
  return `${formats.rate(blocks)} blocks and ${formats.rate(outputs)} outputs a second.${arriving}${about}${limit}`;
}

/** How long the companion goes on by itself. */
export function followText(follow: Scan['follow'], autoLockSeconds: number, formats: Formats): string {
  const { enabled = false, keep_open, state, next_look_at: at } = follow ?? {};
  if (!enabled)
    return 'A scan goes up to the newest block and then follows new ones, with this page closed too, until you stop it.';
  const soFar =
    state === 'caught_up'
      ? 'Up to date. '
      : state === 'backing_off' && at
        ? `The next try is at ${formats.moment(at)}. `
        : '';
  const lock =
    keep_open || autoLockSeconds === 0
      ? '.'
      : `, until the wallet locks itself: after ${formats.duration(autoLockSeconds)} without use. It continues with the next unlock.`;
  return `${soFar}The companion goes on by itself, with this page closed too${lock}`;
}
