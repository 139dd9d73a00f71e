import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import test from 'ava';
import { blockBefore, blockTimes, timeNear } from '../src/zcash/blockTimes.ts';
import { MAIN } from '../src/zcash/network.ts';
import { fixturePath, packagePath } from './helpers/fixtures.ts';

const HOUR = 3_600;
const DAY = 24 * HOUR;

/** Heights of the main chain with the times of their blocks, ascending: facts, apart from the table made of them. */
const facts = readFileSync(fixturePath('main-chain-times.csv'), 'utf8')
  .trim()
  .split('\n')
  .slice(1)
  .map((line) => {
    const [height = Number.NaN, time = Number.NaN] = line.split(',').map(Number);
    return { height, time };
  });
const first = facts[0]!;
const last = facts.at(-1)!;
const times = blockTimes('main')!;

/** How far the chain may stray from a straight line between two facts that are far apart. */
const STRAYS = HOUR;

/** Between which times a block was made, by the facts alone. */
function madeBetween(height: number): { earliest: number; latest: number } {
  const above = facts.findIndex((fact) => fact.height >= height);
  const upper = facts[above]!;
  const lower = facts[above - 1] ?? upper;
  if (upper.height === height) return { earliest: upper.time, latest: upper.time };
  const time =
    lower.time + ((upper.time - lower.time) * (height - lower.height)) / (upper.height - lower.height);
  return { earliest: time - STRAYS, latest: time + STRAYS };
}

test('the table is what its script makes of the facts (node packages/zcash/scripts/blockTimes.mjs)', (t) => {
  const { stdout } = spawnSync(process.execPath, [packagePath('scripts/blockTimes.mjs'), '--print'], {
    encoding: 'utf8',
  });
  t.is(readFileSync(packagePath('src/zcash/blockTimeTable.ts'), 'utf8'), stdout);
});

test('for every hour since Sapling the block is not younger, and less than thirteen days older', (t) => {
  const end = last.time + 14 * DAY;
  let worst = 0;
  for (let time = Math.ceil(first.time / HOUR) * HOUR; time <= end; time += HOUR) {
    const { height } = blockBefore(times, time)!;
    const { earliest, latest } = madeBetween(height);
    if (latest > time) t.fail(`block ${height} is younger than ${time}`);
    if (time <= last.time) worst = Math.max(worst, time - earliest);
  }
  t.true(worst < 13 * DAY, `${worst / DAY} days`);
  t.is(blockBefore(times, last.time + HOUR)!.height, last.height);
});

test('nothing is known before the first block of the table, which is that of Sapling', (t) => {
  t.is(times[0]!.height, MAIN.activation.sapling);
  t.is(blockBefore(times, first.time - 1), undefined);
  t.is(timeNear(times, first.height - 1), undefined);
});

test('above the table blocks come on schedule: 75 seconds up to NU7, then 25', (t) => {
  const nu7 = MAIN.activation.nu7!;
  const at = (height: number) => timeNear(times, height)! - timeNear(times, last.height)!;
  t.is(at(last.height + 100), 7_500);
  t.is(at(nu7), (nu7 - last.height) * 75);
  t.is(at(nu7 + 1_000), at(nu7) + 25_000);
  // The year 2027 begins some nine weeks after NU7, not half a year.
  t.is(new Date(timeNear(times, nu7 + 195_000)! * 1000).getUTCFullYear(), 2027);
});

test('between facts that are far apart the chain stays within an hour of a straight line', (t) => {
  // What the script assumes where there are no facts, 140 days and 80,800 blocks at most, held against all those there
  // are: every stretch as long as that at one target spacing.
  const blossom = MAIN.activation.blossom;
  for (const [i, from] of facts.entries()) {
    for (let j = i + 2; j < facts.length && facts[j]!.height - from.height <= 81_000; j++) {
      const to = facts[j]!;
      if ((from.height < blossom && to.height > blossom) || from.height < 500_000) continue;
      for (const { height, time } of facts.slice(i + 1, j)) {
        const straight =
          from.time + ((to.time - from.time) * (height - from.height)) / (to.height - from.height);
        if (Math.abs(time - straight) > STRAYS)
          t.fail(`block ${height} between ${from.height} and ${to.height}`);
      }
    }
  }
  t.pass();
});

test('the time of a height is good to two days, and exact to the hour at the ends', (t) => {
  for (const { height, time } of facts) {
    const near = timeNear(times, height)!;
    if (Math.abs(near - time) > 2 * DAY) t.fail(`block ${height}`);
  }
  t.true(Math.abs(timeNear(times, last.height)! - last.time) <= HOUR);
  t.true(Math.abs(timeNear(times, first.height)! - first.time) <= HOUR);
});

test('of other networks nothing is known', (t) => {
  t.is(blockTimes('test'), undefined);
  t.is(blockTimes('regtest'), undefined);
});
