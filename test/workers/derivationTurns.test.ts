// Keys of passwords are derived one at a time, whichever thread does it, and a thread that is lost holds nobody up.

import { EventEmitter } from 'node:events';
import type { Worker } from 'node:worker_threads';
import test from 'ava';
import { DerivationQueue, DerivationTurns } from '../../src/workers/derivationTurns.ts';
import type { FromWalletThread } from '../../src/workers/threadMessages.ts';

/** Both sides of a thread, with messages that arrive at once. */
class Thread extends EventEmitter {
  readonly queue: DerivationQueue = new DerivationQueue((message) => void this.emit('message', message));
  postMessage(message: FromWalletThread): void {
    if ((message.kind as string) === 'derive') this.queue.grant();
  }
}

interface Derivation {
  readonly began: () => boolean;
  readonly end: () => void;
  readonly ended: Promise<unknown>;
}

function derive(thread: Thread): Derivation {
  let hasBegun = false;
  let end: () => void = () => undefined;
  const ended = thread.queue.run(
    () =>
      new Promise<void>((resolve) => {
        hasBegun = true;
        end = resolve;
      }),
  );
  return { began: () => hasBegun, end: () => end(), ended };
}

const settled = () => new Promise((resolve) => setImmediate(resolve));

function threads(count: number): Thread[] {
  const turns = new DerivationTurns();
  return Array.from({ length: count }, () => {
    const thread = new Thread();
    turns.listen(thread as unknown as Worker);
    return thread;
  });
}

test('one after the other, in the order in which they ask', async (t) => {
  const [one, two] = threads(2) as [Thread, Thread];
  const line = [derive(one), derive(two), derive(one)];
  const began = () => line.map((derivation) => derivation.began());
  await settled();
  t.deepEqual(began(), [true, false, false]);
  line[0]!.end();
  await settled();
  t.deepEqual(began(), [true, true, false]);
  line[1]!.end();
  await settled();
  t.deepEqual(began(), [true, true, true]);
  line[2]!.end();
  await Promise.all(line.map(({ ended }) => ended));
});

test('a thread that ends gives its turn up, and its place in the line', async (t) => {
  const [one, two, three] = threads(3) as [Thread, Thread, Thread];
  const [first, second, third] = [derive(one), derive(two), derive(three)];
  await settled();
  t.true(first.began());
  two.emit('exit');
  one.emit('exit');
  await settled();
  t.false(second.began());
  t.true(third.began());
});

test('a derivation that fails is one that is done', async (t) => {
  const [one, two] = threads(2) as [Thread, Thread];
  const failing = one.queue.run(() => Promise.reject(new Error('no memory')));
  const next = derive(two);
  await t.throwsAsync(failing, { message: 'no memory' });
  await settled();
  t.true(next.began());
});
