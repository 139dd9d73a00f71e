import test from 'ava';
import { MAIN, regtestParameters } from '../src/zcash/network.ts';
import { feePerAction } from '../src/zcash/zip317.ts';

/** ZIP 2009 as it was drafted. */
const LOWERED = [
  { zatoshi: 5_000, main: 0, test: 0, regtest: 0 },
  { zatoshi: 1_000, main: 3_590_000, test: 0, regtest: 0 },
];

test('the fee of an action changes at a height of its network, and a setting only lowers it', (t) => {
  const at = (height: number, setting?: number) => feePerAction(MAIN, height, setting, LOWERED);
  t.deepEqual(
    [at(0), at(3_589_999), at(3_590_000), at(Number.POSITIVE_INFINITY)],
    [5_000, 5_000, 1_000, 1_000],
  );
  t.deepEqual([at(3_589_999, 5_000), at(3_589_999, 2_000), at(3_590_000, 5_000)], [5_000, 2_000, 1_000]);
  t.is(feePerAction(regtestParameters(), 1, undefined, LOWERED), 1_000);
  t.is(feePerAction(MAIN, 3_590_000), 5_000);
});
