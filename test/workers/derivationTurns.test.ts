// Keys of passwords are derived one at a time, whichever thread does it, and a thread that is lost holds nobody up.

import test from 'ava';
import { DerivationQueue, DerivationTurns } from '../../src/workers/derivationTurns.ts';
import type { MainMethods } from '../../src/workers/threadMethods.ts';
import { channelTo } from '../helpers/channelPair.ts';

/** Both sides of a thread. */
class Thread {
  readonly queue: DerivationQueue;
  end: () => void = () => undefined;

  constructor(turns: DerivationTurns) {
    const ended = new Promise<void>((resolve) => {
      this.end = resolve;
    });
    const { take, done } = turns.join(ended);
    const methods = { calls: { derivationTurn: take }, events: { derivationDone: done } };
    this.queue = new DerivationQueue(channelTo(methods as unknown as MainMethods));
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
  return Array.from({ length: count }, () => new Thread(turns));
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
  two.end();
  one.end();
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

test('nothing of a turn that is over waits for the thread’s end', async (t) => {
  let waits = 0;
  const never = new Promise<void>(() => {});
  const ended = new Proxy(never, { get: () => () => waits++ });
  const { take, done } = new DerivationTurns().join(ended);
  for (let turn = 0; turn < 3; turn++) {
    await take();
    done();
  }
  t.is(waits, 1);
});
