// A companion that is left alone for a week follows its chain through all that happens, and holds no more at the end than
// after the first days: four days of it, or all seven at length. WALLET_COMPANION_WEEK=full has every block of such a week,
// and a machine that seldom sleeps.

import { fork } from 'node:child_process';
import test from 'ava';
import { FOLLOW_POLL_MS } from '../../src/actors/wallet/follow/follower.ts';
import { nextMessage } from '../storage/support/child.ts';
import type { WeekReport } from './children/week.ts';
import { HAPPENINGS } from './support/week/week.ts';

const MIB = 2 ** 20;
/**
 * Beside what the chain grows by, which is in its process too: the chain of a server that was left and whose last socket
 * is still open, what the wallet knows of its last 1,100 blocks, and pieces of code that were never run before.
 */
const FLAT_BYTES = 1.5 * MIB;
/** What servers and model make of each block besides; by a heap's snapshot nothing else grows with them. */
const CHAIN_MARGIN = 1.35;
/** Both ends are there: two servers listen, a node is asked eight things at a time, and three compact servers may be known. */
const MOST_SOCKETS = 2 + 2 * (8 + 3);
/** Five of the note store, and those of the compact stores that were used in the last minute. */
const MOST_FILES = 24;
/** Pauses are up to a quarter shorter, and a look is two questions at most where nothing is new. */
const ANSWERS_PER_LOOK = 4;
const ANSWERS_PER_BLOCK = 40;

test('a week of outages, reorganisations, locks, restarts and other servers ends in the truth', async (t) => {
  const program = new URL('./children/week.js', import.meta.url);
  // Without source maps, which are read when the first error of a file is shown, and kept: up to 2 MiB.
  const child = fork(program, { execArgv: [], stdio: ['ignore', 'inherit', 'inherit', 'ipc'] });
  t.teardown(() => child.kill('SIGKILL'));
  const week = (await nextMessage(child)) as WeekReport;
  const { most } = week;
  t.log(
    `${week.blocks} blocks, ${Math.round(week.watchedMs / 3_600_000)} h watched, ${week.answers} answers of servers`,
    `heap ${(week.grown / MIB).toFixed(1)} MiB more, ${(week.ofChain / MIB).toFixed(1)} of them the chain's`,
    `at most ${JSON.stringify(most)}`,
    JSON.stringify(week.counts),
  );
  t.is(week.balance, week.trueBalance);
  t.true(week.balance > 0);
  t.deepEqual(week.missingRanges, []);
  t.deepEqual(week.faults, []);
  for (const happening of HAPPENINGS) t.true((week.counts[happening] ?? 0) >= 2, happening);
  const looks = week.watchedMs / (FOLLOW_POLL_MS * 0.75);
  t.true(week.answers <= looks * ANSWERS_PER_LOOK + week.blocks * ANSWERS_PER_BLOCK);
  t.true(week.grown <= FLAT_BYTES + week.ofChain * CHAIN_MARGIN);
  t.true(most.timers <= 5);
  t.true(most.streams <= 1);
  t.true(most.sockets <= MOST_SOCKETS);
  t.true(most.files <= MOST_FILES);
  t.true(most.others <= 2);
});
