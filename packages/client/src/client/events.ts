// The companion's events as an async iterator across connections: it resumes after the last received event, and reports
// lost events, because a caller that shows a balance has to read it again then.

import { CompanionError, ERRORS } from '../contract/errors.ts';
import { EventMessageReader } from '../contract/eventMessages.ts';
import { type CompanionEvent, type EventsMissed, MISSED } from '../contract/events.ts';

/** `id` is the value for `lastEventId`. A newer companion may send events that are not listed here. */
export type ReceivedEvent = (CompanionEvent | EventsMissed) & { readonly id: string | undefined };

export type StreamState =
  /** Events from now on will be delivered. */
  | { readonly kind: 'open' }
  /** The connection was lost; the next try is after so many milliseconds. `lastEventId`: where it resumes. */
  | {
      readonly kind: 'lost';
      readonly error: CompanionError;
      readonly retryMs: number;
      readonly lastEventId: string | undefined;
    };

/** Calls back once after so many milliseconds, unless the returned function was called. */
export type After = (ms: number, callback: () => void) => () => void;

export interface EventsOptions {
  /** Resume after the event with this id; default: only new events. */
  readonly lastEventId?: string;
  /** Ends the iteration, which rejects with the signal's reason. */
  readonly signal?: AbortSignal;
  readonly onState?: (state: StreamState) => void;
  /** Default: system timers. */
  readonly after?: After;
  /** Random numbers from 0 up to 1; default: `Math.random`. */
  readonly random?: () => number;
}

/** The body of the stream after `lastEventId`, or `CompanionError`. */
export type OpenStream = (
  lastEventId: string | undefined,
  signal: AbortSignal,
) => Promise<ReadableStream<Uint8Array>>;

const DEFAULT_RETRY_MS = 2_000;
const MAX_RETRY_MS = 30_000;
/** The companion sends something every 15 seconds; a connection that is silent for longer is dead (a laptop slept). */
const MAX_SILENCE_MS = 45_000;

const timer: After = (ms, callback) => {
  const started = setTimeout(callback, ms);
  return () => clearTimeout(started);
};

/**
 * Rejects where the first connection fails, and where the companion refuses permanently; after any other loss it tries
 * again, later each time. Leaving the loop closes the connection.
 */
export async function* events(
  open: OpenStream,
  options: EventsOptions = {},
): AsyncGenerator<ReceivedEvent, void, void> {
  const { signal, onState = () => undefined, after = timer, random = Math.random } = options;
  let lastId = options.lastEventId;
  let wasOpen = false;
  let retryMs = DEFAULT_RETRY_MS;
  let failures = 0;
  for (;;) {
    signal?.throwIfAborted();
    const connection = new Connection(after, signal);
    let lost: CompanionError;
    try {
      await connection.open(open, lastId);
      // Without an id there is nothing to resume from.
      const gap = wasOpen && lastId === undefined;
      wasOpen = true;
      onState({ kind: 'open' });
      if (gap) yield { ...MISSED, id: undefined };
      for (;;) {
        const messages = await connection.next();
        if (messages === undefined) break;
        failures = 0;
        retryMs = Math.min(connection.retryMs ?? retryMs, MAX_RETRY_MS);
        for (const { id, event, data } of messages) {
          const received = data === undefined ? undefined : { event, data: parsed(data), id: id ?? lastId };
          lastId = id ?? lastId;
          if (received) yield received as ReceivedEvent;
        }
      }
      signal?.throwIfAborted();
      lost = unreachable('The companion ended the stream of events.');
    } catch (thrown) {
      signal?.throwIfAborted();
      lost = thrown instanceof CompanionError ? thrown : unreachable('The stream of events broke.', thrown);
      if (!wasOpen || !ERRORS[lost.code].retryable) throw lost;
    } finally {
      connection.close();
    }
    const wanted = Math.max(retryMs, (lost.retryAfterSeconds ?? 0) * 1_000);
    // A random time in the upper half, so that the clients of one companion do not all reconnect at once.
    const waitMs = Math.min(wanted * 2 ** failures, MAX_RETRY_MS) * (0.5 + random() / 2);
    failures += 1;
    onState({ kind: 'lost', error: lost, retryMs: waitMs, lastEventId: lastId });
    await pause(after, waitMs, signal);
  }
}

const unreachable = (detail: string, cause?: unknown): CompanionError =>
  new CompanionError('COMPANION_UNREACHABLE', detail, { cause });

function parsed(data: string): unknown {
  try {
    return JSON.parse(data);
  } catch {
    throw new CompanionError('INTERNAL', 'An event that came is not JSON.');
  }
}

/** Resolves after so many milliseconds, or at once when the signal fires. */
function pause(after: After, ms: number, signal: AbortSignal | undefined): Promise<void> {
  return new Promise((resolve) => {
    let stop = (): void => undefined;
    const done = () => {
      stop();
      signal?.removeEventListener('abort', done);
      resolve();
    };
    signal?.addEventListener('abort', done);
    stop = after(ms, done);
    if (signal?.aborted) done();
  });
}

/** One connection. It is closed when nothing arrives for a while, or when the caller's signal fires. */
class Connection {
  readonly #abort = new AbortController();
  readonly #after: After;
  readonly #signal: AbortSignal | undefined;
  readonly #decoder = new TextDecoder();
  readonly #messages = new EventMessageReader();
  #reader: ReadableStreamDefaultReader<Uint8Array> | undefined;

  constructor(after: After, signal: AbortSignal | undefined) {
    this.#after = after;
    this.#signal = signal;
    signal?.addEventListener('abort', this.close);
  }

  get retryMs(): number | undefined {
    return this.#messages.retryMs;
  }

  async open(open: OpenStream, lastId: string | undefined): Promise<void> {
    this.#reader = (await this.#unlessSilent(open(lastId, this.#abort.signal))).getReader();
  }

  /** The messages that the next piece completes, perhaps none; undefined at the end. */
  async next(): Promise<
    readonly { id: string | undefined; event: string; data: string | undefined }[] | undefined
  > {
    const piece = await this.#unlessSilent(this.#reader!.read());
    return piece.done ? undefined : this.#messages.push(this.#decoder.decode(piece.value, { stream: true }));
  }

  readonly close = (): void => {
    this.#signal?.removeEventListener('abort', this.close);
    this.#abort.abort();
    this.#reader?.cancel().catch(() => undefined);
  };

  /** No Promise.race: a promise that never settles would keep its references. */
  async #unlessSilent<T>(promise: Promise<T>): Promise<T> {
    const stop = this.#after(MAX_SILENCE_MS, this.close);
    try {
      return await promise;
    } finally {
      stop();
    }
  }
}
