import test from 'ava';
import { fetchInOrder } from '../../src/async/inOrder.ts';

async function collect<T>(source: AsyncIterable<T>): Promise<T[]> {
  const items: T[] = [];
  for await (const item of source) items.push(item);
  return items;
}

test('results come in order though later ones are ready first', async (t) => {
  const finish = new Map<number, () => void>();
  const items = collect(
    fetchInOrder(1, 3, 3, (n) => new Promise<number>((resolve) => finish.set(n, () => resolve(n)))),
  );
  for (const n of [3, 2, 1]) finish.get(n)!();
  t.deepEqual(await items, [1, 2, 3]);
});

test('no more than the window is started ahead of the consumer', async (t) => {
  const started: number[] = [];
  const source = fetchInOrder(1, 100, 4, async (n) => {
    started.push(n);
    return n;
  });
  await source.next();
  t.deepEqual(started, [1, 2, 3, 4]);
  await source.next();
  t.deepEqual(started, [1, 2, 3, 4, 5]);
});

test('a failure comes in its place', async (t) => {
  const source = fetchInOrder(1, 9, 4, async (n) => {
    if (n >= 3) throw new Error(`no ${n}`);
    return n;
  });
  t.is((await source.next()).value, 1);
  t.is((await source.next()).value, 2);
  await t.throwsAsync(source.next(), { message: 'no 3' });
  t.true((await source.next()).done);
});

test('an empty range fetches nothing', async (t) => {
  t.deepEqual(await collect(fetchInOrder(5, 4, 4, () => Promise.reject(new Error('asked')))), []);
});
