import { UPGRADES } from '@wallet-companion/zcash/network';
import { NOTE_SCHEMES } from '@wallet-companion/zcash/notes';
import { ACTION_POOLS, POOL, POOLS, perPool, poolsByNumber } from '@wallet-companion/zcash/pools';
import { addLeaves, EMPTY_TREES, equalSizes, leafCount, subtractLeaves } from '@wallet-companion/zcash/trees';
import test from 'ava';
import { POOL_NAMES } from '../../src/protocol/fields.ts';

test('the API names the pools of the table, in its order', (t) => {
  t.deepEqual([...POOL_NAMES], [...POOLS]);
});

test('note stores go on reading what they wrote', (t) => {
  const { sapling, orchard, ironwood } = perPool((pool) => POOL[pool].storedNumber);
  t.deepEqual([sapling, orchard, ironwood], [0, 1, 2]);
});

for (const column of ['storedNumber', 'chainMetadataField', 'compactOutputsField'] as const) {
  test(`no two pools share a ${column}`, (t) => {
    const byNumber = poolsByNumber(POOLS, column);
    t.deepEqual(
      POOLS.filter((pool) => byNumber[POOL[pool][column]] !== pool),
      [],
    );
  });
}

test('pools come in the order of the upgrades that activate them', (t) => {
  const order = UPGRADES.map(({ key }): string => key);
  const places = POOLS.map((pool) => order.indexOf(POOL[pool].activation));
  t.deepEqual(
    places,
    places.toSorted((a, b) => a - b),
  );
});

test('every scheme is that of its pool', (t) => {
  t.deepEqual(
    perPool((pool) => NOTE_SCHEMES[pool].pool),
    perPool((pool) => pool),
  );
});

test('lead bytes fit into the masks of a scan, and the first rule needs no upgrade', (t) => {
  for (const pool of POOLS) {
    const [first, ...later] = POOL[pool].leadBytes;
    t.is(first?.from, undefined);
    t.true(later.every(({ from }) => from !== undefined));
    for (const { allowed } of POOL[pool].leadBytes) t.true(allowed.every((byte) => byte >= 1 && byte <= 8));
  }
});

test('outputs have a rho exactly in pools of actions', (t) => {
  t.deepEqual(
    POOLS.filter((pool) => POOL[pool].hasRho),
    [...ACTION_POOLS],
  );
});

test('leaves of all pools are added, taken away, summed up and compared', (t) => {
  const sizes = perPool((pool) => POOLS.indexOf(pool) + 10);
  const counts = perPool((pool) => 2 * POOLS.indexOf(pool) + 1);
  const sum = addLeaves(sizes, counts);
  t.deepEqual(
    sum,
    perPool((pool) => 3 * POOLS.indexOf(pool) + 11),
  );
  t.deepEqual(subtractLeaves(sum, counts), sizes);
  t.is(leafCount(sum), 11 + 14 + 17);
  t.true(equalSizes(EMPTY_TREES, { ...EMPTY_TREES }));
  for (const pool of POOLS) t.false(equalSizes(EMPTY_TREES, { ...EMPTY_TREES, [pool]: 1 }));
});
