// When follow mode looks, on a clock of its own and with answers that the test gives.

import { setImmediate } from 'node:timers/promises';
import type { BlockNews } from '@wallet-companion/chain/ports';
import test from 'ava';
import {
  FOLLOW_NOT_OFFERED_MS,
  FOLLOW_POLL_MS,
  FOLLOW_SETTLE_MS,
  FOLLOW_SLOWEST_MS,
  FOLLOW_TOLD_POLL_MS,
  Follower,
  type FollowOutcome,
} from '../../../../src/actors/wallet/follow/follower.ts';
import { VirtualClock } from '../../../helpers/virtualClock.ts';

interface Options {
  /** Of the looks in turn; then nothing is new. */
  readonly outcomes?: FollowOutcome[];
  readonly random?: () => number;
  /** Of a server that tells of blocks. */
  readonly newBlock?: () => Promise<BlockNews> | undefined;
}

function followerOf({ outcomes = [], random = () => 0, newBlock = () => undefined }: Options) {
  const clock = new VirtualClock();
  const startedAt = clock.now();
  const looks: number[] = [];
  const waits: number[] = [];
  const counts = { ended: 0, meanwhile: 0 };
  const elapsed = () => clock.now() - startedAt;
  const follower = new Follower({
    clock,
    random,
    look: async () => {
      looks.push(elapsed());
      return outcomes.shift() ?? 'nothing new';
    },
    meanwhile: () => {
      counts.meanwhile += 1;
    },
    newBlock: () => {
      const wait = newBlock();
      if (wait !== undefined) waits.push(elapsed());
      return wait;
    },
    endWait: () => {
      counts.ended += 1;
    },
    stateChanged: () => undefined,
  });
  const pass = (ms: number) => clock.pass(ms, () => setImmediate());
  return { follower, clock, looks, waits, counts, pass };
}

const gapsOf = (times: readonly number[]) => times.slice(1).map((time, i) => time - times[i]!);

test('a long way to the tip is gone without pauses', async (t) => {
  const { follower, looks, pass } = followerOf({ outcomes: ['more', 'more', 'caught up'] });
  follower.start();
  await pass(FOLLOW_POLL_MS - 1);
  t.deepEqual(looks, [0, 0, 0]);
  await pass(1);
  t.deepEqual(looks, [0, 0, 0, FOLLOW_POLL_MS]);
});

test('after failures the pauses double up to a limit, and a success resets them', async (t) => {
  const { follower, looks, pass } = followerOf({ outcomes: Array<FollowOutcome>(7).fill('failed') });
  follower.start();
  await pass(24 * 60_000);
  const doubling = [20_000, 40_000, 80_000, 160_000, FOLLOW_SLOWEST_MS, FOLLOW_SLOWEST_MS, FOLLOW_SLOWEST_MS];
  t.deepEqual(gapsOf(looks).slice(0, 9), [...doubling, FOLLOW_POLL_MS, FOLLOW_POLL_MS]);
});

test('each state is what the last look came to', async (t) => {
  const { follower, pass } = followerOf({ outcomes: ['more', 'failed', 'busy', 'caught up'] });
  const states: string[] = [follower.state];
  follower.start();
  for (const ms of [0, 0, 20_000, FOLLOW_POLL_MS]) {
    await pass(ms);
    states.push(follower.state);
  }
  // Both scans of the start run in the first turn; who gives way has learnt nothing.
  t.deepEqual(states, ['scanning', 'backing_off', 'backing_off', 'backing_off', 'caught_up']);
});

test('pauses are drawn from the last quarter, so that wallets do not ask in step', async (t) => {
  const drawn = [0, 0.5, 0.999];
  const { follower, looks, pass } = followerOf({ random: () => drawn.shift() ?? 0 });
  follower.start();
  await pass(4 * FOLLOW_POLL_MS);
  t.deepEqual(gapsOf(looks).slice(0, 3), [FOLLOW_POLL_MS, 8_750, 7_503]);
});

test('a follower that was stopped stays stopped, also while it looks', async (t) => {
  const { follower, looks, pass, clock } = followerOf({ outcomes: ['more'] });
  follower.start();
  clock.advance(0);
  follower.stop();
  await pass(10 * FOLLOW_POLL_MS);
  t.deepEqual(looks, [0]);
  t.is(clock.timers, 0);
});

test('a machine that has slept looks at once, however long the pause was to be', async (t) => {
  const { follower, looks, pass, clock } = followerOf({ outcomes: Array<FollowOutcome>(8).fill('failed') });
  follower.start();
  await pass(11 * 60_000);
  const before = looks.length;
  clock.sleep(8 * 3_600_000);
  const woken = clock.now();
  await pass(15_000);
  t.is(looks.length, before + 1);
  t.true(clock.now() - woken <= 15_000);
  // As after a start: the failures before the sleep are forgotten.
  await pass(FOLLOW_POLL_MS * 2);
  t.is(looks.length, before + 2);
});

test('a clock that is set back, or some seconds forward, changes nothing', async (t) => {
  const { follower, looks, pass, clock } = followerOf({});
  follower.start();
  await pass(FOLLOW_POLL_MS);
  clock.sleep(-3_600_000);
  const setBack = looks.length;
  await pass(FOLLOW_POLL_MS);
  t.is(looks.length, setBack + 1);
  clock.sleep(5_000);
  await pass(FOLLOW_POLL_MS);
  t.is(looks.length, setBack + 2);
});

// ---------------------------------------------------------------------------------------------------------------------
// A server that tells of blocks

function story() {
  let report: (news: BlockNews) => void = () => undefined;
  return {
    newBlock: () =>
      new Promise<BlockNews>((resolve) => {
        report = resolve;
      }),
    report: async (news: BlockNews) => {
      report(news);
      await setImmediate();
    },
  };
}

test('word of a block is followed by a look soon after, and without word the poll is slow', async (t) => {
  const server = story();
  const outcomes: FollowOutcome[] = ['caught up', 'caught up', 'nothing new'];
  const { follower, looks, waits, counts, pass } = followerOf({ outcomes, newBlock: server.newBlock });
  follower.start();
  await pass(30_000);
  await server.report('new block');
  await pass(FOLLOW_SETTLE_MS);
  t.deepEqual(looks, [0, 32_000]);
  t.deepEqual(waits, [0, 32_000]);
  t.is(counts.ended, 0);
  await pass(FOLLOW_TOLD_POLL_MS);
  t.deepEqual(looks, [0, 32_000, 92_000]);
  // One wait at a time: before the look the open one is ended.
  t.is(counts.ended, 1);
  t.is(waits.length, 3);
});

test('a server that speaks of a block each time at once is asked no more often than any other', async (t) => {
  const { follower, looks, waits, pass } = followerOf({
    newBlock: async (): Promise<BlockNews> => 'new block',
  });
  follower.start();
  await pass(3_600_000);
  t.true(looks.length <= 3_600_000 / FOLLOW_POLL_MS + 2, `${looks.length} looks`);
  t.true(waits.length <= looks.length);
});

test('a server whose streams break off at once is polled', async (t) => {
  const { follower, looks, pass } = followerOf({ newBlock: () => Promise.reject(new Error('broken off')) });
  follower.start();
  await pass(3_600_000);
  t.is(looks.length, 3_600_000 / FOLLOW_POLL_MS + 1);
});

test('a server without notifications is polled, and asked for them again after an hour', async (t) => {
  const { follower, looks, waits, pass } = followerOf({
    newBlock: async (): Promise<BlockNews> => 'not offered',
  });
  follower.start();
  await pass(2 * FOLLOW_NOT_OFFERED_MS);
  t.is(waits.length, 3);
  t.true(looks.length > 2 * (FOLLOW_NOT_OFFERED_MS / FOLLOW_POLL_MS) - 5);
});

test('who stops listens no more, and word that comes late is not heard', async (t) => {
  const server = story();
  const { follower, looks, counts, pass } = followerOf({ newBlock: server.newBlock });
  follower.start();
  await pass(1_000);
  follower.stop();
  t.is(counts.ended, 1);
  await server.report('new block');
  await pass(FOLLOW_TOLD_POLL_MS);
  t.deepEqual(looks, [0]);
});
