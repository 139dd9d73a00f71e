// The desktop window's private scheme: calls are posted and answered in the same process, and events come from a
// request that is answered when there are some.

import { CompanionError, type CompanionEvent } from '@wallet-companion/client';
import { tryProblem } from '@wallet-companion/client/contract';
import type { Call, Transport } from './transport.ts';

interface EventsAnswer {
  readonly next: number;
  readonly missed: boolean;
  readonly events: readonly CompanionEvent[];
}

type CallAnswer =
  | { readonly ok: true; readonly value: unknown }
  | { readonly ok: false; readonly error: unknown; readonly retry_after_seconds?: number };

const RETRY_MS = 1_000;

const post = async (path: string, body: unknown): Promise<unknown> =>
  (await fetch(path, { method: 'POST', body: JSON.stringify(body) })).json();

const ended = (): never => {
  throw new CompanionError('COMPANION_UNREACHABLE', 'The companion has ended.');
};

export function windowTransport(): Transport {
  return {
    kind: 'window',
    call: (async (name: string, input: unknown = {}) => {
      const answer = (await post(`/invoke/${name}`, input).catch(ended)) as CallAnswer;
      if (answer.ok) return answer.value;
      throw tryProblem(answer.error, answer.retry_after_seconds) ?? ended();
    }) as Call,
    async listen({ event, up, down }) {
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
          await new Promise((resolve) => setTimeout(resolve, RETRY_MS));
        }
      }
    },
  };
}
