// The scan: how it stands, what starts and stops it, and follow mode.

import type { Input } from '@wallet-companion/client';
import { useState } from 'preact/hooks';
import { blocksOf, type Reach, stretches, withProgress } from '../../model/coverage.ts';
import { newestBlock } from '../../model/serverText.ts';
import { estimateText, followText, isScanning, syncText } from '../../model/syncText.ts';
import { scanTexts } from '../../texts/scan.ts';
import { call, formats, store } from '../live/app.ts';
import { ActionButton, Form, PasswordField, type Typed } from './form.tsx';
import { Details } from './layout.tsx';
import { Hint, Problem } from './text.tsx';

export const tipNow = (): number | null => newestBlock(store.servers, store.sync?.chain_tip ?? null);

export function reachNow(): Reach | undefined {
  const { funds, config, sync } = store;
  if (funds === undefined || config === undefined) return undefined;
  const { as_of_height: top, missing_ranges: missing } = funds.balance;
  const known = { birthday: config.birthday_height ?? 0, top, missing, tip: tipNow() };
  return withProgress(known, sync?.progress ?? null);
}

export function SyncState() {
  const { sync, follow, progress, config } = store;
  const { part, state, rate, problem } = syncText({ reach: reachNow(), sync, follow, progress }, formats);
  return (
    <>
      <p>{state}</p>
      <progress max={1} value={part} aria-label={scanTexts().scannedBlocks} aria-valuetext={state} />
      <Hint text={rate} />
      <Problem text={problem} />
      <Hint text={followText(follow, config?.auto_lock_seconds ?? 0, formats)} />
    </>
  );
}

/** Asks the source how long the chain is, so it is not asked by itself. */
export function Estimate() {
  const [text, setText] = useState('');
  const reach = reachNow();
  const isDone = reach?.top != null && blocksOf(stretches(reach), 'missing', 'ahead') === 0;
  if (isScanning(store) || isDone) return null;
  const ask = async () => setText(estimateText(await call('sync.estimate'), formats));
  return (
    <>
      <ActionButton text={scanTexts().estimate} class="quiet" act={ask} />
      <Hint role="status" text={text} />
    </>
  );
}

/** The scan is the companion's own, as its follow mode: it needs no page. */
export const SyncButton = () =>
  store.follow?.enabled || isScanning(store) ? (
    <ActionButton
      key="stop"
      text={isScanning(store) ? scanTexts().stop : scanTexts().stopFollowing}
      class="quiet"
      act={stop}
    />
  ) : (
    <ActionButton key="start" text={scanTexts().scanNow} act={() => follow({ enabled: true })} />
  );

async function stop(): Promise<void> {
  if (store.follow?.enabled) await follow({ enabled: false });
  await call('sync.cancel');
}

/** What becomes of it comes as an event: the answer may be older than one that is here already. */
async function follow(wanted: Input<'follow.set'>): Promise<void> {
  await call('follow.set', wanted);
  store.set({ isBegun: wanted.enabled });
}

/** A scan may take longer than a wallet stays unlocked that nobody uses. */
export function KeepOpen() {
  const { enabled, keep_open } = store.follow ?? {};
  if (!enabled || keep_open || store.config?.auto_lock_seconds === 0) return null;
  const keep = (typed: Typed) => follow({ enabled: true, keep_open: true, password: typed('password') });
  return (
    <Details summary={scanTexts().keepOpen}>
      <Form submit={scanTexts().keepOpenSubmit} class="quiet" act={keep}>
        <PasswordField />
      </Form>
    </Details>
  );
}
