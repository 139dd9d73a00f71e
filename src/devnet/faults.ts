// Misbehaviour on order: each fault says how many calls pass before it and how many it hits.

export interface FaultTiming {
  /** How many calls are hit; without a number every one until `clear`. */
  readonly times?: number;
  /** How many matching calls pass before the first hit. */
  readonly after?: number;
}

export class Faults<F extends FaultTiming> {
  #pending: { readonly fault: F; passes: number; hits: number }[] = [];

  add(fault: F): void {
    this.#pending.push({ fault, passes: fault.after ?? 0, hits: fault.times ?? Number.POSITIVE_INFINITY });
  }

  clear(): void {
    this.#pending = [];
  }

  /** The first fault that matches this call and is due; it is used up by one. */
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
