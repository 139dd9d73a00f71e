// The one place where failures become responses, with the request id and the headers that every response carries.

import {
  CompanionError,
  type ErrorRecord,
  faultFields,
  PROBLEM_TYPE,
  toErrorRecord,
  toProblem,
} from '@wallet-companion/client/contract';
import type { Middleware } from 'koa';
import type { HttpLogger, MonotonicClock } from './httpEnvironment.ts';

/** Answers are data for programs: browsers must not sniff, frame, embed or run them. */
const SECURITY_HEADERS = {
  'x-content-type-options': 'nosniff',
  'content-security-policy': "default-src 'none'; frame-ancestors 'none'",
  'x-frame-options': 'DENY',
  // The companion's own pages name themselves to it (http/guard.ts), and to nobody else.
  'referrer-policy': 'same-origin',
  'cross-origin-resource-policy': 'same-origin',
  // A page that opens the answer in a window gets no reference to it, and pages of other ports share no process.
  'cross-origin-opener-policy': 'same-origin',
  'origin-agent-cluster': '?1',
} as const;

/**
 * A caller may choose its request id, to match its log with the companion's; only characters that are safe in a log.
 */
const REQUEST_ID = /^[\w.-]{1,64}$/;

export interface ProblemOptions {
  readonly logger: HttpLogger;
  readonly clock: MonotonicClock;
  /** A fresh id for each request. */
  readonly requestId: () => string;
}

export function answerWithProblems({ logger, clock, requestId }: ProblemOptions): Middleware {
  return async (context, next) => {
    const startedMs = clock();
    const given = context.get('x-request-id');
    const id = REQUEST_ID.test(given) ? given : requestId();
    context.state['requestId'] = id;
    context.set('x-request-id', id);
    context.set(SECURITY_HEADERS);
    try {
      await next();
    } catch (thrown) {
      const record = toErrorRecord(thrown);
      if (!(thrown instanceof CompanionError) || record.code === 'INTERNAL') {
        logger.error(
          { requestId: id, route: context.state['route'], ...faultFields(thrown) },
          'request failed',
        );
      }
      const { status, headers, body } = problemResponse(record, id);
      context.status = status;
      context.set(headers);
      context.body = body;
    }
    const elapsedMs = Math.round(clock() - startedMs);
    // A line for each request would hide what matters: events report what a request has changed.
    // The route, never the URL: a query may contain text that must not be logged.
    const { method, status } = context;
    logger.debug({ requestId: id, method, route: context.state['route'], status, elapsedMs }, 'request');
  };
}

export function problemResponse(
  record: ErrorRecord,
  requestId: string,
): { status: number; headers: Record<string, string>; body: string } {
  const problem = toProblem(record, requestId);
  return {
    status: problem.status,
    headers: {
      'content-type': PROBLEM_TYPE,
      'cache-control': 'no-store',
      ...(record.retryAfterSeconds === undefined
        ? {}
        : { 'retry-after': String(Math.ceil(record.retryAfterSeconds)) }),
    },
    body: JSON.stringify(problem),
  };
}

/** The same response as raw HTTP/1.1, for connections whose request could not even be parsed. */
export function rawProblemResponse(
  record: ErrorRecord,
  requestId: string,
  moreHeaders: Readonly<Record<string, string>> = {},
): string {
  const { status, headers, body } = problemResponse(record, requestId);
  const lines = Object.entries({
    ...SECURITY_HEADERS,
    ...headers,
    ...moreHeaders,
    'x-request-id': requestId,
    'content-length': String(Buffer.byteLength(body)),
    connection: 'close',
  }).map(([name, value]) => `${name}: ${value}\r\n`);
  return `HTTP/1.1 ${status} Refused\r\n${lines.join('')}\r\n${body}`;
}
