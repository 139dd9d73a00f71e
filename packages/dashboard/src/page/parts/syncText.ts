// The scan in words and one number, for the overview and its own page.

import { blocksOf, type Reach, scannedPart, stretches, withProgress } from '../../model/coverage.ts';
import type { Progress } from '../live/store.ts';
import type { App } from './app.ts';

export interface SyncText {
  /** The done part, 0 to 1, of everything from the birthday to the tip. */
  readonly part: number;
  readonly state: string;
  readonly rate: string;
  readonly problem: string;
}

export function reachOf({ store }: App): Reach | undefined {
  const { funds, config, sync } = store;
  if (funds === undefined || config === undefined) return undefined;
  const { balance } = funds;
  return withProgress(
    {
      birthday: config.birthday_height ?? 0,
      top: balance.as_of_height,
      missing: balance.missing_ranges,
      tip: sync?.chain_tip ?? null,
    },
    sync?.progress ?? null,
  );
}

export function syncText(app: App): SyncText {
  const { formats, runner, store } = app;
  const reach = reachOf(app);
  const problem = runner.problem ?? lastProblem(app);
  if (reach === undefined) return { part: 0, state: 'Reading…', rate: '', problem };
  const known = stretches(reach);
  const part = reach.top === null ? 0 : (workPart(app) ?? scannedPart(known));
  const left = blocksOf(known, 'missing', 'ahead');
  const progress = store.sync?.progress ?? null;
  if (store.sync?.syncing === true || runner.isRunning) {
    const state =
      reach.tip === null
        ? 'Asking how long the chain is…'
        : `Scanning: ${formats.percent(part)}, ${formats.counted(left, 'block')} to go.`;
    return { part, state, rate: progress === null ? '' : rateText(app, progress, left), problem: '' };
  }
  if (reach.top === null) return { part, state: 'Nothing has been scanned yet.', rate: '', problem };
  const state =
    left > 0
      ? `${formats.counted(left, 'block')} not scanned yet.`
      : `Scanned up to block ${formats.count(reach.top)}.`;
  return { part, state, rate: finishedText(app), problem };
}

/** The part of the work, which differs much from the part of the blocks; undefined where it is not known. */
function workPart({ store }: App): number | undefined {
  const { work_done: done, work_total: total } = store.sync?.progress ?? store.sync ?? {};
  return typeof done === 'number' && typeof total === 'number' && total > 0 ? done / total : undefined;
}

const LIMITS = {
  network: ' It mostly waits for blocks to arrive: the server or the line is slow.',
  cpu: ' This computer is the limit: it decrypts as fast as it can.',
  disk: ' It mostly waits for the disk of this computer.',
  none: '',
} as const;

function rateText({ formats }: App, progress: Progress, left: number): string {
  const { blocks_per_second: blocks, outputs_per_second: outputs, bounded_by: bound } = progress;
  if (blocks === 0) return 'Waiting for the first blocks.';
  return `${formats.rate(blocks)} blocks and ${formats.rate(outputs)} outputs a second. ${receivedText(formats, progress)}${upperFirst(formats.about(progress.work_eta_seconds ?? left / blocks))} left.${LIMITS[bound ?? 'none']}`;
}

function finishedText({ formats, store }: App): string {
  const at = store.sync?.last_finished_at ?? null;
  return at === null ? '' : `Last scan: ${formats.moment(at)}.`;
}

function lastProblem({ formats, store }: App): string {
  const error = store.sync?.last_error ?? null;
  return error === null ? '' : `The last scan failed (${formats.moment(error.at)}): ${error.detail}`;
}

const receivedText = (formats: App['formats'], { received_bytes_per_second: bytes }: Progress): string =>
  bytes === 0 ? '' : `${formats.rate(bytes / 1e6)} MB a second arrive. `;

const upperFirst = (text: string): string => text.charAt(0).toUpperCase() + text.slice(1);
