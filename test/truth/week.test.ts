// A companion that is left alone for a week follows its chain through all that happens, and holds no more at the end than
// after the first days. WALLET_COMPANION_WEEK=full has every block of such a week, and a machine that seldom sleeps.

import { existsSync, readdirSync } from 'node:fs';
import { setImmediate } from 'node:timers/promises';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import test from 'ava';
import { FOLLOW_POLL_MS } from '../../src/actors/wallet/sync/follow.ts';
import { Branch, Truth } from './support/companion/branch.ts';
import { HAPPENINGS, Week } from './support/week/week.ts';

const isFull = process.env['WALLET_COMPANION_WEEK'] === 'full';
const seed = Number(process.env['WALLET_COMPANION_TRUTH_SEED'] ?? 1);
/** A block every 75 s, or a laptop that is opened now and then. */
const OPTIONS = isFull
  ? { seed, blockSeconds: 75, longestSleep: 2, quiet: 40 }
  : { seed, blockSeconds: 900, longestSleep: 18, quiet: 1 };
const DAYS = 7;
/** After these, code is compiled and tables have their size. */
const FIRST_DAYS = 2;
const MIB = 2 ** 20;
/**
 * Beside what the chain grows by, which is in this process too, with its payments and with copies of its blocks for each
 * server that takes the place of another.
 */
const FLAT_BYTES = 16 * MIB;
const CHAIN_MARGIN = 1.5;
const CHAIN_SAMPLE = 400;
/** Connections to servers that are not asked any more stay for a while, a few of them; a leak of one a look is hundreds. */
const FLAT_DESCRIPTORS = 40;
/** Pauses are up to a quarter shorter, and a look is two questions at most where nothing is new. */
const ANSWERS_PER_LOOK = 4;
const ANSWERS_PER_BLOCK = 40;

setFlagsFromString('--expose-gc');
const collectGarbage = runInNewContext('gc') as () => void;

async function held(): Promise<{ bytes: number; descriptors: number; resources: number }> {
  for (let i = 0; i < 5; i++) {
    await setImmediate();
    collectGarbage();
  }
  const { heapUsed, arrayBuffers } = process.memoryUsage();
  const descriptors = existsSync('/proc/self/fd') ? readdirSync('/proc/self/fd').length : 0;
  return { bytes: heapUsed + arrayBuffers, descriptors, resources: process.getActiveResourcesInfo().length };
}

/** What a block of the chain takes, with what is known of it here. */
async function bytesPerBlock(): Promise<number> {
  const before = await held();
  const branch = new Branch('sample', new Truth());
  branch.mine(Array.from({ length: CHAIN_SAMPLE }, () => ({ notes: [], spends: [] })));
  const { bytes } = await held();
  return branch.tip === CHAIN_SAMPLE ? (bytes - before.bytes) / CHAIN_SAMPLE : 0;
}

test('a week of outages, reorganisations, locks, restarts and other servers ends in the truth', async (t) => {
  const week = new Week(OPTIONS);
  await week.start(t);
  try {
    for (let day = 0; day < FIRST_DAYS; day++) await week.day();
    await week.rest();
    const before = await held();
    const blocksBefore = week.blocks;
    for (let day = FIRST_DAYS; day < DAYS; day++) {
      await week.day();
      t.true(week.clock.timers <= 4, `${week.clock.timers} timers`);
      t.true(week.mempoolStreams <= 1, `${week.mempoolStreams} streams`);
    }
    const balance = await week.rest();
    t.is(balance.total_zatoshi, week.trueBalance);
    t.true(balance.total_zatoshi > 0);
    t.deepEqual(balance.missing_ranges, []);
    t.deepEqual(week.wallet.faults, []);
    for (const happening of HAPPENINGS) t.true((week.counts.get(happening) ?? 0) >= 2, happening);

    const after = await held();
    const looks = week.watchedMs / (FOLLOW_POLL_MS * 0.75);
    const grown = after.bytes - before.bytes;
    const ofChain = (week.blocks - blocksBefore) * (await bytesPerBlock());
    t.log(
      `${week.blocks} blocks, ${Math.round(week.watchedMs / 3_600_000)} h watched, ${week.answers} answers of servers`,
      `heap ${(grown / MIB).toFixed(1)} MiB more, ${(ofChain / MIB).toFixed(1)} of them the chain's`,
      `descriptors ${before.descriptors} -> ${after.descriptors}, handles ${before.resources} -> ${after.resources}`,
      JSON.stringify(Object.fromEntries(week.counts)),
    );
    t.true(week.answers <= looks * ANSWERS_PER_LOOK + week.blocks * ANSWERS_PER_BLOCK);
    t.true(grown <= FLAT_BYTES + ofChain * CHAIN_MARGIN);
    t.true(after.descriptors <= before.descriptors + FLAT_DESCRIPTORS);
    t.true(after.resources <= before.resources + 4);
  } finally {
    await week.stop();
  }
});
