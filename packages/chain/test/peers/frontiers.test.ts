// The trees that come with the program, and where regtest begins.
import { MAIN, regtestParameters, TEST } from '@wallet-companion/zcash/network';
import { POOLS } from '@wallet-companion/zcash/pools';
import test from 'ava';
import { type Frontier, frontierBelow } from '../../src/chain/peers/frontiers.ts';

const all = (parameters: typeof MAIN): Frontier[] => {
  const found: Frontier[] = [];
  for (let at = frontierBelow(parameters); at !== undefined; at = frontierBelow(parameters, at.trees.height))
    found.unshift(at);
  return found;
};

test('the shipped trees grow from one to the next, and headers between two known blocks lead to each', (t) => {
  for (const [parameters, count] of [
    [MAIN, 52],
    [TEST, 4],
  ] as const) {
    const found = all(parameters);
    t.true(found.length >= count, `${found.length}`);
    for (const [i, { trees, start }] of found.entries()) {
      t.true('at' in start && start.at.height === trees.height && trees.height - start.below.height >= 400);
      for (const pool of POOLS)
        t.true(trees.states[pool].size >= (found[i - 1]?.trees.states[pool].size ?? 0), `${trees.height}`);
    }
  }
  const { trees } = all(MAIN).find(({ trees: { height } }) => height === 3_444_780)!;
  t.is(trees.states.sapling.size, 73_944_707);
  t.is(trees.states.orchard.size, 50_362_760);
  t.is(trees.states.ironwood.size, 48_335);
});

test('one below the block that is read first is taken, and regtest begins with its first block', (t) => {
  t.is(frontierBelow(MAIN, 3_444_781)?.trees.height, 3_444_780);
  t.is(frontierBelow(MAIN, 3_444_780)?.trees.height, 3_442_280);
  t.is(frontierBelow(MAIN, 2_900_000), undefined);
  t.like(frontierBelow(regtestParameters(), 500)?.trees, { height: 0 });
});
