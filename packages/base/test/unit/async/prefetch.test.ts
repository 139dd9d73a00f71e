import test from 'ava';
import { prefetch } from '../../../src/async/prefetch.ts';

/** Lets everything that can run without outside help run. */
const settle = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

test('items come in order and then null, for ever', async (t) => {
  async function* source(): AsyncGenerator<number> {
    yield* [1, 2, 3];
  }
  const ahead = prefetch(source(), { capacity: 2 });
  t.deepEqual([await ahead.next(), await ahead.next(), await ahead.next()], [1, 2, 3]);
  t.is(await ahead.next(), null);
  t.is(await ahead.next(), null);
});

test('the source runs ahead until the capacity is reached, measured by cost', async (t) => {
  let made = 0;
  async function* source(): AsyncGenerator<number> {
    for (;;) yield ++made;
  }
  const ahead = prefetch(source(), { capacity: 30, cost: () => 10 });
  await settle();
  t.is(made, 3);
  await ahead.next();
  await settle();
  t.is(made, 4);
  ahead.close();
});

test('a failure comes after the items before it and stays', async (t) => {
  async function* source(): AsyncGenerator<number> {
    yield 1;
    throw new Error('broke');
  }
  const ahead = prefetch(source(), { capacity: 5 });
  await settle();
  t.is(await ahead.next(), 1);
  await t.throwsAsync(ahead.next(), { message: 'broke' });
  await t.throwsAsync(ahead.next(), { message: 'broke' });
});

test('close ends a waiting consumer and the source', async (t) => {
  let ended = false;
  let closes = 0;
  let release = (): void => undefined;
  async function* source(): AsyncGenerator<number> {
    try {
      await new Promise<void>((resolve) => {
        release = resolve;
      });
      yield 1;
    } finally {
      ended = true;
    }
  }
  const ahead = prefetch(source(), { capacity: 1, onClose: () => closes++ });
  const waiting = ahead.next();
  ahead.close();
  ahead.close();
  t.is(await waiting, null);
  release();
  await settle();
  t.true(ended);
  t.is(closes, 1);
});
