// The HTTP front on a free loopback port over a fake link, with a clock that only moves when told.

import { connect } from 'node:net';
import { createHttpApp, type HttpOptions } from '../../src/http/app.ts';
import { type Listening, listen } from '../../src/http/server/listen.ts';
import { EventLogs } from '../../src/protocol/eventLogs.ts';
import type { Link } from '../../src/protocol/link.ts';
import { FakeLink } from './fakeLink.ts';
import { openAccess } from './grantBed.ts';

export const EXTENSION_ORIGIN = 'chrome-extension://abcdefghijklmnopabcdefghijklmnop';

/**
 * Hundreds of fronts in one thread may keep it busy for longer than a request may be on its way or an idle connection
 * is kept in life: the server would refuse one whose bytes lie before it, or close the other in the moment in which the
 * test asks on it again.
 */
const NO_LIMITS = { keepAliveMs: 0, headersMs: 0, requestMs: 0, stallMs: 0 } as const;

export interface LogLine {
  readonly level: 'debug' | 'info' | 'warn' | 'error';
  readonly fields: object;
  readonly message: string;
}

export interface HttpFront {
  readonly link: FakeLink;
  readonly events: EventLogs;
  readonly url: string;
  readonly listening: Listening;
  readonly logged: LogLine[];
  advance(ms: number): void;
  get(path: string, headers?: Record<string, string>): Promise<Response>;
  post(path: string, body?: unknown, headers?: Record<string, string>): Promise<Response>;
  /** Sends bytes as they are and resolves with everything that came back until the server closed. */
  raw(bytes: string): Promise<string>;
  close(): Promise<void>;
}

/** `behind`: another link than the fake one. */
export async function startHttpFront(
  options: Pick<HttpOptions, 'rateLimit' | 'every' | 'stopping' | 'dashboard' | 'now' | 'freeDiskBytes'> & {
    readonly behind?: Link;
    readonly maxConnections?: number;
    readonly stallMs?: number;
    readonly allowedOrigins?: () => readonly string[];
    readonly access?: HttpOptions['access'];
  } = {},
): Promise<HttpFront> {
  const link = new FakeLink();
  const logged: LogLine[] = [];
  let nowMs = 0;
  let requests = 0;
  const log = (level: LogLine['level']) => (fields: object, message: string) =>
    void logged.push({ level, fields, message });
  const requestId = () => {
    requests += 1;
    return `request-${requests}`;
  };
  const {
    behind = link,
    maxConnections,
    stallMs,
    allowedOrigins = () => [EXTENSION_ORIGIN],
    ...more
  } = options;
  const events = new EventLogs(behind);
  const app = createHttpApp({
    link: behind,
    events,
    access: openAccess(allowedOrigins),
    logger: { debug: log('debug'), info: log('info'), warn: log('warn'), error: log('error') },
    clock: () => nowMs,
    requestId,
    ...more,
  });
  const listening = await listen({
    app,
    host: '127.0.0.1',
    port: 0,
    requestId,
    ...NO_LIMITS,
    ...(maxConnections === undefined ? {} : { maxConnections }),
    ...(stallMs === undefined ? {} : { stallMs }),
  });
  const { url } = listening;
  return {
    link,
    events,
    url,
    listening,
    logged,
    advance: (ms) => {
      nowMs += ms;
    },
    get: (path, headers = {}) => fetch(url + path, { headers }),
    post: (path, body, headers = {}) =>
      fetch(url + path, {
        method: 'POST',
        ...(body === undefined ? {} : { body: typeof body === 'string' ? body : JSON.stringify(body) }),
        headers: { ...(body === undefined ? {} : { 'content-type': 'application/json' }), ...headers },
      }),
    raw: (bytes) => sendRaw(listening.port, bytes),
    close: () => listening.close(),
  };
}

function sendRaw(port: number, bytes: string): Promise<string> {
  return new Promise((resolve, reject) => {
    const socket = connect(port, '127.0.0.1', () => socket.write(bytes));
    let received = '';
    socket.setEncoding('utf8');
    socket.on('data', (chunk: string) => {
      received += chunk;
    });
    socket.on('end', () => resolve(received));
    socket.on('error', reject);
  });
}
