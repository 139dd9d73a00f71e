// The connection between the pages and the companion: HTTP in a browser, the private scheme in the desktop window. The
// code above it knows only operations and events.

import { type Client, CompanionError, type CompanionEvent, createClient } from '@wallet-companion/client';
import { tryProblem } from '@wallet-companion/client/contract';

/** After `events.missed` the state must be read again. */
export type Told = CompanionEvent | { readonly event: 'events.missed' };

/** Rejects with `CompanionError`. */
export type Call = Client['call'];

export interface Transport {
  readonly call: Call;
  /** Until the page is closed. `up`: events arrive, for the first time or again after a break. */
  listen(event: (told: Told) => void, up: () => void, down: () => void): Promise<void>;
}

const RETRY_MS = 2_000;

const pause = (): Promise<void> => new Promise((resolve) => setTimeout(resolve, RETRY_MS));

/** From the companion's own origin. */
export function httpTransport(): Transport {
  const client = createClient({ baseUrl: location.origin });
  return {
    call: client.call,
    async listen(event, up, down) {
      for (;;) {
        // After a break everything is read again, so no stream is resumed.
        const broken = new AbortController();
        const onState = ({ kind }: { kind: 'open' | 'lost' }) => (kind === 'open' ? up() : broken.abort());
        try {
          for await (const told of client.events({ signal: broken.signal, onState })) event(told);
        } catch {
          down();
        }
        await pause();
      }
    },
  };
}

type EventsAnswer = { next: number; missed: boolean; events: readonly CompanionEvent[] };
type CallAnswer = { ok: true; value: unknown } | { ok: false; error: unknown; retry_after_seconds?: number };

const post = async (path: string, body: unknown): Promise<unknown> =>
  (await fetch(path, { method: 'POST', body: JSON.stringify(body) })).json();

const ended = (): never => {
  throw new CompanionError('COMPANION_UNREACHABLE', 'The companion has ended.');
};

/** Calls are posted, and events come from a request that is answered when there are some. */
export function windowTransport(): Transport {
  return {
    call: (async (name: string, input: unknown = {}) => {
      const answer = (await post(`/invoke/${name}`, input).catch(ended)) as CallAnswer;
      if (answer.ok) return answer.value;
      throw tryProblem(answer.error, answer.retry_after_seconds) ?? ended();
    }) as Call,
    async listen(event, up, down) {
      for (let next = 0; ; ) {
        try {
          const answer = (await post('/events', { after: next })) as EventsAnswer;
          if (next === 0) up();
          if (answer.missed) event({ event: 'events.missed' });
          next = answer.next;
          answer.events.forEach(event);
        } catch {
          down();
          next = 0;
          await pause();
        }
      }
    },
  };
}
