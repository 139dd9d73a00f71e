import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import test from 'ava';
import fc from 'fast-check';
import { ExpectedOutputs } from '../src/zcash/expectedOutputs.ts';
import { MAIN } from '../src/zcash/network.ts';
import { fixturePath, packagePath } from './helpers/fixtures.ts';

const SAPLING = MAIN.activation.sapling;

/** Outputs of all pools of the main chain up to a height: facts, apart from the table made of them. */
const facts = readFileSync(fixturePath('main-chain-outputs.csv'), 'utf8')
  .trim()
  .split('\n')
  .slice(1)
  .map((line) => {
    const [height = 0, , ...pools] = line.split(',').map(Number);
    return { height, outputs: pools.reduce((sum, count) => sum + count, 0) };
  });
const last = facts.at(-1)!;

test('the table is what its script makes of the facts (node packages/zcash/scripts/outputTable.mjs)', (t) => {
  const { stdout } = spawnSync(process.execPath, [packagePath('scripts/outputTable.mjs'), '--print'], {
    encoding: 'utf8',
  });
  t.is(readFileSync(packagePath('src/zcash/outputTable.ts'), 'utf8'), stdout);
});

test('by the table alone, no height of the main chain is off by more than a thousandth of all outputs', (t) => {
  const expected = new ExpectedOutputs('main', SAPLING, []);
  for (const { height, outputs } of facts) {
    const off = Math.abs(expected.upTo(height) - outputs);
    if (off > last.outputs / 800) t.fail(`${height}: ${off}`);
  }
  t.is(expected.upTo(last.height), last.outputs);
  t.is(expected.upTo(SAPLING - 1), 0);
  t.is(expected.upTo(0), 0);
  // 97 % of them lie in 17 % of the blocks.
  const flood = expected.upTo(2_200_000) - expected.upTo(1_700_000);
  t.true(flood / last.outputs > 0.96);
});

test('beyond the table the chain goes on as it did last', (t) => {
  const expected = new ExpectedOutputs('main', SAPLING, []);
  const perBlock = (from: number) => (expected.upTo(from + 10_000) - expected.upTo(from)) / 10_000;
  const recent = facts.findLast(({ height }) => height <= last.height - 19_000)!;
  const before = (last.outputs - recent.outputs) / (last.height - recent.height);
  t.true(Math.abs(perBlock(last.height) / before - 1) < 0.01, `${perBlock(last.height)} after ${before}`);
  // As many in a day; blocks come three times as often.
  const since = perBlock(MAIN.activation.nu7!);
  t.true(Math.abs(since / before - 1 / 3) < 0.01, `${since} since NU7`);
});

test('known tree sizes are believed, and what lies between keeps its shape', (t) => {
  const known = [
    { height: 1_650_000, outputs: 1_000_000 },
    { height: 2_300_000, outputs: 241_000_000 },
  ];
  const expected = new ExpectedOutputs('main', SAPLING, known);
  const table = new ExpectedOutputs('main', SAPLING, []);
  for (const { height, outputs } of known) t.is(expected.upTo(height), outputs);
  const share = (at: ExpectedOutputs, height: number): number =>
    (at.upTo(height) - at.upTo(1_650_000)) / (at.upTo(2_300_000) - at.upTo(1_650_000));
  for (const height of [1_700_000, 1_800_000, 2_000_000, 2_200_000])
    t.true(Math.abs(share(expected, height) - share(table, height)) < 1e-9);
  const above = expected.upTo(2_301_000) - 241_000_000;
  t.true(Math.abs(above - (table.upTo(2_301_000) - table.upTo(2_300_000))) < 1e-3);
});

test('on other networks blocks count alike until tree sizes are known', (t) => {
  const unknown = new ExpectedOutputs('test', 280_000, []);
  t.is(unknown.upTo(3_000_000), 0);
  const known = [
    { height: 380_000 - 1, outputs: 50_000 },
    { height: 480_000 - 1, outputs: 1_050_000 },
  ];
  const reported = new ExpectedOutputs('test', 280_000, known);
  t.is(reported.upTo(330_000 - 1), 25_000);
  t.is(reported.upTo(430_000 - 1), 550_000);
  t.is(reported.upTo(680_000 - 1), 1_050_000 * 2);
});

test('what is expected never falls with the height', (t) => {
  const height = fc.integer({ min: 1, max: 3_600_000 });
  const row = fc.record({ height, outputs: fc.integer({ min: 0, max: 1e6 }) });
  fc.assert(
    fc.property(
      fc.constantFrom('main', 'test' as const),
      fc.array(row, { maxLength: 6 }),
      fc.array(height),
      (network, steps, at) => {
        const known: { height: number; outputs: number }[] = [];
        for (const step of [...steps].sort((a, b) => a.height - b.height)) {
          const outputs = (known.at(-1)?.outputs ?? 0) + (step.height < SAPLING ? 0 : step.outputs);
          if (step.height !== known.at(-1)?.height) known.push({ height: step.height, outputs });
        }
        const expected = new ExpectedOutputs(network, SAPLING, known);
        const reported = at.sort((a, b) => a - b).map((h) => expected.upTo(h));
        return reported.every((count, i) => Number.isFinite(count) && count >= (reported[i - 1] ?? 0) - 1e-6);
      },
    ),
  );
  t.pass();
});
