import { NODE_BYTES, TREE_HASH } from '@wallet-companion/zcash/trees';
import test from 'ava';
import { poolHash } from '../../../../src/actors/wallet/witnesses/poolHash.ts';
import { TREE_TASKS } from '../../../helpers/treeTasks.ts';

test('a whole level goes to the pool in pieces of a bounded size, and comes back in order', async (t) => {
  const sizes: number[] = [];
  let running = 0;
  let most = 0;
  const pool = {
    concurrency: 3,
    // Later pieces are done first; the work itself does not matter here.
    combine: async (_protocol: string, level: number, nodes: Uint8Array) => {
      t.is(nodes.buffer.byteLength, nodes.length);
      sizes.push(nodes.length / NODE_BYTES);
      most = Math.max(most, ++running);
      for (let i = sizes.length; i < 20; i++) await Promise.resolve();
      running--;
      return Uint8Array.from(
        { length: nodes.length / 2 },
        (_, i) => nodes[2 * i - (i % NODE_BYTES)]! + level,
      );
    },
  };
  const count = 5_000;
  const nodes = new Uint8Array(count * NODE_BYTES);
  for (let i = 0; i < count; i++) nodes.fill(Math.floor(i / 2) % 251, i * NODE_BYTES, (i + 1) * NODE_BYTES);
  const joined = await poolHash(pool, 'orchard').combineLevel(4, nodes);
  t.is(joined.length, (count / 2) * NODE_BYTES);
  for (let i = 0; i < count / 2; i++) t.is(joined[i * NODE_BYTES], (i % 251) + 4);
  t.true(Math.max(...sizes) <= 1_024);
  t.true(most > 1 && most <= 4);
});

for (const protocol of ['sapling', 'orchard'] as const) {
  test(`${protocol}: empty roots, as the reference has them, and each hashed once`, async (t) => {
    let hashed = 0;
    const pool = {
      concurrency: 1,
      combine: (...asked: Parameters<typeof TREE_TASKS.combine>) => {
        hashed++;
        return TREE_TASKS.combine(...asked);
      },
    };
    for (const height of [3, 0, 12, 5]) {
      t.deepEqual(await poolHash(pool, protocol).emptyRoot(height), TREE_HASH[protocol].emptyRoot(height));
    }
    t.is(hashed, 12);
  });
}
