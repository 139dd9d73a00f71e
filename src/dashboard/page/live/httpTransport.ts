// The transport over fetch and server-sent events, from the companion's own origin.

import { createClient } from '@wallet-companion/client';
import type { CompanionEvent, EventName } from '../../../protocol/events.ts';
import type { Transport } from './transport.ts';

const EVENTS: Readonly<Record<EventName, true>> = {
  'sync.progress': true,
  'sync.finished': true,
  'note.received': true,
  'note.memo': true,
  'note.spent': true,
  'note.seen': true,
  'transaction.vanished': true,
  'payment.changed': true,
  reorg: true,
  'wallet.locked': true,
  'wallet.unlocked': true,
  'config.changed': true,
  'pairing.changed': true,
  'follow.changed': true,
  'server.changed': true,
};

export function httpTransport(): Transport {
  const { call } = createClient({ baseUrl: location.origin });
  return {
    kind: 'browser',
    call,
    listen({ event, up, down }) {
      const connect = (): void => {
        const source = new EventSource('/api/events');
        source.addEventListener('open', up);
        source.addEventListener('events.missed', () => event({ event: 'events.missed' }));
        for (const name of Object.keys(EVENTS)) {
          source.addEventListener(name, ({ data }: MessageEvent<string>) =>
            event({ event: name, data: JSON.parse(data) } as CompanionEvent),
          );
        }
        source.addEventListener('error', () => {
          down();
          // After an answer that is no event stream (the companion is stopping) the browser does not reconnect.
          if (source.readyState !== EventSource.CLOSED) return;
          source.close();
          setTimeout(connect, RETRY_MS);
        });
      };
      connect();
    },
  };
}

const RETRY_MS = 2_000;
