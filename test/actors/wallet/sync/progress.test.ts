// What a scan says of itself on the way and afterwards, through both actors: work, bytes, and what bounds it.

import test from 'ava';
import {
  readKnownSeed,
  startKnownSeedCompactServer,
  startKnownSeedNode,
} from '../../../helpers/knownSeed.ts';
import { PASSWORD, startWallet } from '../../../helpers/walletHarness.ts';

const seed = readKnownSeed('regtest');
const LAST = seed.firstHeight + 49;
const compact = { source: 'compact' } as const;

test('work is counted up to the tip whatever a request covers, and bytes only where they came from outside', async (t) => {
  const server = await startKnownSeedCompactServer(seed);
  t.teardown(() => server.stop());
  const node = await startKnownSeedNode(seed);
  t.teardown(() => node.stop());
  const wallet = await startWallet(t, {
    config: {
      network: seed.network,
      node_url: node.url,
      compact_server_url: server.url,
      activation_heights: { nu6_3: seed.firstHeight + 26 },
      compact_tail_blocks: null,
    },
  });
  const last = () => {
    const reported = wallet.events.findLast(({ event }) => event === 'sync.progress');
    if (reported?.event !== 'sync.progress') throw new Error('no progress was told');
    return reported.data;
  };
  await wallet.call('wallet.import_viewing_key', {
    viewing_key: seed.accounts[0]!.ufvk,
    password: PASSWORD,
    birthday_height: seed.firstHeight,
  });
  t.like(await wallet.call('sync.status'), { work_done: null, work_total: null });

  await wallet.call('sync.run', { ...compact, end_height: seed.firstHeight + 19 });
  const half = last();
  t.is(half.blocks_total, 20);
  // Nothing is known yet of the outputs: 50 blocks.
  t.is(half.work_total, 100);
  t.true(half.work_done >= 40);
  t.true(half.received_bytes > 1000);
  t.is(half.bounded_by, null, 'too early to tell');
  t.is(half.work_eta_seconds, null);
  const status = await wallet.call('sync.status');
  // Now what was scanned tells what to expect of the rest.
  t.true(status.work_total! > 100);
  t.true(status.work_done! < status.work_total!);

  const rest = await wallet.call('sync.run', compact);
  t.true(last().work_done <= last().work_total);
  const after = await wallet.call('sync.status');
  t.is(after.work_done, after.work_total);
  t.true(after.work_total! >= 100 + half.outputs_scanned + rest.outputs_scanned - 10);
  await wallet.call('wallet.lock');
  t.like(await wallet.call('sync.status'), { work_done: null, work_total: null, chain_tip: LAST });

  await wallet.call('sync.run', { ...compact, start_height: seed.firstHeight, password: PASSWORD });
  t.true(last().received_bytes < 500, 'all of it was stored: one block is compared');
  t.is(last().work_done, last().work_total, 'and scanned before');
  await wallet.call('sync.run', { source: 'node', start_height: seed.firstHeight });
  t.true(last().received_bytes > 10_000);
});

test('what bounds a scan, and how long the rest takes, is reported once it is known', async (t) => {
  const server = await startKnownSeedCompactServer(seed);
  t.teardown(() => server.stop());
  const wallet = await startWallet(t, {
    config: {
      network: seed.network,
      compact_server_url: server.url,
      activation_heights: { nu6_3: seed.firstHeight + 26 },
    },
  });
  // Ten seconds until the blocks come, of which nobody here does anything.
  server.range = (items) => {
    if (items.length > 1) wallet.clock.advance(10_000);
    return items;
  };
  await wallet.call('wallet.restore', {
    mnemonic: seed.mnemonic,
    password: PASSWORD,
    birthday_height: seed.firstHeight,
  });
  await wallet.call('sync.run', { ...compact, end_height: seed.firstHeight + 24 });
  const reported = wallet.events.findLast(({ event }) => event === 'sync.progress');
  if (reported?.event !== 'sync.progress') return t.fail('no progress was told');
  t.is(reported.data.elapsed_ms, 10_000);
  t.is(reported.data.received_bytes_per_second, Math.round(reported.data.received_bytes / 10));
  t.is(reported.data.work_eta_seconds! > 0, reported.data.work_done < reported.data.work_total);
  t.is(reported.data.bounded_by, 'network');
});
