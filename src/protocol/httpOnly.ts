// What HTTP serves besides the operations, for monitors, for browsers that receive events, and for tools that read the
// API: one table for routes and documentation.

import type { ErrorCode } from './errors.ts';
import { ANY_SCOPE, type Reach } from './grants.ts';

export interface HttpOnlyRoute {
  readonly operationId: string;
  readonly summary: string;
  /** Sentences in Markdown. */
  readonly description: string;
  /** Which grants are open to it. */
  readonly reach: Reach;
  /** Where the request names the wallet that it is about; absent: it is about the companion. */
  readonly ofWallet?: 'path' | 'query';
  readonly contentType: string;
  readonly schema: Readonly<Record<string, unknown>>;
  /** Optional query parameters, by name. */
  readonly query?: Readonly<Record<string, unknown>>;
  /** Codes besides those of the guard and the rate limit. */
  readonly errors: readonly ErrorCode[];
}

/** The allowed values of `GET /readyz?mode=`. */
export const READY_MODES = ['alive', 'unlocked', 'connected', 'synced'] as const;
export type ReadyMode = (typeof READY_MODES)[number];

const upOrDown = { type: 'string', enum: ['up', 'down'] };
const count = { type: 'integer', minimum: 0 };

export const httpOnlyRoutes = {
  '/healthz': {
    operationId: 'system.health',
    reach: 'anyone',
    summary: 'Tell whether the threads are alive and which kernel decrypts',
    description: 'Answers 200 as long as the process does; `degraded` while a thread is being restarted.',
    contentType: 'application/json',
    schema: {
      type: 'object',
      required: ['status', 'wallet', 'chain', 'kernel', 'restarts'],
      properties: {
        status: { type: 'string', enum: ['ok', 'degraded'] },
        wallet: upOrDown,
        chain: upOrDown,
        kernel: {
          type: ['object', 'null'],
          required: ['variant'],
          properties: { variant: { type: 'string' }, reason: { type: 'string' } },
        },
        restarts: {
          type: 'object',
          description: 'How often each thread was lost and started again',
          required: ['wallet', 'chain'],
          properties: { wallet: count, chain: count },
        },
      },
    },
    errors: [],
  },
  '/readyz': {
    operationId: 'system.ready',
    reach: ANY_SCOPE,
    ofWallet: 'query',
    summary: 'Tell whether requests can be answered now',
    description:
      'Fails while a thread is being restarted or does not answer; with `mode=` also while the wallet is not open (`unlocked`), while neither the node nor the compact-block server answers on our network (`connected`), or while more than two blocks or a skipped range are not scanned (`synced`). `errors` lists the reasons. Only `connected` and `synced` ask the servers, at most every 30 seconds. With `wallet=` it is about that wallet instead of the default one.',
    contentType: 'application/json',
    schema: {
      type: 'object',
      required: ['status'],
      properties: {
        status: { type: 'string', enum: ['ready'] },
        mode: { type: 'string', enum: [...READY_MODES], description: 'As asked for' },
      },
    },
    query: {
      mode: { type: 'string', enum: [...READY_MODES] },
      wallet: { type: 'string', description: 'Another wallet than the default one' },
    },
    errors: ['THREAD_LOST', 'BUSY', 'NOT_READY'],
  },
  '/metrics': {
    operationId: 'system.metrics',
    reach: ['read'],
    summary: 'Counters and gauges in the Prometheus text format',
    description:
      'Requests, scans, servers, threads, hooks, event streams and free disk. Never an amount, an address or a txid.',
    contentType: 'text/plain',
    schema: { type: 'string' },
    errors: [],
  },
  '/api/events': {
    operationId: 'events.stream',
    reach: ANY_SCOPE,
    ofWallet: 'path',
    summary: 'What happens, as server-sent events',
    description:
      'Each event has an `id`, a name and one line of JSON; a new stream begins with an `id` alone. A client that sends the last `id` it saw as `Last-Event-ID` (browsers do when they reconnect) first gets what it missed; when the companion no longer has all of it, `events.missed` comes first and asks it to read the state anew, and after a restart what the companion has told since. A comment line comes every 15 seconds. Amounts are there only while the wallet is unlocked. At most 64 streams at a time: 16 for the own pages, and 48 of which one caller has at most 16, fewer beside others. Only events of the default wallet: those of another one are at `/api/wallets/{wallet}/events`, with ids of its own.',
    contentType: 'text/event-stream',
    schema: { type: 'string' },
    errors: ['BUSY'],
  },
  '/api/openapi.json': {
    operationId: 'system.openapi',
    reach: 'anyone',
    summary: 'This document',
    description: 'OpenAPI 3.1.',
    contentType: 'application/json',
    schema: { type: 'object' },
    errors: [],
  },
} as const satisfies Record<`/${string}`, HttpOnlyRoute>;

export type HttpOnlyPath = keyof typeof httpOnlyRoutes;
export const httpOnlyPaths = Object.keys(httpOnlyRoutes) as readonly HttpOnlyPath[];
