// An operation's input in HTTP form: some members in the path, the others in the query of a GET or the body of a POST.

import { filledPath } from './pathMembers.ts';

export interface HttpRequest {
  /** Path and query. */
  readonly target: string;
  /** JSON; undefined for GET. */
  readonly body: string | undefined;
}

/** Leaves out null and absent members: text has neither. Throws `INVALID_REQUEST` for a value that no path can have. */
export function requestTo(method: 'GET' | 'POST', template: string, input: object): HttpRequest {
  const { path, rest } = filledPath(template, input);
  if (method === 'POST') return { target: path, body: JSON.stringify(rest) };
  const given = Object.entries(rest).filter(([, value]) => value !== undefined && value !== null);
  const query = new URLSearchParams(given.map(([key, value]): [string, string] => [key, textOf(value)]));
  return { target: given.length === 0 ? path : `${path}?${query}`, body: undefined };
}

/** A value as text, for paths, queries and flags; `inputFromText` is the inverse. */
export function textOf(value: unknown): string {
  if (!Array.isArray(value))
    return typeof value === 'object' && value !== null ? JSON.stringify(value) : String(value);
  return value.length > 0 && value.every((item) => typeof item === 'string')
    ? value.join(',')
    : JSON.stringify(value);
}
