// Concurrent fetching with results in order.

/**
 * Yields `fetch(n)` for n from `start` to `end`, in order, with at most `window` of them started and not yet consumed:
 * this bounds both the requests under way and the memory for results that wait.
 */
export async function* fetchInOrder<T>(
  start: number,
  end: number,
  window: number,
  fetch: (n: number) => Promise<T>,
): AsyncGenerator<T, void, void> {
  const started: Promise<T>[] = [];
  let next = start;
  while (next <= end || started.length > 0) {
    while (next <= end && started.length < window) {
      const result = fetch(next++);
      // A later one may fail before its turn, or never get one, which must not count as an unhandled rejection.
      result.catch(() => undefined);
      started.push(result);
    }
    yield await started.shift()!;
  }
}
