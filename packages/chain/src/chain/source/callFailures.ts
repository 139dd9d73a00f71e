// Failures of a call that are no wrong answer: a server refuses it for now, or its answer is longer than this program
// reads.

import { CompanionError, type ErrorCode } from '@wallet-companion/client/contract';

// HTTP statuses with which a server, or a proxy before it, refuses a call for now: it is no wrong answer.
const MAX_RETRY_SECONDS = 24 * 60 * 60;

interface HttpHeaders {
  readonly 'retry-after'?: string | undefined;
  readonly date?: string | undefined;
}

/** The server's, and not a `BUSY` of the companion. */
export class Overloaded extends CompanionError {}

/** `BUSY` or `UPSTREAM_TIMEOUT` with the server's `Retry-After`; undefined for any other status. `who`: as sentences begin. */
export function overloadError(
  who: string,
  status: number,
  headers: HttpHeaders = {},
): Overloaded | undefined {
  const seconds = retrySeconds(headers);
  const more = seconds === undefined ? {} : { retryAfterSeconds: seconds };
  const advice = `try again ${seconds === undefined ? 'in a moment' : `in ${seconds} s`}`;
  if (status === 504)
    return new Overloaded(
      'UPSTREAM_TIMEOUT',
      `${who} did not answer the proxy before it in time (HTTP status 504); ${advice}.`,
      more,
    );
  if (status !== 429 && status !== 503) return undefined;
  const what = status === 429 ? 'gets too many requests' : 'is busy or out of service';
  return new Overloaded('BUSY', `${who} ${what} (HTTP status ${status}); ${advice}.`, more);
}

/** A date counts from the server's own clock. */
function retrySeconds({ 'retry-after': text = '', date = '' }: HttpHeaders): number | undefined {
  const seconds = /^\d{1,9}$/.test(text)
    ? Number(text)
    : Math.ceil((Date.parse(text) - Date.parse(date)) / 1000);
  return seconds >= 0 ? Math.min(seconds, MAX_RETRY_SECONDS) : undefined;
}

// An answer that is longer than this program reads: its own limit, and no fault of the server. Callers ask in smaller
// pieces where they can.
export class AnswerTooLarge extends CompanionError {}

/** `who` answered `what`, both as in a sentence. */
/** Nobody has asked the server: `who` is that server, `words` are fixed ones. */
export const proxyAway = (
  code: 'NODE_UNREACHABLE' | 'COMPACT_SERVER_UNREACHABLE',
  who: string,
  words: string,
): CompanionError =>
  new CompanionError(
    code,
    `${who} was not asked: ${words}; check that the proxy runs and that proxy in config.json is right.`,
  );

export const onionWithoutProxy = (): CompanionError =>
  new CompanionError('INVALID_URL', 'A .onion address needs a SOCKS proxy: set proxy in config.json.');

export const answerTooLarge = (code: ErrorCode, who: string, what: string): AnswerTooLarge =>
  new AnswerTooLarge(
    code,
    `${who} has a longer answer to ${what} than this program reads; use another server.`,
  );
