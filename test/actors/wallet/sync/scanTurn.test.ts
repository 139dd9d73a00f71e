import { setImmediate } from 'node:timers/promises';
import test from 'ava';
import { ScanTurns, type TurnKind } from '../../../../src/actors/wallet/sync/scanTurn.ts';
import { CompanionError } from '../../../../src/protocol/errors.ts';
import { readKnownSeed, startKnownSeedNode } from '../../../helpers/knownSeed.ts';
import { PASSWORD, startWallet } from '../../../helpers/walletHarness.ts';

const KINDS: readonly TurnKind[] = ['requested', 'follow', 'check', 'change'];

for (const running of KINDS) {
  for (const next of KINDS) {
    const isByFollow = (kind: TurnKind) => kind === 'follow' || kind === 'check';
    const waits = isByFollow(running) && !isByFollow(next);
    test(`while one of kind "${running}" runs, one of kind "${next}" ${waits ? 'waits for it' : 'is refused'}`, async (t) => {
      const turns = new ScanTurns();
      const first = turns.take(running);
      if (!waits) {
        const error = t.throws(() => turns.take(next), { instanceOf: CompanionError });
        t.is(error?.code, 'SYNC_IN_PROGRESS');
        t.is(turns.current, first);
        return;
      }
      let started = false;
      const second = turns.during(next, () => {
        started = true;
      });
      t.throws(() => turns.take('requested'), { instanceOf: CompanionError });
      await setImmediate();
      t.false(started);
      first.end();
      await second;
      t.true(started);
      t.is(turns.current, undefined);
    });
  }
}

test('a turn ends with what was done in it, also when that fails', async (t) => {
  const turns = new ScanTurns();
  await t.throwsAsync(turns.during('requested', () => Promise.reject(new Error('no'))));
  t.is(turns.current, undefined);
});

test('a call that stops everything comes after what was running and what waited for it', async (t) => {
  const turns = new ScanTurns();
  const order: string[] = [];
  const follow = turns.take('follow');
  const asked = turns.during('requested', () => void order.push('requested'));
  const stopping = turns.afterStopping(async () => void order.push('stopped'));
  await setImmediate();
  t.deepEqual(order, []);
  follow.end();
  await Promise.all([asked, stopping]);
  t.deepEqual(order, ['requested', 'stopped']);
});

test('nothing scans with the old keys while an account is added', async (t) => {
  const seed = readKnownSeed('main');
  const node = await startKnownSeedNode(seed);
  t.teardown(() => node.stop());
  const wallet = await startWallet(t, { config: { network: 'main', node_url: node.url } });
  await wallet.call('wallet.restore', {
    mnemonic: seed.mnemonic,
    password: PASSWORD,
    birthday_height: seed.firstHeight,
  });
  const adding = wallet.call('accounts.create', { password: PASSWORD });
  await setImmediate();
  t.is(await wallet.failure('sync.run'), 'SYNC_IN_PROGRESS');
  t.false((await wallet.call('wallet.status')).syncing);
  const { account, missing_ranges } = await adding;
  t.is(account, 1);
  t.deepEqual(missing_ranges, []);
});
