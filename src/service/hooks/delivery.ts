// What a hook is given, and what comes of it.

/** The words of one delivery; a retry has the same, but for a `sequence` that rose when something else went before it. */
export interface Delivery {
  readonly id: string;
  readonly sequence: number;
  readonly event: string;
  readonly time: string;
  readonly data: unknown;
}

/** `undefined`: it arrived. Else why not: a word of ours, nothing that the other side said. */
export type Failure = string | undefined;

/** Never rejects. Ends at once when the signal says so. */
export type Deliver = (delivery: Delivery, stop: AbortSignal) => Promise<Failure>;

/** Calls `strike` after `ms` milliseconds, unless the returned function is called before. */
export type After = (ms: number, strike: () => void) => () => void;

export const bytesOf = (hook: string, { id, sequence, event, time, data }: Delivery): Buffer =>
  Buffer.from(JSON.stringify({ id, sequence, event, time, hook, data }));
