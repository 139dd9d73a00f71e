// Concurrent work with results in order.

import { following } from './abort.ts';

type Source<S> = Iterable<S> | AsyncIterable<S>;

/**
 * Yields the results of `work` for each item, in the order of the items. At most `window` of them are started and not
 * yet consumed: that bounds both the running work and the memory of waiting results. A failure, the source's too, comes
 * in its place after the results before it, and ends everything. A failure or an early end of the loop closes the
 * source and aborts the signal passed to `work`, which follows `signal`; nothing goes on afterwards.
 */
export async function* mapInOrder<S, T>(
  source: Source<S>,
  window: number,
  work: (item: S, signal: AbortSignal) => Promise<T>,
  signal?: AbortSignal,
): AsyncGenerator<T, void, void> {
  const ending = following(signal);
  const started: Promise<T>[] = [];
  try {
    for await (const begin of tasks(source, work, ending.signal)) {
      started.push(heard(begin()));
      if (started.length >= window) yield await started.shift()!;
    }
    while (started.length > 0) yield await started.shift()!;
  } finally {
    ending.unfollow();
    ending.abort();
    await Promise.allSettled(started);
  }
}

/** One task for each item. A failing source adds its failure as the last task: it has its place among the results. */
async function* tasks<S, T>(
  source: Source<S>,
  work: (item: S, signal: AbortSignal) => Promise<T>,
  signal: AbortSignal,
): AsyncGenerator<() => Promise<T>, void, void> {
  try {
    for await (const item of source) yield async () => work(item, signal);
  } catch (error) {
    yield () => Promise.reject(error);
  }
}

/** It may fail before its turn, or never get one: that must not count as an unhandled rejection. */
function heard<T>(result: Promise<T>): Promise<T> {
  result.catch(() => undefined);
  return result;
}

/** `start` to `end`, both included. */
export function* integers(start: number, end: number): Generator<number, void, void> {
  for (let n = start; n <= end; n++) yield n;
}
