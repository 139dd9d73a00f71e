// A companion that is left alone for a week follows its chain through all that happens, and holds no more at the end than
// after the first days. WALLET_COMPANION_WEEK=full has every block of such a week, and a machine that seldom sleeps.

import { existsSync, readdirSync, readlinkSync } from 'node:fs';
import { setFlagsFromString } from 'node:v8';
import test from 'ava';
import { FOLLOW_POLL_MS } from '../../src/actors/wallet/sync/follow.ts';
import { collectGarbage } from '../helpers/garbage.ts';
import { Branch, Truth } from './support/companion/branch.ts';
import { HAPPENINGS, Week } from './support/week/week.ts';

const isFull = process.env['WALLET_COMPANION_WEEK'] === 'full';
const seed = Number(process.env['WALLET_COMPANION_TRUTH_SEED'] ?? 1);
/** A block every 75 s, or a laptop that is opened now and then. */
const OPTIONS = isFull
  ? { seed, blockSeconds: 75, longestSleep: 2, quiet: 40 }
  : { seed, blockSeconds: 900, longestSleep: 18, quiet: 1 };
const DAYS = 7;
/** After these, tables have their size. */
const FIRST_DAYS = 2;
const MIB = 2 ** 20;
/**
 * Beside what the chain grows by, which is in this process too: the chain of a server that was left and whose last socket
 * is still open, what the wallet knows of its last 1,100 blocks, and pieces of code that were never run before.
 */
const FLAT_BYTES = 1.5 * MIB;
const CHAIN_MARGIN = 1.25;
const CHAIN_SAMPLE = 400;
/** Both ends are here: two servers listen, a node is asked eight things at a time, and three compact servers may be known. */
const MOST_SOCKETS = 2 + 2 * (8 + 3);
/** Five of the note store, and those of the compact stores that were used in the last minute. */
const MOST_FILES = 24;
/** Pauses are up to a quarter shorter, and a look is two questions at most where nothing is new. */
const ANSWERS_PER_LOOK = 4;
const ANSWERS_PER_BLOCK = 40;

// Compiled code would go on growing for a fortnight, by more than all the rest.
for (const flag of ['--no-opt', '--no-sparkplug']) setFlagsFromString(flag);

async function heldBytes(): Promise<number> {
  await collectGarbage();
  const { heapUsed, arrayBuffers } = process.memoryUsage();
  return heapUsed + arrayBuffers;
}

const DESCRIPTORS = '/proc/self/fd';

/** What is open in this process. */
function descriptors(): { readonly sockets: number; readonly files: number; readonly others: number } {
  const open = { sockets: 0, files: 0, others: 0 };
  if (!existsSync(DESCRIPTORS)) return open;
  for (const name of readdirSync(DESCRIPTORS)) {
    let target = '';
    try {
      target = readlinkSync(`${DESCRIPTORS}/${name}`);
    } catch {
      // That of the folder itself.
      continue;
    }
    if (target.startsWith('socket:')) open.sockets += 1;
    else if (target.includes('wallet-companion-test-')) open.files += 1;
    else open.others += 1;
  }
  return open;
}

/** What a block of the chain takes, with what is known of it here. */
async function bytesPerBlock(): Promise<number> {
  const before = await heldBytes();
  const branch = new Branch('sample', new Truth());
  branch.mine(Array.from({ length: CHAIN_SAMPLE }, () => ({ notes: [], spends: [] })));
  const bytes = await heldBytes();
  return branch.tip === CHAIN_SAMPLE ? (bytes - before) / CHAIN_SAMPLE : 0;
}

test('a week of outages, reorganisations, locks, restarts and other servers ends in the truth', async (t) => {
  const nothing = descriptors();
  const week = new Week(OPTIONS);
  await week.start(t);
  try {
    for (let day = 0; day < FIRST_DAYS; day++) await week.day();
    await week.rest();
    const before = await heldBytes();
    const blocksBefore = week.blocks;
    const most = { sockets: 0, files: 0, others: 0 };
    for (let day = FIRST_DAYS; day < DAYS; day++) {
      await week.day();
      t.true(week.clock.timers <= 5, `${week.clock.timers} timers`);
      t.true(week.mempoolStreams <= 1, `${week.mempoolStreams} streams`);
      const open = descriptors();
      for (const kind of ['sockets', 'files', 'others'] as const)
        most[kind] = Math.max(most[kind], open[kind] - nothing[kind]);
    }
    const balance = await week.rest();
    t.is(balance.total_zatoshi, week.trueBalance);
    t.true(balance.total_zatoshi > 0);
    t.deepEqual(balance.missing_ranges, []);
    t.deepEqual(week.wallet.faults, []);
    for (const happening of HAPPENINGS) t.true((week.counts.get(happening) ?? 0) >= 2, happening);

    const after = await heldBytes();
    const looks = week.watchedMs / (FOLLOW_POLL_MS * 0.75);
    const grown = after - before;
    const ofChain = (week.blocks - blocksBefore) * (await bytesPerBlock());
    t.log(
      `${week.blocks} blocks, ${Math.round(week.watchedMs / 3_600_000)} h watched, ${week.answers} answers of servers`,
      `heap ${(grown / MIB).toFixed(1)} MiB more, ${(ofChain / MIB).toFixed(1)} of them the chain's`,
      `at most ${most.sockets} sockets, ${most.files} files, ${most.others} other descriptors`,
      JSON.stringify(Object.fromEntries(week.counts)),
    );
    t.true(week.answers <= looks * ANSWERS_PER_LOOK + week.blocks * ANSWERS_PER_BLOCK);
    t.true(grown <= FLAT_BYTES + ofChain * CHAIN_MARGIN);
    t.true(most.sockets <= MOST_SOCKETS);
    t.true(most.files <= MOST_FILES);
    t.true(most.others <= 2);
  } finally {
    await week.stop();
  }
});
