import test from 'ava';
import { SerialQueue } from '../../../src/async/serialQueue.ts';
import { Reachable } from '../../helpers/garbage.ts';

test('work runs one piece at a time, in the order it was asked for', async (t) => {
  const queue = new SerialQueue();
  const seen: string[] = [];
  const work = (name: string) => async () => {
    seen.push(`${name} begins`);
    await Promise.resolve();
    seen.push(`${name} ends`);
    return name;
  };
  const answers = await Promise.all([queue.run(work('first')), queue.run(work('second'))]);
  t.deepEqual(answers, ['first', 'second']);
  t.deepEqual(seen, ['first begins', 'first ends', 'second begins', 'second ends']);
});

test('work that gives its answer at once waits for its turn too', async (t) => {
  const queue = new SerialQueue();
  const seen: string[] = [];
  const slow = queue.run(async () => {
    await Promise.resolve();
    seen.push('slow');
  });
  await queue.run(() => seen.push('quick'));
  await slow;
  t.deepEqual(seen, ['slow', 'quick']);
});

test('a failure reaches who asked, and does not stop the next', async (t) => {
  const queue = new SerialQueue();
  const failed = queue.run(() => Promise.reject(new Error('no')));
  const next = queue.run(async () => 'next');
  await t.throwsAsync(failed, { message: 'no' });
  t.is(await next, 'next');
  await t.throwsAsync(
    queue.run(() => {
      throw new Error('at once');
    }),
    { message: 'at once' },
  );
});

test('the queue holds neither what the last piece gave nor what it failed with', async (t) => {
  const answered = new SerialQueue();
  const failed = new SerialQueue();
  const reachable = new Reachable();
  await answered.run(async () => reachable.watch({ phrase: 'abandon' }));
  await failed.run(() => Promise.reject(reachable.watch(new Error('no')))).catch(() => undefined);
  t.is(await reachable.count(), 0);
  // Both are in use still.
  t.deepEqual(await Promise.all([answered.run(() => 1), failed.run(() => 2)]), [1, 2]);
});
