// An operation's input as HTTP has it: some members in the path, the others in the query of a GET or the body of a POST.

import { filledPath } from './pathMembers.ts';

export interface HttpRequest {
  /** Path and query. */
  readonly target: string;
  /** JSON; undefined for GET. */
  readonly body: string | undefined;
}

/** Text has neither null nor an absent value: those are left out. Throws `INVALID_REQUEST` for what no path can have. */
export function requestTo(method: 'GET' | 'POST', template: string, input: object): HttpRequest {
  const { path, rest } = filledPath(template, input);
  if (method === 'POST') return { target: path, body: JSON.stringify(rest) };
  const given = Object.entries(rest).filter(([, value]) => value !== undefined && value !== null);
  const query = new URLSearchParams(given.map(([key, value]): [string, string] => [key, textOf(value)]));
  return { target: given.length === 0 ? path : `${path}?${query}`, body: undefined };
}

/** The other way round: `inputFromText`. */
const textOf = (value: unknown): string => String(value);
