// Bodies are JSON objects of at most 64 KiB. Anything else is refused before it is read: web pages can send "text/plain"
// without a preflight.

import type { IncomingMessage } from 'node:http';
import type { Middleware } from 'koa';
import { CompanionError } from '../protocol/errors.ts';

/** The longest honest body (two passwords, a phrase) is under 8 KiB. */
export const BODY_LIMIT_BYTES = 64 * 1024;

export const bodyTooLarge = (): CompanionError =>
  new CompanionError('BODY_TOO_LARGE', 'The request body must be at most 64 KiB.');

export const incompleteBody = (): CompanionError =>
  new CompanionError('INVALID_REQUEST', 'The request body is not a complete JSON object.');

const JSON_TYPE = /^application\/json[ \t]*(?:;[ \t]*charset[ \t]*=[ \t]*"?utf-8"?[ \t]*)?;?$/i;

export const hasBody = ({ headers }: IncomingMessage): boolean =>
  headers['transfer-encoding'] !== undefined || Number(headers['content-length'] ?? 0) > 0;

export const refuseOtherTypes: Middleware = async (context, next) => {
  if (hasBody(context.req)) {
    const { 'content-type': type = '', 'content-encoding': encoding = 'identity' } = context.req.headers;
    if (!JSON_TYPE.test(type.trim()) || encoding.toLowerCase() !== 'identity') {
      throw new CompanionError(
        'UNSUPPORTED_MEDIA_TYPE',
        'Send the body as plain UTF-8 JSON with the header Content-Type: application/json.',
      );
    }
  }
  await next();
};

export const refuseAnyBody: Middleware = async (context, next) => {
  if (hasBody(context.req)) {
    throw new CompanionError(
      'INVALID_REQUEST',
      'This request takes no body; give the fields as query parameters.',
    );
  }
  await next();
};
