// The scan: its progress, what starts and stops it, and follow mode.

import type { Source } from '../live/syncRunner.ts';
import { type App, problemText, useApp } from './app.ts';
import { ActionButton } from './form.tsx';
import { syncText } from './syncText.ts';
import { Hint, Problem } from './text.tsx';

export function SyncState() {
  const { part, state, rate, problem } = syncText(useApp());
  return (
    <>
      <p>{state}</p>
      <progress max={1} value={part} aria-label="Scanned blocks" aria-valuetext={state} />
      <Hint text={rate} />
      <Problem text={problem} />
    </>
  );
}

export function SyncButton({ source }: { source: Source }) {
  const { call, runner, store } = useApp();
  return runner.isRunning || store.sync?.syncing === true ? (
    <ActionButton key="stop" text="Stop" class="quiet" act={() => call('sync.cancel')} />
  ) : (
    <ActionButton key="start" text="Scan now" act={() => runner.run(source)} />
  );
}

export function Follow({ source }: { source: Source }) {
  const app = useApp();
  const { call, store } = app;
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
  return (
    <div class="follow">
      <label class="check">
        <input
          type="checkbox"
          checked={store.follow?.enabled === true}
          onChange={({ currentTarget }) => change(currentTarget.checked)}
        />
        Read new blocks as they come
      </label>
      <Hint text={followText(app)} />
    </div>
  );
}

function followText({ store, formats }: App): string {
  const { follow } = store;
  switch (follow?.state) {
    case 'scanning':
      return 'Reading blocks now.';
    case 'caught_up':
      return 'Up to date. Goes on while the wallet is unlocked, with this page closed too.';
    case 'backing_off': {
      const at = follow.next_look_at;
      const next = at === null ? '' : ` The next try is at ${formats.moment(at)}.`;
      return `${follow.failure?.detail ?? 'The last look failed.'}${next}`;
    }
    default:
      return 'Goes on while the wallet is unlocked, with this page closed too.';
  }
}
