// A wallet beside a devnet with a mempool, for tests about what is not mined yet.

import type { After } from '@wallet-companion/base/async';
import type { Devnet } from '@wallet-companion/devnet';
import type { ExecutionContext } from 'ava';
import type { CompanionEvent, EventName } from '../../src/protocol/events.ts';
import type { Input } from '../../src/protocol/operations.ts';
import { type CompanionWorld, companionWorld, type WalletOptions } from './companionWorld.ts';
import { lookOver } from './lookOver.ts';
import { until } from './until.ts';
import { VirtualClock } from './virtualClock.ts';
import { openPatientCompact, PATIENT_CLIENT } from './waits.ts';

export type MempoolSource = NonNullable<Input<'mempool.look'>['source']>;

/** The pause of a stream comes when everything has arrived that was in the mempool, and at no other time. */
function quietWhenAllArrived(devnet: () => Devnet, isEndless: () => boolean): After {
  let armed = 0;
  return (ms, strike) => {
    if (ms !== PATIENT_CLIENT.mempoolQuietMs) return PATIENT_CLIENT.after(ms, strike);
    armed += 1;
    const now = armed;
    const isLast = now > devnet().mempool.size && !isEndless();
    if (isLast) armed = 0;
    const soon = isLast ? globalThis.setImmediate(strike) : undefined;
    return () => {
      clearImmediate(soon);
      // A message arms it anew at once; the end of a stream does not.
      queueMicrotask(() => {
        if (armed === now) armed = 0;
      });
    };
  };
}

export interface MempoolOptions extends Pick<WalletOptions, 'follow' | 'invoiceFiles' | 'prices'> {
  /** Blocks have the time of the wallet's clock, or the one that `dated.next` has for the next of them. */
  readonly minesNow?: boolean;
}

export async function startMempoolBed(
  t: ExecutionContext,
  { minesNow = false, ...options }: MempoolOptions = {},
) {
  const clock = new VirtualClock();
  const dated: { next?: number | undefined } = {};
  const blockClock = (before: number) => {
    const { next = Math.max(before + 1, Math.floor(clock.now() / 1000)) } = dated;
    dated.next = undefined;
    return next;
  };
  const stream = { isEndless: false };
  const after = quietWhenAllArrived(
    () => world.devnet,
    () => stream.isEndless,
  );
  const world: CompanionWorld = await companionWorld(t, {
    blocks: 3,
    clock,
    devnet: minesNow ? { clock: blockClock } : {},
    ...options,
    openCompact: (url, parameters) => openPatientCompact(url, parameters, { ...PATIENT_CLIENT, after }),
  });
  return Object.assign(world as Omit<CompanionWorld, 'clock' | 'pay'>, {
    dated,
    /** Set where streams of the mempool never pause. */
    stream,
    clock,
    reported: <E extends EventName>(name: E) =>
      world.wallet.events.filter(
        (event): event is Extract<CompanionEvent, { event: E }> => event.event === name,
      ),
    pay: (zatoshi: bigint, memo = '') =>
      world.devnet.pay([{ address: world.address, pool: 'ironwood', zatoshi, memo }]),
    look: (source: MempoolSource = 'node') => world.call('mempool.look', { source }),
    /** Total, unconfirmed, and spent by unmined transactions. */
    amounts: async () => {
      const balance = await world.call('balance.get');
      return [balance.total_zatoshi, balance.unconfirmed_zatoshi, balance.spent_unconfirmed_zatoshi];
    },
    pass: (ms: number) => clock.pass(ms, () => lookOver(world.wallet)),
    until,
  });
}
