// The scan and follow mode in words and one number.

import type { Output, Progress } from '@wallet-companion/client';
import type { Formats } from './amounts.ts';
import { blocksOf, type Reach, scannedPart, stretches } from './coverage.ts';

export interface Scan {
  /** Undefined until the balance has been read. */
  readonly reach: Reach | undefined;
  readonly sync: Output<'sync.status'> | undefined;
  /** The page itself scans. */
  readonly isScanning: boolean;
  /** How the page's last scan failed. */
  readonly scanProblem: string | undefined;
}

export interface SyncText {
  /** The done part, 0 to 1, of everything from the birthday to the tip. */
  readonly part: number;
  readonly state: string;
  readonly rate?: string;
  readonly problem?: string;
}

export function syncText({ reach, sync, isScanning, scanProblem }: Scan, formats: Formats): SyncText {
  const failed = sync?.last_error ?? null;
  const problem =
    scanProblem ?? (failed && `The last scan failed (${formats.moment(failed.at)}): ${failed.detail}`) ?? '';
  if (reach === undefined) return { part: 0, state: 'Reading…', problem };
  const known = stretches(reach);
  const part = reach.top === null ? 0 : (workPart(sync) ?? scannedPart(known));
  const left = blocksOf(known, 'missing', 'ahead');
  const leftText = formats.counted(left, 'block');
  if (isScanning || sync?.syncing === true) {
    const state = `Scanning: ${formats.percent(part)}, ${leftText} to go.`;
    const rate = sync?.progress ? rateText(sync.progress, left, formats) : '';
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

function rateText(progress: Progress, left: number, formats: Formats): string {
  const {
    blocks_per_second: blocks,
    outputs_per_second: outputs,
    received_bytes_per_second: bytes,
  } = progress;
  if (blocks === 0) return 'Waiting for the first blocks.';
  const arriving = bytes === 0 ? '' : ` ${formats.rate(bytes / 1e6)} MB a second arrive.`;
  const about = formats.about(progress.work_eta_seconds ?? left / blocks);
  const limit = LIMITS[progress.bounded_by ?? 'none'];
  return `${formats.rate(blocks)} blocks and ${formats.rate(outputs)} outputs a second.${arriving} ${about.charAt(0).toUpperCase()}${about.slice(1)} left.${limit}`;
}

export function followText(follow: Output<'follow.get'> | undefined, formats: Formats): string {
  const { state, next_look_at: at, failure } = follow ?? {};
  if (state === 'scanning') return 'Reading blocks now.';
  if (state === 'backing_off') {
    const next = at ? ` The next try is at ${formats.moment(at)}.` : '';
    return `${failure?.detail ?? 'The last look failed.'}${next}`;
  }
  const goesOn = 'Goes on while the wallet is unlocked, with this page closed too.';
  return state === 'caught_up' ? `Up to date. ${goesOn}` : goesOn;
}
