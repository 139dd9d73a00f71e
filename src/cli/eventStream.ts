// GET /api/events as the command line reads it: resumed where it broke off.

import { request as requestHttp } from 'node:http';
import { request as requestHttps } from 'node:https';
import { StringDecoder } from 'node:string_decoder';
import { EventMessageReader } from '../protocol/eventMessages.ts';
import { pathInWallet } from '../protocol/walletNames.ts';
import type { EventConnection } from './cliEnvironment.ts';
import type { WatchedEvent } from './eventText.ts';
import { httpLink, noAnswer, notACompanion, parseBase, problemIn } from './httpLink.ts';

/** A companion sends something every 15 s. */
const SILENCE_MS = 60_000;

/** Of a message that is not named. The companion names all of its own. */
const UNNAMED = 'message';

/** Makes events of the bytes of a stream, and knows where it broke off. */
export class EventReader {
  readonly #take: (event: WatchedEvent) => void;
  #decoder = new StringDecoder('utf8');
  #messages = new EventMessageReader();
  lastId: string | undefined;

  constructor(take: (event: WatchedEvent) => void) {
    this.#take = take;
  }

  /** What broke off, be it within a character, is not continued on a new connection. */
  begin(): void {
    this.#decoder = new StringDecoder('utf8');
    this.#messages = new EventMessageReader();
  }

  /** Throws when what comes is no stream of events. */
  push(chunk: Buffer): void {
    for (const { id, event, data } of this.#messages.push(this.#decoder.write(chunk))) {
      if (data === undefined || event === UNNAMED) continue;
      this.#take({ event, data: JSON.parse(data) } as WatchedEvent);
      // After it was taken: what is not, comes again.
      this.lastId = id ?? this.lastId;
    }
  }
}

/** Connects again and again, each time from where the last one broke off. Throws `CompanionError`. */
export function httpEvents(
  base: string,
  wallet?: string,
): (listener: (event: WatchedEvent) => void, onLost: () => void) => Promise<EventConnection> {
  const companion = parseBase(base);
  const url = new URL(
    `${companion.pathname.replace(/\/$/, '')}${pathInWallet('/api/events', wallet)}`,
    companion,
  );
  const link = httpLink(base);
  let take: (event: WatchedEvent) => void = () => {};
  const reader = new EventReader((event) => take(event));
  return (listener, onLost) => {
    take = listener;
    reader.begin();
    const headers = {
      accept: 'text/event-stream, application/problem+json',
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
