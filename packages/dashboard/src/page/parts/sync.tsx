// The scan: in words and one number, what starts and stops it, and follow mode.

import type { Progress } from '@wallet-companion/client';
import { blocksOf, type Reach, scannedPart, stretches, withProgress } from '../../model/coverage.ts';
import { call, formats, store } from '../app.ts';
import { type Source, scan } from '../live/scan.ts';
import { problemText } from './calls.ts';
import { ActionButton } from './form.tsx';
import { Hint, Problem } from './text.tsx';

export function reach(): Reach | undefined {
  const { funds, config, sync } = store;
  if (funds === undefined || config === undefined) return undefined;
  const { as_of_height: top, missing_ranges: missing } = funds.balance;
  const known = { birthday: config.birthday_height ?? 0, top, missing, tip: sync?.chain_tip ?? null };
  return withProgress(known, sync?.progress ?? null);
}

interface SyncText {
  /** The done part, 0 to 1, of everything from the birthday to the tip. */
  readonly part: number;
  readonly state: string;
  readonly rate?: string;
  readonly problem?: string;
}

function syncText(): SyncText {
  const { isScanning, scanProblem, sync } = store;
  const failed = sync?.last_error ?? null;
  const problem =
    scanProblem ?? (failed && `The last scan failed (${formats.moment(failed.at)}): ${failed.detail}`) ?? '';
  const known = reach();
  if (known === undefined) return { part: 0, state: 'Reading…', problem };
  const { top, tip } = known;
  const all = stretches(known);
  const part = top === null ? 0 : (workPart() ?? scannedPart(all));
  const left = blocksOf(all, 'missing', 'ahead');
  const leftText = formats.counted(left, 'block');
  if (isScanning || sync?.syncing === true) {
    const state = `Scanning: ${formats.percent(part)}, ${leftText} to go.`;
    const rate = sync?.progress ? rateText(sync.progress, left) : '';
    return { part, state: tip === null ? 'Asking how long the chain is…' : state, rate };
  }
  if (top === null) return { part, state: 'Nothing has been scanned yet.', problem };
  const state = left > 0 ? `${leftText} not scanned yet.` : `Scanned up to block ${formats.count(top)}.`;
  const rate = sync?.last_finished_at ? `Last scan: ${formats.moment(sync.last_finished_at)}.` : '';
  return { part, state, rate, problem };
}

/** The part of the work, which differs much from the part of the blocks; undefined where it is not known. */
function workPart(): number | undefined {
  const { work_done: done, work_total: total } = store.sync?.progress ?? store.sync ?? {};
  return typeof done === 'number' && typeof total === 'number' && total > 0 ? done / total : undefined;
}

const LIMITS = {
  network: ' It mostly waits for blocks to arrive: the server or the line is slow.',
  cpu: ' This computer is the limit: it decrypts as fast as it can.',
  disk: ' It mostly waits for the disk of this computer.',
  none: '',
} as const;

function rateText(progress: Progress, left: number): string {
  const {
    blocks_per_second: blocks,
    outputs_per_second: outputs,
    received_bytes_per_second: bytes,
  } = progress;
  if (blocks === 0) return 'Waiting for the first blocks.';
  const arriving = bytes === 0 ? '' : `${formats.rate(bytes / 1e6)} MB a second arrive. `;
  const about = formats.about(progress.work_eta_seconds ?? left / blocks);
  const limit = LIMITS[progress.bounded_by ?? 'none'];
  return `${formats.rate(blocks)} blocks and ${formats.rate(outputs)} outputs a second. ${arriving}${about.charAt(0).toUpperCase()}${about.slice(1)} left.${limit}`;
}

export function SyncState() {
  const { part, state, rate, problem } = syncText();
  return (
    <>
      <p>{state}</p>
      <progress max={1} value={part} aria-label="Scanned blocks" aria-valuetext={state} />
      <Hint text={rate} />
      <Problem text={problem} />
    </>
  );
}

export const SyncButton = ({ source }: { source: Source }) =>
  store.isScanning || store.sync?.syncing === true ? (
    <ActionButton key="stop" text="Stop" class="quiet" act={() => call('sync.cancel')} />
  ) : (
    <ActionButton key="start" text="Scan now" act={() => scan(store, source)} />
  );

export function Follow({ source }: { source: Source }) {
  const change = async (enabled: boolean) => {
    try {
      const follow = await call('follow.set', { enabled, source });
      store.set({
        follow,
        said: enabled ? 'New blocks are followed.' : 'New blocks are no longer followed.',
      });
    } catch (thrown) {
      store.say(problemText(thrown));
    }
  };
  const isOn = store.follow?.enabled === true;
  return (
    <div class="follow">
      <label class="check">
        <input type="checkbox" checked={isOn} onChange={(event) => change(event.currentTarget.checked)} />
        Read new blocks as they come
      </label>
      <Hint text={followText()} />
    </div>
  );
}

function followText(): string {
  const { state, next_look_at: at, failure } = store.follow ?? {};
  if (state === 'scanning') return 'Reading blocks now.';
  if (state === 'backing_off') {
    const next = at ? ` The next try is at ${formats.moment(at)}.` : '';
    return `${failure?.detail ?? 'The last look failed.'}${next}`;
  }
  const goesOn = 'Goes on while the wallet is unlocked, with this page closed too.';
  return state === 'caught_up' ? `Up to date. ${goesOn}` : goesOn;
}
