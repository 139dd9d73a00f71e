// The desktop window's private scheme: calls are posted and answered in the same process, and events come from a
// request that is answered when there are some.

import { type Arguments, CompanionError, type OperationName, type Output } from '@wallet-companion/client';
import { tryProblem } from '@wallet-companion/client/contract';
import type { CompanionEvent } from '../../../protocol/events.ts';
import type { Transport } from './transport.ts';

interface EventsAnswer {
  readonly next: number;
  readonly missed: boolean;
  readonly events: readonly CompanionEvent[];
}

type CallAnswer =
  | { readonly ok: true; readonly value: unknown }
  | { readonly ok: false; readonly error: unknown; readonly retry_after_seconds?: number };

const RETRY_MS = 1_000;

const post = async (path: string, body: unknown): Promise<unknown> => {
  const response = await fetch(path, { method: 'POST', body: JSON.stringify(body) });
  return response.json();
};

export function windowTransport(): Transport {
  return {
    kind: 'window',
    async call<N extends OperationName>(name: N, ...[input]: Arguments<N>): Promise<Output<N>> {
      const answer = (await post(`/invoke/${name}`, input ?? {}).catch(() => {
        throw new CompanionError('COMPANION_UNREACHABLE', 'The companion has ended.');
      })) as CallAnswer;
      if (answer.ok) return answer.value as Output<N>;
      throw (
        tryProblem(answer.error, answer.retry_after_seconds) ??
        new CompanionError('COMPANION_UNREACHABLE', 'The companion has ended.')
      );
    },
    listen({ event, up, down }) {
      let next = 0;
      const ask = async (): Promise<void> => {
        try {
          const answer = (await post('/events', { after: next })) as EventsAnswer;
          if (next === 0) up();
          if (answer.missed) event({ event: 'events.missed' });
          next = answer.next;
          for (const told of answer.events) event(told);
          void ask();
        } catch {
          down();
          next = 0;
          setTimeout(ask, RETRY_MS);
        }
      };
      void ask();
    },
  };
}
