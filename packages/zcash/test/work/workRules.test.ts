import { hexToBytes } from '@wallet-companion/base/bytes';

import test from 'ava';
import fc from 'fast-check';
import { parseHeader } from '../../src/zcash/encoding/header.ts';
import { networkParameters, regtestParameters } from '../../src/zcash/network.ts';
import { compactTarget, targetOf, workOf } from '../../src/zcash/work/target.ts';
import {
  expectedBits,
  headersBefore,
  isTimely,
  MAIN_WORK,
  ownWork,
  type PacedHeader,
  regtestWork,
  TEST_WORK,
  type WorkRules,
  workRules,
} from '../../src/zcash/work/workRules.ts';
import { readVectors } from '../helpers/readVectors.ts';

interface Mined {
  readonly meta: {
    readonly limit: string;
    readonly heights: { readonly NU7: number; readonly Blossom: number };
  };
}

const own = ({ limit, heights }: Mined['meta'], smallProblem = false): WorkRules => {
  const later = { blossom: heights.Blossom, nu7: heights.NU7 };
  const { activation } = regtestParameters({ sapling: 0, ...later });
  return ownWork(activation, BigInt(`0x${limit}`), smallProblem ? { n: 48, k: 5 } : undefined);
};

/** Every header from the second on has the bits that those before it give. */
function findWrongTarget(rules: WorkRules, headers: readonly PacedHeader[]): number | undefined {
  for (const [height, { bits, time }] of headers.entries()) {
    if (height === 0) continue;
    const before = headers.slice(Math.max(0, height - headersBefore(rules, height)), height).reverse();
    if (expectedBits(rules, height, time, before) !== bits || !isTimely(rules, height, time, before))
      return height;
  }
  return undefined;
}

test('the targets of a chain that zebrad mined with NU7 follow from its times: peers/work_headers_nu7', (t) => {
  const { meta, headers } = readVectors<Mined & { headers: string[] }>('peers/work_headers_nu7');
  // It begins with the public test network's first block.
  const { cases } = readVectors<{ cases: { network: string; height: number; header: string }[] }>(
    'peers/real_headers',
  );
  const genesis = cases.find(({ network, height }) => network === 'test' && height === 0)!;
  const parsed = [genesis.header, ...headers].map((hex) => parseHeader(hexToBytes(hex)));
  t.true(new Set(parsed.map(({ bits }) => bits)).size > 10);
  t.is(findWrongTarget(own(meta), parsed), undefined);
});

test('the targets of a chain across Blossom and NU7 follow from its times: peers/small_chain', (t) => {
  const { meta, cases } = readVectors<{
    meta: { target_limit: string; heights: Mined['meta']['heights'] };
    cases: PacedHeader[];
  }>('peers/small_chain');
  const rules = own({ limit: meta.target_limit, heights: meta.heights }, true);
  t.is(findWrongTarget(rules, cases), undefined);
  // A window of another length, or a spacing of another upgrade, gives other bits somewhere.
  const moved = own({ limit: meta.target_limit, heights: { ...meta.heights, NU7: meta.heights.NU7 + 1 } });
  t.not(findWrongTarget(moved, cases), undefined);
});

test('a block after a long gap has the greatest target on test networks and on no other', (t) => {
  const before = Array.from({ length: 113 }, (_, i) => ({ bits: 0x1d00ffff, time: 1_000_000 - 25 * i }));
  for (const [rules, height, gap] of [
    [TEST_WORK, 4_465_026, 450],
    [TEST_WORK, 4_465_025, 450],
    [TEST_WORK, 299_188, 900],
  ] as const) {
    t.not(expectedBits(rules, height, 1_000_000 + gap, before), compactTarget(rules.limit));
    t.is(expectedBits(rules, height, 1_000_001 + gap, before), compactTarget(rules.limit));
  }
  t.not(expectedBits(TEST_WORK, 299_187, 1_100_000, before), compactTarget(TEST_WORK.limit));
  t.not(expectedBits(MAIN_WORK, 3_543_405, 1_100_000, before), compactTarget(MAIN_WORK.limit));
  t.is(expectedBits(regtestWork(TEST_WORK.activation), 5, 1_000_001, before), 0x200f0f0f);
});

test('the limits of the public networks have their known compact forms', (t) => {
  t.is(compactTarget(workRules(networkParameters('main')).limit), 0x1f07ffff);
  t.is(compactTarget(workRules(networkParameters('test')).limit), 0x2007ffff);
  t.is(compactTarget(workRules(networkParameters('regtest')).limit), 0x200f0f0f);
});

test('a time is later than the median before it, and at most 90 minutes', (t) => {
  const before = Array.from({ length: 28 }, (_, i) => ({ bits: 1, time: 10_000 - 100 * i }));
  for (const [time, answer] of [
    [9_500, false],
    [9_501, true],
    [9_500 + 5_400, true],
    [9_500 + 5_401, false],
  ] as const) {
    t.is(isTimely(MAIN_WORK, 419_200, time, before), answer, String(time));
    t.is(isTimely(TEST_WORK, 653_605, time, before), time > 9_500);
  }
});

test('a compact target is the greatest that is not above the target', (t) => {
  fc.assert(
    fc.property(fc.bigInt(1n, (1n << 256n) - 1n), fc.nat(250), (value, shift) => {
      const target = value >> BigInt(shift) || 1n;
      const bits = compactTarget(target);
      const back = targetOf(bits)!;
      t.true(back <= target && target - back < target / 32_768n + 1n);
      t.is(compactTarget(back), bits);
      t.true(workOf(back) >= workOf(target));
    }),
  );
  for (const bits of [0, 0x1d800000, 0x01800001, 0x21010000, 0x23000001, 0x02000000, 0xff7fffff])
    t.is(targetOf(bits), undefined, bits.toString(16));
  t.is(targetOf(0x01123456), 0x12n);
  t.is(targetOf(0x03123456), 0x123456n);
  t.is(workOf((1n << 256n) - 1n), 1n);
  t.is(workOf(targetOf(0x1d00ffff)!), 4_295_032_833n);
});
