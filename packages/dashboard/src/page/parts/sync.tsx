// The scan: how it stands, what starts and stops it, and follow mode.

import { type Reach, withProgress } from '../../model/coverage.ts';
import { problemText } from '../../model/problems.ts';
import { followText, syncText } from '../../model/syncText.ts';
import { call, formats, store } from '../live/app.ts';
import { type Source, scan } from '../live/scan.ts';
import { ActionButton, Check } from './form.tsx';
import { Hint, Problem } from './text.tsx';

export function reachNow(): Reach | undefined {
  const { funds, config, sync } = store;
  if (funds === undefined || config === undefined) return undefined;
  const { as_of_height: top, missing_ranges: missing } = funds.balance;
  const known = { birthday: config.birthday_height ?? 0, top, missing, tip: sync?.chain_tip ?? null };
  return withProgress(known, sync?.progress ?? null);
}

export function SyncState() {
  const { sync, isScanning, scanProblem } = store;
  const { part, state, rate, problem } = syncText(
    { reach: reachNow(), sync, isScanning, scanProblem },
    formats,
  );
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
  const follow = async (enabled: boolean) => {
    try {
      const said = enabled ? 'New blocks are followed.' : 'New blocks are no longer followed.';
      store.set({ follow: await call('follow.set', { enabled, source }), said });
    } catch (thrown) {
      store.say(problemText(thrown));
    }
  };
  return (
    <div class="follow">
      <Check text="Read new blocks as they come" isOn={store.follow?.enabled === true} check={follow} />
      <Hint text={followText(store.follow, formats)} />
    </div>
  );
}
