import type { Problem } from '@wallet-companion/client/contract';
import type { ExecutionContext } from 'ava';
import { ERRORS, type ErrorCode } from '../../src/protocol/errors.ts';

/** Asserts that the response is the problem document for `code`, complete and uncacheable, and returns it. */
export async function problemOf(t: ExecutionContext, response: Response, code: ErrorCode): Promise<Problem> {
  const problem = (await response.json()) as Problem;
  t.is(problem.code, code, problem.detail);
  t.is(response.status, ERRORS[code].status);
  t.is(problem.status, response.status);
  t.is(response.headers.get('content-type'), 'application/problem+json');
  t.is(response.headers.get('cache-control'), 'no-store');
  t.is(problem.request_id, response.headers.get('x-request-id') ?? 'absent');
  t.is(problem.retryable, ERRORS[code].retryable);
  t.false('stack' in problem);
  return problem;
}
