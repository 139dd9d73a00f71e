// GET /api/events as a client reads it: server-sent events (WHATWG HTML, section 9.2), resumed where they broke off.

import { request as requestHttp } from 'node:http';
import { request as requestHttps } from 'node:https';
import { StringDecoder } from 'node:string_decoder';
import type { EventConnection } from './cliEnvironment.ts';
import type { WatchedEvent } from './eventText.ts';
import { httpLink, noAnswer, notACompanion, parseBase, problemIn } from './httpLink.ts';

/** Events are a few hundred bytes; whoever sends a longer line is no companion. */
const LONGEST_LINE = 1024 * 1024;
/** A companion sends something every 15 s. */
const SILENCE_MS = 60_000;

/** Collects the lines of a stream into events. */
export class EventReader {
  readonly #decoder = new StringDecoder('utf8');
  readonly #take: (event: WatchedEvent) => void;
  #rest = '';
  #name = '';
  #data = '';
  #id: string | undefined;
  lastId: string | undefined;

  constructor(take: (event: WatchedEvent) => void) {
    this.#take = take;
  }

  /** A line that broke off is not continued on a new connection. */
  begin(): void {
    this.#rest = '';
    this.#reset();
  }

  /** Throws when what comes is no stream of events. */
  push(chunk: Buffer): void {
    const lines = (this.#rest + this.#decoder.write(chunk)).split('\n');
    this.#rest = lines.pop() ?? '';
    if (this.#rest.length > LONGEST_LINE) throw new Error('the line is too long');
    for (const line of lines) this.#line(line.replace(/\r$/, ''));
  }

  #line(line: string): void {
    if (line === '') {
      const [name, data, id] = [this.#name, this.#data, this.#id];
      this.#reset();
      if (name === '') return;
      this.#take({ event: name, data: JSON.parse(data) } as WatchedEvent);
      // After it was taken: what is not, comes again.
      this.lastId = id ?? this.lastId;
      return;
    }
    const [, field, value = ''] = /^(\w+): ?(.*)$/.exec(line) ?? [];
    if (field === 'event') this.#name = value;
    else if (field === 'data') this.#data += value;
    else if (field === 'id') this.#id = value;
  }

  #reset(): void {
    this.#name = '';
    this.#data = '';
    this.#id = undefined;
  }
}

/** Connects again and again, each time from where the last one broke off. Throws `CompanionError`. */
export function httpEvents(
  base: string,
): (listener: (event: WatchedEvent) => void, onLost: () => void) => Promise<EventConnection> {
  const companion = parseBase(base);
  const url = new URL(`${companion.pathname.replace(/\/$/, '')}/api/events`, companion);
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
