// An operation's input in HTTP form: some members in the path, the others in the query of a GET or the body of a POST,
// and how long a request may be.

import { trimCopied } from './copiedText.ts';
import { badField } from './errors.ts';

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

// Input members in the HTTP path: `/api/payments/{payment_id}` has one. The client fills the path and leaves them out of
// body and query.
const MEMBER = /^\{(\w+)\}$/;
/** What no path segment can be: browsers and node:http resolve dots, escaped or not. */
const NO_SEGMENT = /^\.{0,2}$/;

type Fields = Readonly<Record<string, unknown>>;

const memberOf = (segment: string): string | undefined => MEMBER.exec(segment)?.[1];

export const pathMembers = (path: string): readonly string[] =>
  path.split('/').flatMap((segment) => memberOf(segment) ?? []);

/** The path with its members filled in, and the rest of the input. Throws `INVALID_REQUEST`. */
export function filledPath(
  template: string,
  input: object,
): { readonly path: string; readonly rest: Fields } {
  const members = pathMembers(template);
  const given = input as Fields;
  const path = template.split('/').map((segment) => {
    const member = memberOf(segment);
    return member === undefined ? segment : segmentFor(member, given[member]);
  });
  const rest = Object.entries(given).filter(([name]) => !members.includes(name));
  return { path: path.join('/'), rest: Object.fromEntries(rest) };
}

function segmentFor(member: string, value: unknown): string {
  const text = trimCopied(String(value ?? ''));
  if (!NO_SEGMENT.test(text)) return encodeURIComponent(text);
  throw badField(member, text === '' ? 'is required' : 'is not valid');
}

// How long a request may be, which a server says and refuses in one way.

/** The limit of most operations: the longest valid input (two passwords, a phrase) is under 8 KiB. */
export const DEFAULT_INPUT_BYTES = 64 * 1024;

export const inKib = (bytes: number): string => `${(bytes / 1024).toLocaleString('en')} KiB`;
