// Members of an input that stand in the path over HTTP: `/api/payments/{payment_id}` has one. Who asks fills the path and
// leaves them out of body and query; who answers takes them from it.

import { badField, CompanionError } from './errors.ts';

const MEMBER = /^\{(\w+)\}$/;
/** What no path can have as a segment: browsers and node:http take dots for steps, escaped or not. */
const NO_SEGMENT = /^\.{0,2}$/;

type Fields = Readonly<Record<string, unknown>>;

const memberOf = (segment: string): string | undefined => MEMBER.exec(segment)?.[1];

export const pathMembers = (path: string): readonly string[] =>
  path.split('/').flatMap((segment) => memberOf(segment) ?? []);

/** In the router's spelling. */
export const routerPath = (path: string): string => path.replaceAll(/\{(\w+)\}/g, ':$1');

/**
 * What `path` has in the places of the members, as it is spelt there: two spellings would be two keys for caches and
 * logs. Undefined for a path of another form.
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

/** The path with its members, and the rest of the input. Throws `INVALID_REQUEST`. */
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

/** The whole input. A member that body or query has as well is refused, even if it is the same: one of them would win. */
export function withPathMembers(input: unknown, members: Fields | undefined): unknown {
  if (members === undefined || typeof input !== 'object' || input === null || Array.isArray(input))
    return input;
  const given = input as Fields;
  const twice = Object.keys(members).filter((name) => (given[name] ?? null) !== null);
  if (twice.length === 0) return { ...input, ...members };
  throw new CompanionError('INVALID_REQUEST', 'What stands in the path must not be given once more.', {
    errors: twice.map((path) => ({ path, message: 'is in the path already' })),
  });
}
