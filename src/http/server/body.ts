// Bodies are JSON objects of a bounded length. Anything else is refused before it is read: koa-bodyparser alone would
// accept an unlisted content type as {}, and web pages can send "text/plain" without a preflight.

import type { IncomingMessage } from 'node:http';
import { CompanionError, DEFAULT_INPUT_BYTES, inKib } from '@wallet-companion/client/contract';
import type { Context, Middleware } from 'koa';

export const bodyTooLarge = (limitBytes: number): CompanionError =>
  new CompanionError('BODY_TOO_LARGE', `The request body must be at most ${inKib(limitBytes)}.`);

export const incompleteBody = (): CompanionError =>
  new CompanionError('INVALID_REQUEST', 'The request body is not a complete JSON object.');

const JSON_TYPE = /^application\/json[ \t]*(?:;[ \t]*charset[ \t]*=[ \t]*"?utf-8"?[ \t]*)?;?$/i;

export const hasBody = ({ headers }: IncomingMessage): boolean =>
  headers['transfer-encoding'] !== undefined || Number(headers['content-length'] ?? 0) > 0;

export function refuseOtherTypes({ req }: Context): void {
  if (!hasBody(req)) return;
  const { 'content-type': type = '', 'content-encoding': encoding = 'identity' } = req.headers;
  if (JSON_TYPE.test(type.trim()) && encoding.toLowerCase() === 'identity') return;
  throw new CompanionError(
    'UNSUPPORTED_MEDIA_TYPE',
    'Send the body as plain UTF-8 JSON with the header Content-Type: application/json.',
  );
}

export function refuseAnyBody({ req }: Context): void {
  if (!hasBody(req)) return;
  throw new CompanionError(
    'INVALID_REQUEST',
    'This request takes no body; give the fields as query parameters.',
  );
}

/** Loaded for the first body: it has more modules than the rest of the server. */
let parser: Promise<Middleware> | undefined;

const loadParser = async (): Promise<Middleware> => {
  const { default: bodyParser } = await import('koa-bodyparser');
  return bodyParser({
    enableTypes: ['json'],
    jsonLimit: `${DEFAULT_INPUT_BYTES}b`,
    onerror(thrown: Error & { readonly type?: string }) {
      // The parser's error contains the body, which may contain a password, so nothing of it is passed on.
      throw thrown.type === 'entity.too.large' ? bodyTooLarge(DEFAULT_INPUT_BYTES) : incompleteBody();
    },
  });
};

/** What `readJson` has read; {} for an empty body. */
export const bodyOf = ({ request }: Context): unknown => request.body ?? {};

/** Reads the body, for `bodyOf`. */
export const readJson: Middleware = async (context, next) => {
  parser ??= loadParser();
  return (await parser)(context, next);
};
