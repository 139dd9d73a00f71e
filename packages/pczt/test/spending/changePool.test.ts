// Where change may go, pool by pool.

import { regtestParameters } from '@wallet-companion/zcash/network';
import type { Pool } from '@wallet-companion/zcash/pools';
import test from 'ava';
import { changePools, takesChange } from '../../src/spending/changePool.ts';
import { rulesAt } from '../../src/spending/rules.ts';
import { PARAMS, TARGET_HEIGHT } from '../helpers/spendingAccount.ts';

const rules = rulesAt(PARAMS, TARGET_HEIGHT);
const before = rulesAt(regtestParameters({ nu6_3: undefined }), TARGET_HEIGHT);
const spends = (...pools: Pool[]) =>
  pools.map((pool) => ({ pool, zatoshi: 1000, height: 1, position: 0, isChange: false, isReserved: false }));
const any = (): boolean => true;

test('kept, it stays where it comes from: Orchard first, then Ironwood, then Sapling', (t) => {
  t.deepEqual(changePools(spends('sapling'), [], 'kept', rules, any), ['sapling', 'ironwood']);
  t.deepEqual(changePools(spends('orchard'), [], 'kept', rules, any), ['orchard', 'ironwood']);
  t.deepEqual(changePools(spends('sapling', 'ironwood', 'orchard'), [], 'kept', rules, any), [
    'orchard',
    'ironwood',
    'sapling',
  ]);
});

test('by default it leaves Sapling where the payment crosses pools anyway, and reveals nothing more elsewhere', (t) => {
  const poolsOf = (from: Pool[], ...to: (Pool | 'transparent')[]) =>
    changePools(
      spends(...from),
      to.map((place) => ({ place })),
      undefined,
      rules,
      any,
    );
  t.deepEqual(poolsOf(['sapling'], 'ironwood'), ['ironwood', 'sapling']);
  t.deepEqual(poolsOf(['sapling'], 'sapling', 'ironwood'), ['ironwood', 'sapling']);
  t.is(poolsOf(['sapling'], 'sapling')[0], 'sapling');
  t.is(poolsOf(['sapling'], 'transparent')[0], 'sapling');
  t.deepEqual(poolsOf(['sapling', 'orchard'], 'sapling'), ['orchard', 'ironwood', 'sapling']);
  t.is(poolsOf(['orchard'], 'ironwood')[0], 'orchard');
});

test('moved, it goes to the newest pool that there is', (t) => {
  t.is(changePools(spends('sapling', 'orchard'), [], 'moved', rules, any)[0], 'ironwood');
  t.is(changePools(spends('orchard'), [], 'moved', before, any)[0], 'orchard');
  t.deepEqual(
    changePools(spends('sapling'), [], 'moved', rules, (pool) => pool === 'sapling'),
    ['sapling'],
  );
});

test('into a pool that is being left, strictly less returns than leaves', (t) => {
  t.true(takesChange('orchard', 999, spends('orchard', 'ironwood'), rules));
  t.false(takesChange('orchard', 1000, spends('orchard', 'ironwood'), rules));
  t.true(takesChange('orchard', 1000, spends('orchard', 'ironwood'), before));
  t.true(takesChange('ironwood', 5000, spends('orchard'), rules));
});
