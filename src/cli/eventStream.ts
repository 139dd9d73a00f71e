// GET /api/events for the command line: a broken stream resumes at its last event.

import { request as requestHttp } from 'node:http';
import { request as requestHttps } from 'node:https';
import { StringDecoder } from 'node:string_decoder';
import { EventMessageReader, pathInWallet } from '@wallet-companion/client/contract';
import type { ConnectEvents } from './cliEnvironment.ts';
import type { WatchedEvent } from './eventText.ts';
import { authorization, httpLink, noAnswer, notACompanion, parseBase, problemIn } from './httpLink.ts';

/** A companion sends something every 15 s. */
const SILENCE_MS = 60_000;

/** The event name of a message without one. The companion names all its messages. */
const UNNAMED = 'message';

/** Decodes the bytes of a stream into events, and keeps the id to resume from. */
export class EventReader {
  readonly #take: (event: WatchedEvent) => void;
  #decoder = new StringDecoder('utf8');
  #messages = new EventMessageReader();
  lastId: string | undefined;

  constructor(take: (event: WatchedEvent) => void) {
    this.#take = take;
  }

  /** Discards an incomplete message or character: a new connection does not continue it. */
  begin(): void {
    this.#decoder = new StringDecoder('utf8');
    this.#messages = new EventMessageReader();
  }

  /** Throws when the bytes are no event stream. */
  push(chunk: Buffer): void {
    for (const { id, event, data } of this.#messages.push(this.#decoder.write(chunk))) {
      if (data !== undefined && event !== UNNAMED)
        this.#take({ event, data: JSON.parse(data) } as WatchedEvent);
      // Set after the listener has taken the event: otherwise the stream sends it again.
      this.lastId = id ?? this.lastId;
    }
  }
}

/** Reconnects as often as needed, each time from the last event. Throws `CompanionError`. */
export function httpEvents(base: string, wallet?: string, token?: string): ConnectEvents {
  const companion = parseBase(base);
  const url = new URL(
    `${companion.pathname.replace(/\/$/, '')}${pathInWallet('/api/events', wallet)}`,
    companion,
  );
  const link = httpLink(base, token);
  let take: (event: WatchedEvent) => void = () => {};
  const reader = new EventReader((event) => take(event));
  return (listener, onLost) => {
    take = listener;
    reader.begin();
    const headers = {
      accept: 'text/event-stream, application/problem+json',
      ...authorization(token),
      ...(reader.lastId === undefined ? {} : { 'last-event-id': reader.lastId }),
    };
    const open = url.protocol === 'https:' ? requestHttps : requestHttp;
    return new Promise((resolve, reject) => {
      const outgoing = open(url, { headers, agent: false }, (incoming) => {
        if (incoming.statusCode !== 200) {
          problemIn(incoming).then((problem) => reject(problem ?? notACompanion(companion)), reject);
          return;
        }
        if (!/^text\/event-stream\b/.test(incoming.headers['content-type'] ?? '')) {
          outgoing.destroy();
          reject(notACompanion(companion));
          return;
        }
        incoming.on('data', (chunk: Buffer) => {
          try {
            reader.push(chunk);
          } catch {
            outgoing.destroy();
          }
        });
        incoming.on('error', () => outgoing.destroy());
        incoming.once('close', onLost);
        resolve({
          link,
          close: () => {
            incoming.off('close', onLost);
            outgoing.destroy();
          },
        });
      });
      outgoing.setTimeout(SILENCE_MS, () => outgoing.destroy(new Error('silence')));
      outgoing.on('error', (cause) => reject(noAnswer(companion, cause)));
      outgoing.end();
    });
  };
}
