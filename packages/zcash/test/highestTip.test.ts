import test from 'ava';
import { dueTip, highestTip } from '../src/zcash/blockSpacing.ts';
import { MAIN, regtestParameters, TEST } from '../src/zcash/network.ts';

const { height, time } = MAIN.knownBlock!;
const SLACK = 10_000;
const DAY = 86_400;

test('the clock allows the known block, what may have come since, and some slack', (t) => {
  t.is(highestTip(MAIN, time), height + SLACK);
  // 25 % faster than one in 75 seconds.
  t.is(highestTip(MAIN, time + 60), height + SLACK + 1);
  t.is(highestTip(MAIN, time + 10 * DAY), height + SLACK + 14_400);
});

test('from NU7 on blocks come three times as fast', (t) => {
  const nu7 = MAIN.activation.nu7!;
  const reached = time + ((nu7 - height) * 75) / 1.25;
  t.is(highestTip(MAIN, reached), nu7 + SLACK);
  t.is(highestTip(MAIN, reached + DAY), nu7 + SLACK + (DAY * 1.25) / 25);
});

test('a chain on schedule is always possible', (t) => {
  const nu7 = MAIN.activation.nu7!;
  for (let days = 0; days <= 4_000; days++) {
    const at75 = height + (days * DAY) / 75;
    const onTime = at75 <= nu7 ? at75 : nu7 + ((at75 - nu7) * 75) / 25;
    const highest = highestTip(MAIN, time + days * DAY)!;
    t.true(Math.abs(dueTip(MAIN, time + days * DAY)! - onTime) <= 1, `after ${days} days`);
    t.true(highest >= onTime + SLACK - 1 && highest < 2 ** 31, `after ${days} days`);
  }
});

test('a clock before the known block gives no tip, nor does any on other networks', (t) => {
  t.is(highestTip(MAIN, time - 1), undefined);
  t.is(highestTip(TEST, time + DAY), undefined);
  t.is(highestTip(regtestParameters(), time + DAY), undefined);
});
