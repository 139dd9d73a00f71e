// The simulated week in a process of its own: what is open and what is held is counted for the whole process, and the
// engine's flags are set for all of it. Sends what it saw.

import { existsSync, readdirSync, readlinkSync } from 'node:fs';
import { setFlagsFromString } from 'node:v8';
import { AT_LENGTH } from '@wallet-companion/base/test/atLength';
import { collectGarbage } from '@wallet-companion/base/test/garbage';
import type { ExecutionContext } from 'ava';
import { Branch, Truth } from '../support/companion/branch.ts';
import { FLOOD, Week } from '../support/week/week.ts';

const isFull = process.env['WALLET_COMPANION_WEEK'] === 'full';
const seed = Number(process.env['WALLET_COMPANION_TRUTH_SEED'] ?? 1);
/** A block every 25 s, as since NU7, or a laptop that is opened now and then. */
const OPTIONS = isFull
  ? { seed, blockSeconds: 25, longestSleep: 2, quiet: 120, onHour: tellHour }
  : { seed, blockSeconds: 900, longestSleep: 18, quiet: 1 };
/** Four show what seven do: `npm run test:full` has them all. */
const DAYS = isFull || AT_LENGTH ? 7 : 4;
/** After these, tables have their size. */
const FIRST_DAYS = 2;
const CHAIN_SAMPLE = 400;
const FLOOD_SAMPLE = 12;

export interface WeekReport {
  readonly balance: number;
  readonly trueBalance: number;
  readonly missingRanges: readonly unknown[];
  readonly faults: readonly string[];
  readonly counts: Readonly<Record<string, number>>;
  readonly blocks: number;
  readonly watchedMs: number;
  readonly answers: number;
  readonly grown: number;
  readonly ofChain: number;
  /** At the end of any day after the first. */
  readonly most: {
    readonly sockets: number;
    readonly files: number;
    readonly others: number;
    readonly timers: number;
    readonly streams: number;
  };
}

// Compiled code would go on growing for a fortnight, by more than all the rest.
for (const flag of ['--no-opt', '--no-sparkplug']) setFlagsFromString(flag);

const week = new Week(OPTIONS);

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

/** A line for each hour of the full week. */
async function tellHour(hour: number): Promise<void> {
  const { rss } = process.memoryUsage();
  const { unlocked } = await week.wallet.call('wallet.status');
  const balance = unlocked ? (await week.wallet.call('balance.get')).total_zatoshi : null;
  const heapMiB = +((await heldBytes()) / 2 ** 20).toFixed(1);
  const row = {
    hour,
    blocks: week.blocks,
    balance,
    true: week.trueBalance,
    heapMiB,
    rssMiB: Math.round(rss / 2 ** 20),
  };
  console.log(
    JSON.stringify({ ...row, ...descriptors(), timers: week.clock.timers, fileBytes: week.fileBytes }),
  );
}

/** What a block of the chain takes, with what is known of it here. */
async function bytesPerBlock(sample: number, strangers = 0): Promise<number> {
  const before = await heldBytes();
  const branch = new Branch('sample', new Truth());
  branch.mine(
    Array.from({ length: sample }, () => ({ notes: [], spends: [] })),
    strangers,
  );
  const bytes = await heldBytes();
  return branch.tip === sample ? (bytes - before) / sample : 0;
}

const floodsOf = ({ counts }: Week): number => counts.get('flood') ?? 0;

async function run(): Promise<WeekReport> {
  const ends: (() => unknown)[] = [];
  const owner = { title: 'week', teardown: (end: () => unknown) => void ends.push(end) };
  const nothing = descriptors();
  await week.start(owner as unknown as ExecutionContext);
  try {
    for (let day = 0; day < FIRST_DAYS; day++) await week.day();
    await week.rest();
    const before = await heldBytes();
    const { blocks } = week;
    const floods = floodsOf(week);
    const most = { sockets: 0, files: 0, others: 0, timers: 0, streams: 0 };
    for (let day = FIRST_DAYS; day < DAYS; day++) {
      await week.day();
      most.timers = Math.max(most.timers, week.clock.timers);
      most.streams = Math.max(most.streams, week.mempoolStreams);
      const open = descriptors();
      for (const kind of ['sockets', 'files', 'others'] as const)
        most[kind] = Math.max(most[kind], open[kind] - nothing[kind]);
    }
    const balance = await week.rest();
    const grown = (await heldBytes()) - before;
    return {
      balance: balance.total_zatoshi,
      trueBalance: week.trueBalance,
      missingRanges: balance.missing_ranges,
      faults: week.wallet.faults.map(String),
      counts: Object.fromEntries(week.counts),
      blocks: week.blocks,
      watchedMs: week.watchedMs,
      answers: week.answers,
      grown,
      ofChain:
        (week.blocks - blocks) * (await bytesPerBlock(CHAIN_SAMPLE)) +
        (floodsOf(week) - floods) * FLOOD.blocks * (await bytesPerBlock(FLOOD_SAMPLE, FLOOD.strangers)),
      most,
    };
  } finally {
    await week.stop();
    for (const end of ends.reverse()) await end();
  }
}

const report = await run();
process.send?.(report, () => process.disconnect());
