import { getEventListeners } from 'node:events';
import { setImmediate as turn } from 'node:timers/promises';
import test from 'ava';
import fc from 'fast-check';
import { integers, mapInOrder } from '../../../src/async/inOrder.ts';
import { runs } from '../../helpers/atLength.ts';
import { Reachable } from '../../helpers/garbage.ts';

async function collect<T>(source: AsyncIterable<T>): Promise<T[]> {
  const items: T[] = [];
  for await (const item of source) items.push(item);
  return items;
}

interface Course {
  readonly window: number;
  /** What each item's work does. */
  readonly items: readonly ('works' | 'fails')[];
  readonly sourceFails: boolean;
  /** The consumer leaves after so many results. */
  readonly leaveAfter: number | undefined;
}

interface Outcome {
  readonly results: readonly number[];
  readonly failure: string | undefined;
}

const courses = fc.record<Course>({
  window: fc.integer({ min: 1, max: 6 }),
  items: fc.array(fc.constantFrom('works', 'works', 'works', 'works', 'fails'), { maxLength: 20 }),
  sourceFails: fc.boolean(),
  leaveAfter: fc.option(fc.integer({ min: 1, max: 20 }), { nil: undefined }),
});

/** One after the other, without any window. */
function sequential({ items, sourceFails, leaveAfter }: Course): Outcome {
  const results: number[] = [];
  for (const [n, item] of items.entries()) {
    if (item === 'fails') return { results, failure: `no ${n}` };
    results.push(n);
    if (results.length === leaveAfter) return { results, failure: undefined };
  }
  return { results, failure: sourceFails ? 'no source' : undefined };
}

test('in whatever order work ends, the outcome is that of one after the other', async (t) => {
  const outcomes = new Set<string>();
  await fc.assert(
    fc.asyncProperty(courses, fc.scheduler(), async (course, scheduler) => {
      const { window, items, sourceFails, leaveAfter } = course;
      let sourceEnds = 0;
      let underWay = 0;
      let started = 0;
      const results: number[] = [];
      async function* source(): AsyncGenerator<number, void, void> {
        try {
          for (const n of items.keys()) {
            await scheduler.schedule(Promise.resolve());
            yield n;
          }
          if (sourceFails) throw new Error('no source');
        } finally {
          sourceEnds++;
        }
      }
      const work = async (n: number): Promise<number> => {
        t.is(n, started++, 'work begins in order');
        underWay++;
        t.true(started - results.length <= window, 'the window holds');
        await scheduler.schedule(Promise.resolve());
        underWay--;
        if (items[n] === 'fails') throw new Error(`no ${n}`);
        return n;
      };
      const run = async (): Promise<Outcome> => {
        try {
          for await (const result of mapInOrder(source(), window, work)) {
            results.push(result);
            if (results.length === leaveAfter) break;
          }
          return { results, failure: undefined };
        } catch (error) {
          return { results, failure: (error as Error).message };
        } finally {
          t.is(sourceEnds, 1, 'the source has ended');
          t.is(underWay, 0, 'nothing goes on');
        }
      };
      const outcome = await scheduler.waitFor(run());
      t.deepEqual(outcome, sequential(course));
      outcomes.add(`${outcome.failure?.replace(/\d+/, 'n')}, left ${outcome.results.length === leaveAfter}`);
    }),
    { numRuns: runs(100, 500) },
  );
  // Every way to end was met.
  t.deepEqual([...outcomes].sort(), [
    'no n, left false',
    'no source, left false',
    'undefined, left false',
    'undefined, left true',
  ]);
});

test('a failure that waits for its turn, or gets none, is no unhandled one', async (t) => {
  const unhandled: unknown[] = [];
  const note = (reason: unknown): void => void unhandled.push(reason);
  process.on('unhandledRejection', note);
  t.teardown(() => process.off('unhandledRejection', note));
  let release = (): void => undefined;
  const gate = new Promise<void>((resolve) => {
    release = resolve;
  });
  const results = mapInOrder(integers(1, 3), 3, async (n) => {
    if (n > 1) throw new Error(`no ${n}`);
    await gate;
    return n;
  });
  const first = results.next();
  await turn();
  await turn();
  release();
  t.is((await first).value, 1);
  await t.throwsAsync(results.next(), { message: 'no 2' });
  await turn();
  t.deepEqual(unhandled, []);
});

test('the window is filled ahead of the consumer, and one more begins for each that is taken', async (t) => {
  const started: number[] = [];
  const results = mapInOrder(integers(1, 100), 4, async (n) => {
    started.push(n);
    return n;
  });
  t.is((await results.next()).value, 1);
  t.deepEqual(started, [1, 2, 3, 4]);
  await turn();
  t.deepEqual(started, [1, 2, 3, 4]);
  t.is((await results.next()).value, 2);
  t.deepEqual(started, [1, 2, 3, 4, 5]);
  await results.return();
});

test('without items nothing is worked on', async (t) => {
  t.deepEqual(await collect(mapInOrder(integers(5, 4), 4, () => Promise.reject(new Error('asked')))), []);
});

test('work that throws at once fails in its place too', async (t) => {
  const results = mapInOrder(integers(1, 3), 3, (n) => {
    if (n === 2) throw new Error('at once');
    return Promise.resolve(n);
  });
  t.is((await results.next()).value, 1);
  await t.throwsAsync(results.next(), { message: 'at once' });
  t.true((await results.next()).done);
});

/** Ends when its signal says so, and never else. */
const untilAborted = (signal: AbortSignal): Promise<never> =>
  new Promise((_resolve, reject) => {
    if (signal.aborted) reject(signal.reason);
    else signal.addEventListener('abort', () => reject(signal.reason), { once: true });
  });

for (const how of ['fails', 'is left'] as const) {
  test(`work under way is aborted when one ${how}, and waited for`, async (t) => {
    let reported = 0;
    const results = mapInOrder(integers(1, 9), 4, async (n, signal) => {
      if (n === 1) return n;
      if (n === 2 && how === 'fails') throw new Error('no 2');
      await untilAborted(signal).finally(() => reported++);
      return n;
    });
    t.is((await results.next()).value, 1);
    if (how === 'fails') await t.throwsAsync(results.next(), { message: 'no 2' });
    else await results.return();
    t.is(reported, 3);
  });
}

test('who aborts ends the work under way, with their reason, and leaves no trace in their signal', async (t) => {
  const own = new AbortController();
  const results = mapInOrder(integers(1, 9), 3, (_n, ending) => untilAborted(ending), own.signal);
  const first = results.next();
  await turn();
  t.is(getEventListeners(own.signal, 'abort').length, 1);
  own.abort(new Error('closed'));
  await t.throwsAsync(first, { message: 'closed' });
  await t.throwsAsync(
    mapInOrder(integers(1, 9), 3, (_n, ending) => untilAborted(ending), own.signal).next(),
    { message: 'closed' },
  );
  const other = new AbortController();
  t.deepEqual(await collect(mapInOrder(integers(1, 3), 2, async (n) => n, other.signal)), [1, 2, 3]);
  t.is(getEventListeners(other.signal, 'abort').length, 0);
});

for (const window of [1, 3]) {
  test(`with a window of ${window} no result is held once it was given`, async (t) => {
    const reachable = new Reachable();
    const results = mapInOrder(integers(1, 9), window, async (n) =>
      n <= 4 ? reachable.watch({ n }) : { n },
    );
    const take = async (): Promise<unknown> => (await results.next()).value?.n;
    for (const n of [1, 2, 3, 4]) t.is(await take(), n);
    t.is(reachable.watched, 4);
    t.is(await reachable.count(), 0);
    t.is(await take(), 5);
  });
}
