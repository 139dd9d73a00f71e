// Runs an async source ahead of its consumer, by a bounded amount.

export interface Prefetched<T> {
  /** Null after the last item. A failure of the source comes after the items before it, and again at later calls. */
  next(): Promise<T | null>;
  /** Ends the source; idempotent. `next` then returns null. */
  close(): void;
}

export interface PrefetchLimits<T> {
  /** The source pauses while the items waiting cost this much or more. */
  readonly capacity: number;
  /** Defaults to 1 for each item. */
  readonly cost?: (item: T) => number;
  /** Called once at `close`, to abort the source's present wait. */
  readonly onClose?: () => void;
}

/** Runs `source` ahead of its consumer, in order, by at most `limits`. */
export function prefetch<T>(source: AsyncIterable<T>, limits: PrefetchLimits<T>): Prefetched<T> {
  const cost = limits.cost ?? (() => 1);
  const waiting: T[] = [];
  let waitingCost = 0;
  let state: { readonly kind: 'running' | 'ended' } | { readonly kind: 'failed'; readonly error: unknown } = {
    kind: 'running',
  };
  let closed = false;
  // One signal for both sides: an item was added or taken, or the source ended.
  let wake = (): void => undefined;
  let changed = new Promise<void>((resolve) => {
    wake = resolve;
  });
  const announce = (): void => {
    wake();
    changed = new Promise((resolve) => {
      wake = resolve;
    });
  };

  const pump = async (): Promise<void> => {
    try {
      for await (const item of source) {
        if (closed) break;
        waiting.push(item);
        waitingCost += cost(item);
        announce();
        while (waitingCost >= limits.capacity && !closed) await changed;
        if (closed) break;
      }
      state = { kind: 'ended' };
    } catch (error) {
      state = { kind: 'failed', error };
    }
    announce();
  };
  void pump();

  return {
    async next() {
      while (waiting.length === 0 && state.kind === 'running' && !closed) await changed;
      if (closed) return null;
      const item = waiting.shift();
      if (item !== undefined) {
        waitingCost -= cost(item);
        announce();
        return item;
      }
      if (state.kind === 'failed') throw state.error;
      return null;
    },
    close() {
      if (closed) return;
      closed = true;
      waiting.length = 0;
      limits.onClose?.();
      announce();
    },
  };
}
