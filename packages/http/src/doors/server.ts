// A server on loopback, and the steps of Koa that come before any answer: failures as problem documents, bodies, rates.

export {
  bodyOf,
  bodyTooLarge,
  incompleteBody,
  readJson,
  refuseAnyBody,
  refuseOtherTypes,
} from '../server/body.ts';
export type { HttpLogger, MonotonicClock } from '../server/httpEnvironment.ts';
export { type Listening, listen } from '../server/listen.ts';
export { answerWithProblems } from '../server/problems.ts';
export {
  DEFAULT_RATE_LIMIT,
  type RateLimit,
  rateLimiter,
  STRANGERS_RATE_LIMIT,
  TokenBucket,
} from '../server/rateLimit.ts';
