// A wallet beside a devnet with a mempool, for tests about what is not mined yet.

import type { After } from '@wallet-companion/base/async';
import { Devnet } from '@wallet-companion/devnet';
import { regtestParameters } from '@wallet-companion/zcash/network';
import type { ExecutionContext } from 'ava';
import type { InvoiceFiles } from '../../src/actors/wallet/ports/invoice.ts';
import type { CompanionEvent, EventName } from '../../src/protocol/events.ts';
import type { Input } from '../../src/protocol/operations.ts';
import { lookOver } from './lookOver.ts';
import { until } from './until.ts';
import { VirtualClock } from './virtualClock.ts';
import { openPatientCompact, PATIENT_CLIENT } from './waits.ts';
import { PASSWORD, startWallet } from './walletHarness.ts';

const PHRASE = `${'abandon '.repeat(11)}about`;

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

/** `minesNow`: blocks have the time of the wallet's clock, or the one that `dated.next` has for the next of them. */
export async function startMempoolBed(
  t: ExecutionContext,
  {
    minesNow = false,
    ...options
  }: {
    follow?: boolean;
    minesNow?: boolean;
    invoiceFiles?: (files: InvoiceFiles) => InvoiceFiles;
  } = {},
) {
  const clock = new VirtualClock();
  const dated: { next?: number | undefined } = {};
  const blockClock = (before: number) => {
    const { next = Math.max(before + 1, Math.floor(clock.now() / 1000)) } = dated;
    dated.next = undefined;
    return next;
  };
  const devnet = new Devnet({ seed: t.title, ...(minesNow && { clock: blockClock }) });
  t.teardown(() => devnet.close());
  devnet.mineEmpty(3);
  const config = {
    network: 'regtest',
    node_url: await devnet.node.listen(),
    compact_server_url: await devnet.compact.listen(),
    auto_lock_seconds: 0,
  } as const;
  const stream = { isEndless: false };
  const after = quietWhenAllArrived(
    () => devnet,
    () => stream.isEndless,
  );
  const wallet = await startWallet(t, {
    config,
    clock,
    ...options,
    openCompact: (url, parameters) => openPatientCompact(url, parameters, { ...PATIENT_CLIENT, after }),
  });
  t.teardown(() => wallet.stop());
  await wallet.call('wallet.restore', { mnemonic: PHRASE, password: PASSWORD, birthday_height: 1 });
  const { unified_address: address } = await wallet.call('address.get');
  const { viewing_key: key } = await wallet.call('wallet.viewing_key', { password: PASSWORD });
  const account = devnet.account(key);
  const reported = <E extends EventName>(name: E) =>
    wallet.events.filter((event): event is Extract<CompanionEvent, { event: E }> => event.event === name);
  return {
    devnet,
    config,
    dated,
    /** Set where streams of the mempool never pause. */
    stream,
    wallet,
    clock,
    address,
    account,
    reported,
    params: regtestParameters(),
    pay: (zatoshi: bigint, memo = '') => devnet.pay([{ address, pool: 'ironwood', zatoshi, memo }]),
    look: (source: MempoolSource) => wallet.call('mempool.look', { source }),
    sync: (source: MempoolSource) => wallet.call('sync.run', { source }),
    /** Total, unconfirmed, and spent by unmined transactions. */
    amounts: async () => {
      const balance = await wallet.call('balance.get');
      return [balance.total_zatoshi, balance.unconfirmed_zatoshi, balance.spent_unconfirmed_zatoshi];
    },
    pass: (ms: number) => clock.pass(ms, () => lookOver(wallet)),
    until,
  };
}
