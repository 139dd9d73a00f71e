// Input members in the HTTP path: `/api/payments/{payment_id}` has one. The client fills the path and leaves them out of
// body and query; the server reads them from the path.

import { badField, CompanionError } from './errors.ts';

const MEMBER = /^\{(\w+)\}$/;
/** What no path segment can be: browsers and node:http resolve dots, escaped or not. */
const NO_SEGMENT = /^\.{0,2}$/;

type Fields = Readonly<Record<string, unknown>>;

const memberOf = (segment: string): string | undefined => MEMBER.exec(segment)?.[1];

export const pathMembers = (path: string): readonly string[] =>
  path.split('/').flatMap((segment) => memberOf(segment) ?? []);

/** The path in the router's syntax. */
export const routerPath = (path: string): string => path.replaceAll(/\{(\w+)\}/g, ':$1');

/**
 * The path's segments in the places of the members, accepted in one spelling only: two spellings would be two keys for
 * caches and logs. Undefined for a path of another form.
 */
export function membersIn(template: string, path: string): Readonly<Record<string, string>> | undefined {
  const wanted = template.split('/');
  const given = path.split('/');
  if (wanted.length !== given.length) return undefined;
  const members: [string, string][] = [];
  for (const [i, segment] of wanted.entries()) {
    const member = memberOf(segment);
    const text = given[i]!;
    if (member === undefined ? text !== segment : text === '') return undefined;
    if (member !== undefined) members.push([member, text]);
  }
  return Object.fromEntries(members);
}

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
  const text = String(value ?? '');
  if (!NO_SEGMENT.test(text)) return encodeURIComponent(text);
  throw badField(member, text === '' ? 'is required' : 'is not valid');
}

/** The whole input. A member that body or query also has is refused, even if it is equal: one of the two would win. */
export function withPathMembers(input: unknown, members: Fields | undefined): unknown {
  if (members === undefined || typeof input !== 'object' || input === null || Array.isArray(input))
    return input;
  const given = input as Fields;
  const twice = Object.keys(members).filter((name) => (given[name] ?? null) !== null);
  if (twice.length === 0) return { ...input, ...members };
  throw new CompanionError('INVALID_REQUEST', 'A field of the path must not be given once more.', {
    errors: twice.map((path) => ({ path, message: 'is in the path already' })),
  });
}
