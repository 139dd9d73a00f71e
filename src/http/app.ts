// The HTTP front: a request passes the problem mapper, the guard, the rate limit and its route, in this order.

import Koa from 'koa';
import type { Link } from '../protocol/link.ts';
import { type AllowedOrigins, guard } from './guard.ts';
import { answerWithProblems } from './problems.ts';
import { DEFAULT_RATE_LIMIT, type RateLimit, rateLimiter, TokenBucket } from './rateLimit.ts';
import { routes } from './routes.ts';

/** Milliseconds from any fixed point; never goes back. */
export type MonotonicClock = () => number;

/** The part of pino that is used. */
export interface HttpLogger {
  info(fields: object, message: string): void;
  warn(fields: object, message: string): void;
  error(fields: object, message: string): void;
}

export interface HttpOptions {
  readonly link: Link;
  /** Exact origins of packaged extensions, asked anew for each request. */
  readonly allowedOrigins: AllowedOrigins;
  readonly logger: HttpLogger;
  readonly clock: MonotonicClock;
  readonly requestId: () => string;
  readonly rateLimit?: RateLimit;
}

export function createHttpApp(options: HttpOptions): Koa {
  const { link, allowedOrigins, logger, clock, rateLimit = DEFAULT_RATE_LIMIT } = options;
  const app = new Koa();
  app.use(answerWithProblems(options));
  // The guard first: a web page that is refused anyway must not use up the owner's requests.
  app.use(guard(allowedOrigins));
  app.use(rateLimiter(new TokenBucket(rateLimit, clock)));
  for (const middleware of routes(link)) app.use(middleware);
  // Only a broken connection gets here; without a listener Koa would print its stack.
  app.on('error', (err: unknown) => logger.warn({ err }, 'response not delivered'));
  return app;
}
