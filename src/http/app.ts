// The HTTP front: a request passes the counter, the problem mapper, the guard with the rate limit, and its route, in this order.

import { readFileSync } from 'node:fs';
import { faultFields } from '@wallet-companion/client/contract';
import type { DashboardFile } from '@wallet-companion/dashboard';
import type { Context } from 'koa';
import Koa from 'koa';
import { EventLogs } from '../protocol/eventLogs.ts';
import type { AccessControl } from '../protocol/grants.ts';
import type { HealthSource, JsonLink, Link } from '../protocol/link.ts';
import { dashboard } from './dashboard.ts';
import { EventStreams, type Every } from './eventStreams.ts';
import { guard } from './guard.ts';
import { answerMetrics, type FreeDiskBytes, RequestCounter } from './metrics.ts';
import { answerReadiness } from './readiness.ts';
import { routes } from './routes.ts';
import type { HttpLogger, MonotonicClock } from './server/httpEnvironment.ts';
import { answerWithProblems } from './server/problems.ts';
import {
  DEFAULT_RATE_LIMIT,
  type RateLimit,
  rateLimiter,
  STRANGERS_RATE_LIMIT,
  TokenBucket,
} from './server/rateLimit.ts';

export interface HttpOptions {
  readonly link: Link & Partial<JsonLink>;
  readonly access: AccessControl;
  readonly logger: HttpLogger;
  readonly clock: MonotonicClock;
  /** Milliseconds since 1970; default: the system clock. */
  readonly now?: () => number;
  readonly requestId: () => string;
  readonly rateLimit?: RateLimit;
  /** Ends the event streams when it fires, because they would keep the server open. */
  readonly stopping?: AbortSignal;
  readonly every?: Every;
  /** Of the link; default: logs of its own. */
  readonly events?: EventLogs;
  /** The files of the page at `/`; without them `/` does not exist. */
  readonly dashboard?: ReadonlyMap<string, DashboardFile>;
  /** On the disk with the data directory; undefined where the system does not say. */
  readonly freeDiskBytes?: FreeDiskBytes;
}

const systemEvery: Every = (intervalMs, callback) => {
  const timer = setInterval(callback, intervalMs);
  timer.unref();
  return () => clearInterval(timer);
};

export function createHttpApp(options: HttpOptions): Koa {
  const { link, access, logger, clock, rateLimit = DEFAULT_RATE_LIMIT } = options;
  const { freeDiskBytes = async () => undefined, events = new EventLogs(link) } = options;
  const requests = new RequestCounter();
  const streams = new EventStreams(events, options.every ?? systemEvery, access);
  options.stopping?.addEventListener('abort', () => streams.end(), { once: true });
  let document: Buffer | undefined;
  const app = new Koa();
  app.use(requests.count);
  app.use(answerWithProblems(options));
  // The guard comes first: a refused web page must not use up the rate limit of allowed pages.
  const limitRate = rateLimiter(
    new TokenBucket(rateLimit, clock),
    new TokenBucket(STRANGERS_RATE_LIMIT, clock),
  );
  app.use(guard((origin) => access.knowsOrigin(origin), limitRate));
  if (options.dashboard !== undefined) app.use(dashboard(options.dashboard));
  const handlers = routes(link, access, {
    '/healthz': answerHealth(link),
    '/readyz': answerReadiness(link),
    '/metrics': answerMetrics({ link, requests, streams, now: options.now ?? Date.now, freeDiskBytes }),
    '/api/events': streams.answer,
    '/api/openapi.json': (context) => {
      context.set('cache-control', 'no-cache');
      document ??= readFileSync(new URL('./openapi.json', import.meta.url));
      context.type = 'application/json; charset=utf-8';
      context.body = document;
    },
  });
  for (const middleware of handlers) app.use(middleware);
  // Only broken connections reach this listener; without one Koa would print a stack.
  app.on('error', (error: unknown) => logUndelivered(error, logger));
  return app;
}

/** Errors of clients that disconnected: nothing is wrong here, and nothing can be done. */
const LEFT: ReadonlySet<unknown> = new Set([
  'ECONNRESET',
  'ECONNABORTED',
  'EPIPE',
  'ERR_STREAM_PREMATURE_CLOSE',
  'ERR_STREAM_WRITE_AFTER_END',
  'ERR_STREAM_DESTROYED',
]);

function logUndelivered(error: unknown, logger: HttpLogger): void {
  const { code } = (error ?? {}) as { code?: unknown };
  if (LEFT.has(code)) logger.debug({ code }, 'client left');
  else logger.warn(faultFields(error), 'response not delivered');
}

// GET /healthz, for supervisors that keep the companion running.

/** Always 200 while the process answers. */
const answerHealth =
  (link: HealthSource) =>
  async (context: Context): Promise<void> => {
    const report = await link.health();
    const up = report.wallet === 'up' && report.chain === 'up';
    context.set('cache-control', 'no-store');
    context.body = { status: up ? 'ok' : 'degraded', ...report };
  };
