// The transport over HTTP and its stream of events, from the companion's own origin.

import { createClient } from '@wallet-companion/client';
import type { Transport } from './transport.ts';

const RETRY_MS = 2_000;

export function httpTransport(): Transport {
  const client = createClient({ baseUrl: location.origin });
  return {
    kind: 'browser',
    call: client.call,
    async listen({ event, up, down }) {
      for (;;) {
        // After a break everything is read again, so no stream is resumed.
        const broken = new AbortController();
        const { signal } = broken;
        try {
          const onState = ({ kind }: { kind: 'open' | 'lost' }) => (kind === 'open' ? up() : broken.abort());
          for await (const told of client.events({ signal, onState })) event(told);
        } catch {
          down();
        }
        await new Promise((resolve) => setTimeout(resolve, RETRY_MS));
      }
    },
  };
}
