// Deliberate faults: each fault defines how many calls pass before it and how many calls it hits.

export interface FaultTiming {
  /** How many calls are hit; default: all until `clear`. */
  readonly times?: number;
  /** How many matching calls pass before the first hit. */
  readonly after?: number;
}

export interface PendingFault<F extends FaultTiming> {
  readonly fault: F;
  /** Matching calls that pass before the next hit. */
  readonly passes: number;
  /** Calls that are still hit, perhaps infinitely many. */
  readonly hits: number;
}

export class Faults<F extends FaultTiming> {
  #pending: { readonly fault: F; passes: number; hits: number }[] = [];

  /** Faults that will still hit a call, in the order in which they were added. */
  get pending(): readonly PendingFault<F>[] {
    return this.#pending.filter(({ hits }) => hits > 0);
  }

  add(fault: F): void {
    this.#pending.push({ fault, passes: fault.after ?? 0, hits: fault.times ?? Number.POSITIVE_INFINITY });
  }

  clear(): void {
    this.#pending = [];
  }

  /** The first fault that matches this call and is due; its remaining count goes down by one. */
  take(matches: (fault: F) => boolean): F | undefined {
    for (const entry of this.#pending) {
      if (entry.hits === 0 || !matches(entry.fault)) continue;
      if (entry.passes > 0) {
        entry.passes--;
        continue;
      }
      entry.hits--;
      return entry.fault;
    }
    return undefined;
  }
}
