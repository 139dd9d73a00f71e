// Secrets that were told, and the keys of a session that was locked, are garbage as soon as nobody needs them. The
// actor lives as long as the companion: what it holds is in memory for weeks.

import { Reachable } from '@wallet-companion/base/test/garbage';
import test from 'ava';
import type { ScanPool } from '../../../../src/actors/wallet/ports/scanPool.ts';
import { inlinePool } from '../../../helpers/inlinePool.ts';
import { readKnownSeed, startKnownSeedNode } from '../../../helpers/knownSeed.ts';
import { PASSWORD, startWallet } from '../../../helpers/walletHarness.ts';

const config = { network: 'regtest', node_url: 'http://127.0.0.1:9' } as const;

test('no answer with a secret is held, though the wallet stays open', async (t) => {
  const wallet = await startWallet(t, { config });
  const reachable = new Reachable();
  const report = async (answer: Promise<object>) => void reachable.watch(await answer);
  await report(wallet.call('wallet.create', { password: PASSWORD, birthday_height: 500 }));
  t.is(await reachable.count(), 0);
  await report(wallet.call('wallet.backup', { password: PASSWORD }));
  t.is(await reachable.count(), 0);
  await report(wallet.call('wallet.viewing_key', { password: PASSWORD }));
  t.is(await reachable.count(), 0);
  t.true((await wallet.call('wallet.status')).unlocked);
});

test('after the lock nothing holds the keys that blocks were scanned with', async (t) => {
  const seed = readKnownSeed('main');
  const node = await startKnownSeedNode(seed);
  t.teardown(() => node.stop());
  const reachable = new Reachable();
  const work = inlinePool();
  const pool = (): ScanPool => ({
    ...work,
    scan: (batch, keys) => {
      reachable.watch(keys);
      reachable.watch(batch);
      return work.scan(batch, keys);
    },
    enhance: (task, keys) => {
      reachable.watch(keys);
      return work.enhance(task, keys);
    },
  });
  const wallet = await startWallet(t, { config: { network: 'main', node_url: node.url }, pool });
  await wallet.call('wallet.restore', {
    mnemonic: seed.mnemonic,
    password: PASSWORD,
    birthday_height: seed.firstHeight,
  });
  t.true((await wallet.call('sync.run')).caught_up);
  t.true(reachable.watched > 2);
  await wallet.call('wallet.lock');
  t.is(await reachable.count(), 0);
  t.false((await wallet.call('wallet.status')).unlocked);
});
