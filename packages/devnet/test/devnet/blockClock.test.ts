// The times of a chain that people look at: near now, in order, never in the future.

import test from 'ava';
import { clockNear, fixedClock } from '../../src/devnet/blockClock.ts';
import { Devnet } from '../../src/devnet/devnet.ts';
import { REGTEST_GENESIS_TIME } from '../../src/devnet/genesis.ts';

const NOW = Date.UTC(2026, 10, 24, 12) / 1_000;

test('a chain with a clock begins some hours ago, above the genesis block that cannot change', (t) => {
  const fixed = new Devnet({ seed: 'clock' });
  const devnet = new Devnet({ seed: 'clock', clock: clockNear(() => NOW * 1_000) });
  t.deepEqual(devnet.tip.hash, fixed.tip.hash);
  devnet.mineEmpty(3);
  fixed.mineEmpty(3);
  t.deepEqual(
    devnet.blocks.blocks.map(({ time }) => time - NOW),
    [REGTEST_GENESIS_TIME - NOW, -21_600, -21_575, -21_550],
  );
  t.is(fixed.tip.time, REGTEST_GENESIS_TIME + 75);
});

test('blocks do not come from the future, and stay in order', (t) => {
  let now = NOW;
  const clock = clockNear(() => now * 1_000);
  t.is(clock(NOW - 30, 25), NOW - 5);
  t.is(clock(NOW - 10, 25), NOW - 9);
  t.is(clock(NOW + 3, 25), NOW + 4);
  now += 24 * 3_600;
  t.is(clock(NOW, 25), now - 6 * 3_600);
  t.is(fixedClock(NOW, 25), NOW + 25);
});
