// What a hook receives, and the result of a delivery.

/** The contents of one delivery. A retry repeats them, but `sequence` rises if another delivery was sent in between. */
export interface Delivery {
  readonly id: string;
  readonly sequence: number;
  readonly event: string;
  readonly time: string;
  /** Undefined: the default one. */
  readonly wallet?: string | undefined;
  readonly data: unknown;
}

/** `undefined`: delivered. Else the reason, as a word of the companion's, never text from the other side. */
export type Failure = string | undefined;

/** Never rejects. Ends at once when the signal fires. */
export type Deliver = (delivery: Delivery, stop: AbortSignal) => Promise<Failure>;

/** Calls `strike` after `ms` milliseconds, unless the returned function is called before. */
export type After = (ms: number, strike: () => void) => () => void;

/** Without `wallet` for the default one: its receivers see what they saw when there was no other. */
export const bytesOf = (hook: string, { id, sequence, event, time, wallet, data }: Delivery): Buffer =>
  Buffer.from(JSON.stringify({ id, sequence, event, time, hook, wallet, data }));
